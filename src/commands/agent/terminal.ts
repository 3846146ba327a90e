/** agent run, attach, fork: they need the caller's terminal, so `src/foreground` runs them. */
import * as z from "zod";
import { SondeError } from "../../errors.ts";
import { command } from "../define.ts";
import { dir } from "./shapes.ts";

/** What it gives back is an exit status. */
const inTerminal = {
  group: "agents",
  needs: "nothing",
  effect: "changes",
  foreground: true,
  result: z.object({}),
  run: async (): Promise<Record<string, never>> => {
    throw new SondeError("UNSUPPORTED", "this runs in a terminal");
  },
  text: () => "",
} as const;

const upstream = z
  .string()
  .optional()
  .describe("the provider's base URL (default: the one that the agent would use)");
const name = z.string().min(1).max(80).optional().describe("a name for the run, for use with -s");

export const runArguments = z.object({
  args: z.array(z.string()).default([]).describe("the agent's command line"),
  name,
  break: z
    .array(z.string())
    .optional()
    .describe("set a breakpoint before the agent starts: tool=Bash, 'pattern=rm -rf', iteration=20, error …")
    .meta({ placeholder: "kind=value" }),
  paused: z.boolean().optional().describe("hold it before its first call to the model"),
  client: z
    .enum(["claude", "codex", "anthropic", "openai"])
    .optional()
    .describe(
      "the agent (claude, codex), or the API that it speaks (anthropic, openai) (default: recognised by its command)",
    ),
  upstream,
  maxHold: z
    .number()
    .positive()
    .optional()
    .describe("the longest time to hold a call, in seconds (default: no limit)"),
  onMaxHold: z
    .enum(["release", "fail"])
    .optional()
    .describe("with --max-hold: what happens to the call after that time: it goes on (the default) or fails"),
  noHooks: z
    .boolean()
    .optional()
    .describe(
      "do not add hooks to Claude Code; Sonde uses them to hold and cancel tool calls, and without them a cancelled call may end the turn",
    ),
  verbose: z
    .boolean()
    .optional()
    .describe("print every environment variable and argument that Sonde changes for the agent"),
  otlp: z.string().optional().describe("also send the run to this OpenTelemetry collector as it happens"),
  quiet: z.boolean().optional().describe("print nothing about the run before the agent starts"),
  dir: dir.describe("record the run in this folder, under `sessions/` (default: Sonde's own)"),
});

export const run = command({
  ...inTerminal,
  name: "agent run",
  summary:
    "run an agent (claude, codex, or any other that lets you set the base URL of its model API) so that you can hold its calls, inspect them and change them",
  args: runArguments,
  cli: { rest: "args" },
  examples: [
    "sonde agent run -- claude",
    "sonde agent run --paused -- codex",
    "sonde agent run -- python my_agent.py",
  ],
});

export const attach = command({
  ...inTerminal,
  name: "agent attach",
  summary: "open a live view of a run in your terminal, with keys for pause, step, resume, edit",
  args: z.object({
    source: z.string().optional().describe("which run (default: the only one that is alive)"),
    plain: z.boolean().optional().describe("lines instead of a full screen"),
    dir,
  }),
  cli: { positionals: ["source"] },
  examples: ["sonde agent attach"],
});

export const forkArguments = z.object({
  source: z
    .string()
    .describe("the recorded run: its id, the start or the last four characters of it, or its name"),
  at: z.number().int().positive().describe("the first call that goes to the provider"),
  args: z.array(z.string()).default([]).describe("the agent's command line"),
  say: z.string().optional().describe("replace what the user said last before that call"),
  inject: z.string().optional().describe("add a user message at the end of that call"),
  model: z.string().optional().describe("use another model, from that call on"),
  body: z
    .string()
    .optional()
    .describe("a file with the whole request to send as that call, as JSON")
    .meta({ placeholder: "file" }),
  ignore: z
    .array(z.string())
    .optional()
    .describe("text that may differ from the recording, as a regular expression"),
  upstream,
  name,
  dir,
});

export const fork = command({
  ...inTerminal,
  name: "agent fork",
  summary:
    "run the agent again from call N of a recorded run: earlier calls are answered from the recording, call N (with your change) and later ones by the provider",
  args: forkArguments,
  cli: { positionals: ["source"], rest: "args" },
  examples: ["sonde agent fork ab12 --at 4 --model claude-haiku-4-5 -- claude -p 'fix the test'"],
});
