/** What probe, crash and hang share: a run that is opened, looked at and ended within one command. */
import { advice, type Call, call, type Told, WHOLE } from "../../advice/advice.ts";
import type { StartArguments, TraceArguments } from "../../advice/commands.generated.ts";
import type { Launch } from "../../session/launch.ts";
import type { OutputTail } from "../../session/output/tail.ts";
import { type Declaration, Session } from "../../session/session.ts";
import type { ValueLine } from "../../session/values/value-line.ts";
import { cutBytes } from "../../util/text.ts";
import { outputLines } from "../answers/snapshot-text.ts";
import type { TextOptions } from "../answers/text.ts";
import type { Input } from "../argument-types.ts";
import type { Context, RunRequest } from "../context.ts";
import { feed } from "../sessions/start-arguments.ts";
import { type Running, runRequest } from "./running.ts";

/** Of a program file with its arguments after `--`, of a file alone, or of a whole command line. */
export function programRequest(context: Context, args: Running, program?: string): RunRequest {
  const words = args.args ?? [];
  if (program === undefined || words.length === 0) return runRequest(context, args, program);
  const { args: _, ...rest } = args;
  const { request, plan } = runRequest(context, rest, program);
  return request === "launch" ? { request, plan: { ...plan, args: words } } : { request, plan };
}

/** The same as a session that stays; `own` are options of `start` that only this run needs. */
export function startCall(
  args: Running,
  program: string | undefined,
  own: Partial<StartArguments> = {},
): Call {
  return call("start", { program, ...own, ...runArgs(args) });
}

/** The same run, traced; `own` says what of it. */
export function traceCall(args: Running, own: Partial<TraceArguments>): Call {
  return call("trace", { ...own, ...runArgs(args) });
}

/** One that can be read again. */
function again(stdin: Input | undefined): Input | undefined {
  return stdin !== undefined && "file" in stdin && stdin.file !== "-" ? stdin : undefined;
}

function runArgs({ build, adapter, cwd, env, stdin, adapterArguments, map, args }: Running): Running {
  const words = args?.length ? args : undefined;
  return { build, adapter, cwd, env, stdin: again(stdin), adapterArguments, map, args: words };
}

/** Opens it under its debugger and gives it its input: none, unless told, so that a program which asks for some is not waited for. */
export async function begin(
  launch: Launch,
  stdin: Buffer | undefined,
  signal: AbortSignal,
  declaration?: Declaration,
): Promise<Session> {
  const session = new Session(launch, declaration);
  await session.open(signal);
  if (stdin !== undefined || session.main?.stdin) feed(session, stdin ?? Buffer.alloc(0));
  return session;
}

/** Handles belong to a session, and none remains. */
export function plainValues(values: readonly ValueLine[]): ValueLine[] {
  return values.map(({ handle: _, children, ...value }) => ({
    ...value,
    ...(children === undefined ? {} : { children: plainValues(children) }),
  }));
}

/** Without advice that only a session could follow. */
export function sessionless(notes: readonly Told[]): Told[] {
  return notes.map((one) => (typeof one === "string" ? one : one.lasting)).filter((one) => one !== "");
}

/** The last lines; of those before them it says how to get them, if they can be had. */
export function lastOutput({ lines, moreLines }: OutputTail, most: number, options: TextOptions): string[] {
  const shown = lines.slice(-most);
  const hidden = lines.length - shown.length;
  const how =
    hidden === 0 ? "not kept" : moreLines === 0 ? advice`${WHOLE}` : advice`${WHOLE} has the last ${hidden}`;
  return outputLines({ lines: shown, moreLines: moreLines + hidden }, options, how);
}

/** The first rendering that is short enough, from the fullest to the barest; if none is, the barest, cut. */
export function fitted(
  levels: number,
  bytes: number,
  more: string,
  render: (level: number) => string,
): string {
  for (let level = 0; level < levels; level++) {
    const text = render(level);
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return cutBytes(render(levels - 1), bytes, `[cut: ${more}]`);
}
