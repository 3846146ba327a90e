/**
 * Where to go from a trace. From calls: to the user's functions that they called and that are not recorded yet, on the line nearest
 * to the result or the error. From a place: to the function it stands in, or where that is tiny to its caller; from a module's own
 * code, to what made its values.
 */
import { isAbsolute, relative } from "node:path";
import type { Call } from "../../advice/advice.ts";
import { fileLines } from "../../session/stack/source.ts";
import { type Calling, callsAt, callsFor, languageOf } from "../../trace/callees.ts";
import { nameParts } from "../../trace/function-name.ts";
import type { LineEvent, PointHit, TraceFrame, TraceRecord } from "../../trace/record.ts";
import type { Met } from "../../trace/trace.ts";
import { shortPath } from "../answers/text.ts";
import { traceCall } from "../runs/one-run.ts";
import type { Running } from "../runs/running.ts";
import { definedIn, sourceFiles } from "../test/next.ts";
import { boundArgs, type Planning } from "./arguments.ts";

/** More than a line's own calls is more than an answer holds. */
const MOST_FUNCTIONS = 3;

export interface Asking {
  running: Running & Planning;
  /** What was run where no command line was given. */
  program: string | undefined;
  /** The caller's folder: only code below it is recorded by function. */
  cwd: string;
}

/** `sonde trace --function merge -- python3 app.py` */
export async function nextTrace(
  record: TraceRecord,
  met: Met,
  { running, program, cwd }: Asking,
): Promise<Call | undefined> {
  const functions =
    record.plan.lines === undefined ? await around(record, cwd) : await into(record, met, cwd);
  const args = running.args?.length ? running.args : program === undefined ? [] : [shortPath(program, cwd)];
  if (functions.length === 0 || args.length === 0) return undefined;
  const asked = functions.slice(0, MOST_FUNCTIONS);
  return traceCall({ ...running, args }, { function: asked, ...boundArgs(running) });
}

/** What ran of a function, over all its calls. */
interface Ran {
  path: string;
  lines: Set<number>;
  /** The last line of its last call; of one that threw, if there is such. */
  end: number;
  threw: boolean;
}

/** The calls of the nearest statement that has any. */
async function into({ hits, plan }: TraceRecord, met: Met, cwd: string): Promise<string[]> {
  const events = hits.filter((hit): hit is LineEvent => hit.kind !== "point");
  const recorded = events.flatMap((event) => (event.kind === "call" ? [event.function] : []));
  const known = new Set([...recorded, ...(plan.lines?.functions ?? [])].map(lastPart));
  for (const { path, lines, end } of ranIn(events)) {
    const source = fileLines(path) ?? [];
    const later = [...lines].sort((a, b) => b - a);
    const statements = [...callsFor(source, end), ...later.map((line) => callsAt(source, line))]
      .filter(({ first, last }) => later.some((line) => line >= first && line <= last))
      .map(({ names }) => names.filter((name) => !known.has(name)));
    const found = firstOf(statements, await names(statements.flat(), path, met, cwd));
    if (found.length > 0) return found;
  }
  return [];
}

/** Those that threw first, then the latest first: what is called lies deeper. */
function ranIn(events: readonly LineEvent[]): Ran[] {
  const all = new Map<string, Ran>();
  const at = new Map<number, number>();
  for (const { kind, call, function: name, path, line } of events) {
    const key = `${path}\0${name}`;
    const ran = all.get(key) ?? { path, lines: new Set(), end: line, threw: false };
    if (kind === "call") all.delete(key);
    all.set(key, ran);
    if (kind === "line") {
      ran.lines.add(line);
      at.set(call, line);
    } else if (kind === "throw" || (kind === "return" && !ran.threw)) {
      ran.end = (kind === "throw" && line > 0 ? line : at.get(call)) ?? ran.end;
      ran.threw ||= kind === "throw";
    }
  }
  const latest = [...all.values()].reverse();
  return [...latest.filter(({ threw }) => threw), ...latest.filter(({ threw }) => !threw)];
}

