/** What the commands share that start a program, ask and clean up: how the program is named, fed and bounded in time. */
import * as z from "zod";
import { advice, type Blank, blank, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { adapterArguments, bytesOf, environment, programInput } from "../argument-types.ts";
import type { Context, OpenRequest, RunRequest } from "../context.ts";
import { commandAs, inputAs } from "../mcp/spellings.ts";
import { parseMap } from "../sessions/start-arguments.ts";

export const MAP = "/old=/new: the folder where the source was built, and where it is now";

export const running = {
  args: z
    .array(z.string())
    .optional()
    .describe("the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test"),
  adapter: z
    .string()
    .optional()
    .describe("the debug adapter to use, by name or language (default: chosen for the program)")
    .meta({ brief: "debugger or language" }),
  cwd: z.string().optional().describe("folder to run in (default: the current one)"),
  env: environment,
  stdin: programInput.describe(
    "use this file as the program's standard input; - uses that of this command (default: empty)",
  ),
  build: z
    .boolean()
    .optional()
    .describe("if the program is a source file (main.c), compile it first")
    .meta({ brief: "compile first" }),
  adapterArguments: adapterArguments.describe("extra arguments for the adapter's launch request, as JSON"),
  map: z.array(z.string()).optional().describe(MAP),
};

/** Of them, what a tool call can give: how the program is run. */
export const RUNS = ["adapter", "env", "build"] as const;
export const RUN_SPELLED = [commandAs("args", "command"), inputAs("stdin", "stdin")];

/** Nobody waits longer for an answer without saying so. */
export const RUN_SECS = 30;

export type Running = z.infer<z.ZodObject<typeof running>>;

/** `program` is what is run when no command line is given: of `sonde probe app.py:42` the location's own file. */
export function runRequest({ cwd }: Context, args: Running, program?: string): RunRequest {
  const words = args.args ?? [];
  if (words.length === 0 && program === undefined)
    throw new SondeError("BAD_ARGUMENT", "run what?", {
      hint: advice`give a command line: ${option({ args: blank("command") })}`,
    });
  const plan: OpenRequest = {
    ...(words.length > 0 ? { command: words, args: [] } : { program: program ?? "", args: [] }),
    env: args.env ?? {},
    stopOnEntry: false,
    extra: args.adapterArguments ?? {},
    ...parseMap(args.map, cwd),
    ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
    ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    ...(args.build === undefined ? {} : { build: args.build }),
  };
  return { request: "launch", plan };
}

export function stdinOf(context: Context, { stdin }: Running): Promise<Buffer> | undefined {
  return stdin === undefined ? undefined : bytesOf(context, stdin);
}

/** What was run, as the reader typed it. */
export function titleOf({ args }: Running, program?: string): string {
  return args && args.length > 0 ? args.join(" ") : (program ?? "");
}

/** Longer command lines are those that the reader has typed just now. */
const LONG_LINE = 120;

type Ran = NonNullable<TraceRecord["ran"]>;

/** What a trace has run, so that it can be run again. */
export function ranOf({ args, build }: Running, program?: string): Ran {
  const command = args && args.length > 0 ? args : program === undefined ? [] : [program];
  return { command, ...(build ? { build } : {}) };
}

/** The arguments that run it again. */
export function runAgain(ran: Ran | undefined): { pid?: number; build?: boolean; args?: string[] | Blank } {
  if (ran === undefined) return { args: blank("command") };
  if ("pid" in ran) return ran;
  const { command: args, ...rest } = ran;
  const line = args.join(" ");
  return line === "" || line.length > LONG_LINE || /[\n`]/.test(line)
    ? { args: blank("command") }
    : { ...rest, args };
}
