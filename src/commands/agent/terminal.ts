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
const name = z.string().min(1).max(80).optional().describe("a name for the run, by which -s finds it");

export const runArguments = z.object({
  args: z.array(z.string()).default([]).describe("the agent's command line"),
  name,
  break: z
    .array(z.string())
    .optional()
    .describe("a breakpoint from the start: tool=Bash, 'pattern=rm -rf', iteration=20, error …"),
  paused: z.boolean().optional().describe("hold it before its first call to the model"),
  client: z
    .enum(["claude", "codex", "anthropic", "openai"])
    .optional()
    .describe("what kind of agent it is (default: recognised by its command)"),
  upstream,
  maxHold: z.number().positive().optional().describe("seconds after which what is held goes on by itself"),
  onMaxHold: z.enum(["release", "fail"]).optional().describe("with --max-hold: it goes on, or it fails"),
  noHooks: z
    .boolean()
    .optional()
    .describe("do not add hooks to Claude Code: a cancelled tool call then ends its turn"),
  verbose: z.boolean().optional().describe("print every variable and argument that is changed for the agent"),
  otlp: z.string().optional().describe("also send the run to this OpenTelemetry collector, as it goes"),
  quiet: z.boolean().optional().describe("print nothing about the run before the agent starts"),
  dir,
});

export const run = command({
  ...inTerminal,
  name: "agent run",
  summary:
    "run an agent (claude, codex, or anything that takes a base URL) so that it can be stopped and looked into",
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
  source: z.string().describe("the recorded run: id, its beginning, or name"),
  at: z.number().int().positive().describe("the first call that goes to the provider"),
  args: z.array(z.string()).default([]).describe("the agent's command line"),
  say: z.string().optional().describe("instead of what the user said last before it"),
  inject: z.string().optional().describe("a message of the user's at the end of it"),
  model: z.string().optional().describe("another model"),
  body: z.string().optional().describe("a file with the whole request, as JSON"),
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
    "run again from call N on: the calls before it are answered from the recording, call N with your edit by the provider",
  args: forkArguments,
  cli: { positionals: ["source"], rest: "args" },
  examples: ["sonde agent fork ab12 --at 4 --model claude-haiku-4-5 -- claude -p 'fix the test'"],
});