async function around({ hits, plan }: TraceRecord, cwd: string): Promise<string[]> {
  const last = hits.findLast((hit): hit is PointHit => hit.kind === "point");
  const point = plan.points[last?.point ?? -1];
  if (last === undefined || point === undefined) return [];
  const own = last.frames.filter((one) => isBelow(one.path, cwd) && isNamed(one.function));
  const frame = own.find((one) => !isTiny(one));
  if (own.length > 0) return frame === undefined ? [] : [shortName(frame.function)];
  const statements = callsFor(fileLines(point.path) ?? [], point.line).map(namesOf);
  return firstOf(statements, await names(statements.flat(), point.path, undefined, cwd));
}

/** Line by line, so few lines tell no more than the place did. */
const TINY_LINES = 2;
/** Lines of a function's head, and from there to a place in it, that are looked through. */
const HEAD_LINES = 6;
const SEARCHED_LINES = 12;

/** Whether this function's body is a line or two, by its text. One that is not understood is not. */
function isTiny({ function: name, path = "", line }: TraceFrame): boolean {
  const source = fileLines(path) ?? [];
  const language = languageOf(path);
  const own = lastPart(shortName(name));
  const defines = (at: number) =>
    language?.defined(own, source.slice(at, Math.min(at + HEAD_LINES, line)).join("\n")) !== undefined;
  let head = line - 1;
  while (head >= 0 && line - head <= SEARCHED_LINES && !defines(head)) head--;
  if (head < 0 || !defines(head)) return false;
  const indent = indentOf(source[head]);
  const after = source.slice(head + 1);
  const end = after.findIndex((text) => isCode(text) && indentOf(text) <= indent);
  const body = after.slice(0, end < 0 ? after.length : end);
  // A place outside of what looks like the body: it was not understood.
  return line <= head + 1 + body.length && body.filter(isCode).length <= TINY_LINES;
}

function indentOf(text = ""): number {
  return text.search(/\S|$/);
}

/** Not empty, a comment, or the bracket that a body begins with. */
function isCode(text: string): boolean {
  return !/^\s*($|#|\/[/*]|\*[\s/]|"""|\{\s*$)/.test(text);
}

const namesOf = ({ names }: Calling) => names;

function firstOf(statements: readonly string[][], defined: ReadonlyMap<string, string>): string[] {
  const found = statements.find((names) => names.some((name) => defined.has(name))) ?? [];
  return found.flatMap((name) => defined.get(name) ?? []);
}

/** Those of these that are the user's, as they are asked for: by what the run itself told, else by what the sources define. */
async function names(
  called: readonly string[],
  path: string,
  met: Met | undefined,
  cwd: string,
): Promise<Map<string, string>> {
  if (met !== undefined && met.called.size + met.declared.size > 0)
    return new Map(
      called.flatMap((name): [string, string][] => {
        const told = toldAs(name, met);
        return told === undefined ? [] : [[name, told]];
      }),
    );
  const language = called.length === 0 ? undefined : languageOf(path);
  return language ? definedIn(called, [path, ...(await sourceFiles(cwd, language))], language) : new Map();
}

const MAKERS = ["__init__", "constructor"];

/** A class that is called is its constructor. */
function toldAs(name: string, { called, declared }: Met): string | undefined {
  const told = [...(called.size > 0 ? called : declared)];
  const maker = told.find((one) => {
    const [own = "", owner] = nameParts(one).reverse();
    return owner === name && MAKERS.includes(own);
  });
  if (maker !== undefined) return maker;
  // Of a class that runs, its body is told of under its own name, by those who tell what is called.
  if (called.size > 0 && /^\p{Lu}/u.test(name)) return undefined;
  const same = told.filter((one) => lastPart(one) === name);
  return same.length > 1 ? name : same[0];
}

function lastPart(name: string): string {
  return nameParts(name).at(-1) ?? name;
}

export function isBelow(path: string | undefined, folder: string): boolean {
  if (path === undefined || !isAbsolute(path)) return false;
  const near = relative(folder, path);
  return !near.startsWith("..") && !isAbsolute(near);
}

/** Not `<module>`, `<lambda>`, `(anonymous)`, `Object.<anonymous>`, `main.func1`. */
export function isNamed(name: string): boolean {
  return /^[\p{L}_$#][\p{L}\p{N}_$]*$/u.test(lastPart(name)) && !/<\w+>|anonymous|\bfunc\d+$|\{/.test(name);
}

/** `async report`, `new Cart`: what it is called by. */
function shortName(name: string): string {
  return name.replace(/^(?:async |new )+/, "");
}
