/** What can be asked of a running agent: by a line in `commands.jsonl`, or over its socket. */
import * as z from "zod";

const stop = z
  .string()
  .regex(/^s\d+$/, "is a stop's id, such as s1")
  .optional();
const agent = z.string().min(1).max(200).optional();

export const BREAKPOINT_KINDS = [
  "tool",
  "iteration",
  "pattern",
  "error",
  "stop_reason",
  "repeat",
  "tokens",
  "cost",
  "subagent",
  "compaction",
] as const;
export type BreakpointKind = (typeof BREAKPOINT_KINDS)[number];

/** A breakpoint as it is asked for. */
export const breakpointShape = z.object({
  on: z.enum(BREAKPOINT_KINDS),
  /** tool: a name, `*` and `?` stand for any text and any character. stop_reason: one, or any if left out. */
  name: z.string().min(1).max(200).optional(),
  /** iteration: which one; tokens: how many in all; cost: how much in all; repeat: how many times the same call. */
  count: z.number().positive().optional(),
  /** iteration: of the turn, or of the session. */
  of: z.enum(["turn", "session"]).optional(),
  /** pattern: a regular expression on a tool's input. */
  regex: z.string().min(1).max(1000).optional(),
  /** pattern: ignore case. */
  ignoreCase: z.boolean().optional(),
  /** How many times to pass it. */
  ignore: z.number().int().nonnegative().optional(),
  once: z.boolean().optional(),
  /** Only recorded, never held. */
  log: z.boolean().optional(),
  agent,
});
export type BreakpointRequest = z.infer<typeof breakpointShape>;

export interface Breakpoint extends BreakpointRequest {
  id: number;
  enabled: boolean;
  /** How many times it was true, those that were passed included. */
  hits: number;
}

const shapes = {
  pause: z.object({ agent }),
  /** All that is held, or one stop. */
  resume: z.object({ stop, agent }),
  /** `model`: one iteration; `tool`: to the next tool call; `turn`: to the end of the turn. */
  step: z.object({ kind: z.enum(["model", "tool", "turn"]).default("model"), stop, agent }),
  inspect: z.object({
    what: z
      .enum(["messages", "context", "tools", "system", "request", "diff", "stops", "all"])
      .default("all"),
    agent,
  }),
  inject_message: z.object({
    role: z.enum(["user", "assistant", "system"]).default("user"),
    content: z.string().min(1).max(1_000_000),
    agent,
  }),
  /** The proxy takes model, max_tokens, temperature and other values at the top of a request; a library agent what it declares. */
  set_variable: z.object({ key: z.string().min(1).max(200), value: z.unknown(), agent }),
  cancel_tool: z.object({ toolId: z.string().min(1).max(500), reason: z.string().max(10_000).optional() }),
  /** `resume`: and let it go. */
  edit_tool: z.object({
    toolId: z.string().min(1).max(500),
    input: z.unknown(),
    /** The same as JSON text, where it has numbers that a value cannot hold. */
    exact: z.string().max(10_000_000).optional(),
    resume: z.boolean().optional(),
  }),
  /** The whole body of a held request, as a JSON value. */
  edit_request: z.object({
    stop,
    body: z.record(z.string(), z.unknown()),
    /** The same as JSON text, where it has numbers that a value cannot hold. */
    exact: z.string().optional(),
    resume: z.boolean().optional(),
  }),
  /** A held request is not sent: its turn ends with `text`, or fails with an error. */
  kill_call: z.object({ stop, text: z.string().max(100_000).optional() }),
  breakpoint: z.object({
    action: z.enum(["add", "list", "clear", "clear-all", "enable", "disable"]),
    id: z.union([z.number().int().positive(), z.string().max(40)]).optional(),
    ...breakpointShape.partial().shape,
  }),
  /** Answers when something is held (or at once, if something is), or when the run has ended. */
  wait: z.object({ timeoutMs: z.number().nonnegative().max(86_400_000).default(300_000) }),
  checkpoint: z.object({ label: z.string().max(200).optional() }),
  rewind: z.object({ checkpoint: z.string().min(1).max(100) }),
  /** A `sonde` command that the agent ran. */
  sonde_call: z.object({
    argv: z.array(z.string()).max(1000),
    session: z.string().optional(),
    trace: z.string().optional(),
    profile: z.string().optional(),
    cwd: z.string().optional(),
    exit: z.number().optional(),
  }),
} as const;

export const COMMAND_SHAPES = shapes;
export type CommandType = keyof typeof shapes;
export type CommandData<T extends CommandType> = z.infer<(typeof shapes)[T]>;

export interface AgentCommand {
  type: string;
  id: string;
  data: Record<string, unknown>;
  timestamp?: string;
}

export type CommandAnswer =
  | { commandId: string; type: string; ok: true; data: Record<string, unknown> }
  | { commandId: string; type: string; ok: false; error: { code: string; message: string; hint?: string } };
