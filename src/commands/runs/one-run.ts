/** What probe, crash and hang share: a run that is opened, looked at and ended within one command. */
import type { OutputTail } from "../../session/output/tail.ts";
import type { Session } from "../../session/session.ts";
import type { ValueLine } from "../../session/values/value-line.ts";
import { cutBytes } from "../../util/text.ts";
import { outputLines } from "../answers/snapshot-text.ts";
import type { Input } from "../argument-types.ts";
import type { Context } from "../context.ts";
import { feed, parseMap } from "../sessions/start-arguments.ts";
import { prepareRun, type Running } from "./running.ts";

/** Of a program file with its arguments after `--`, of a file alone, or of a whole command line. */
export function prepareProgram(context: Context, args: Running, program?: string): Promise<Session> {
  const words = args.args ?? [];
  if (program === undefined || words.length === 0) return prepareRun(context, args, program);
  return context.prepareLaunch({
    program,
    args: words,
    env: args.env ?? {},
    stopOnEntry: false,
    extra: args.adapterArguments ?? {},
    ...parseMap(args.map, context.cwd),
    ...(args.adapter === undefined ? {} : { adapter: args.adapter }),
    ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    ...(args.build === undefined ? {} : { build: args.build }),
  });
}

/** The same as a session that stays; `own` are options of `start` that only this run needs. */
export function startLine(args: Running, program: string | undefined, own: readonly string[] = []): string {
  const { stdin, ...rest } = args;
  const words = runWords(isFile(stdin) ? args : rest);
  return typed(["sonde", "start", ...(program === undefined ? [] : [program]), ...own, ...words]);
}

/** The same run, traced; `own` says what of it. */
export function traceLine(args: Running, own: readonly string[]): string {
  return typed(["sonde", "trace", ...own, ...runWords(args)]);
}

/** One that can be read again. */
function isFile(stdin: Input | undefined): stdin is { file: string } {
  return stdin !== undefined && "file" in stdin && stdin.file !== "-";
}

function runWords(args: Running): string[] {
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);
  return [
    ...(args.build ? ["--build"] : []),
    ...option("--adapter", args.adapter),
    ...option("--cwd", args.cwd),
    ...Object.entries(args.env ?? {}).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    ...(isFile(args.stdin) ? ["--stdin", args.stdin.file] : []),
    ...option("--arg-json", args.adapterArguments && JSON.stringify(args.adapterArguments)),
    ...(args.map ?? []).flatMap((one) => ["--map", one]),
    ...(args.args?.length ? ["--", ...args.args] : []),
  ];
}

/** Opens it and gives it its input: none, unless told, so that a program which asks for some is not waited for. */
export async function begin(session: Session, stdin: Buffer | undefined, signal: AbortSignal): Promise<void> {
  await session.open(signal);
  if (stdin !== undefined || session.main?.stdin) feed(session, stdin ?? Buffer.alloc(0));
}

/** Handles belong to a session, and none remains. */
export function plainValues(values: readonly ValueLine[]): ValueLine[] {
  return values.map(({ handle: _, children, ...value }) => ({
    ...value,
    ...(children === undefined ? {} : { children: plainValues(children) }),
  }));
}

/** Without advice that only a session could follow. */
export function sessionless(message: string): string {
  return message.replace(/ \(`sonde [^)]*\)$|; `sonde [^`]*`[^;`]*$/, "");
}

/** The last lines; of those before them it says how to get them, if they can be had. */
export function lastOutput({ lines, moreLines }: OutputTail, most: number): string[] {
  const shown = lines.slice(-most);
  const hidden = lines.length - shown.length;
  const how = hidden === 0 ? "not kept" : moreLines === 0 ? "--json" : `--json has the last ${hidden}`;
  return outputLines({ lines: shown, moreLines: moreLines + hidden }, how);
}

/** A command line as one would type it. */
export function typed(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
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
