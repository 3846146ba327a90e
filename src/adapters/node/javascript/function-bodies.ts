/**
 * Where functions lie in a text, and what V8 made of them. V8 makes nothing of a function that nothing can call (a declaration
 * nobody refers to, a function in dead code): to V8 its lines belong to whatever is around it, and a breakpoint there would
 * stop in code it was never meant for.
 */
import type { Function as AnyFunction, Node } from "acorn";
import { offsetOf } from "../debug/script-texts.ts";
import type { Point } from "../debug/source-map.ts";
import { blank, linesWithCode } from "./code-text.ts";
import { childrenOf, parsed } from "./parse.cjs";

interface FunctionText {
  start: number;
  end: number;
  body: { start: number; end: number };
}

/**
 * The line (0-based) that a breakpoint on this one means in a function V8 made nothing of: itself, if it holds any of its code.
 * undefined if V8 knows the function around the line: it has one of `places`, which are all V8 knows.
 */
export function unmadeLine(text: string, line: number, places: Point[]): number | undefined {
  const isUnmade = ({ body }: FunctionText) => {
    const [start, end] = [pointAt(text, body.start), pointAt(text, body.end)];
    return !places.some((place) => !isBefore(place, start) && !isBefore(end, place));
  };
  const around = functionsOf(text, line).find(isUnmade);
  if (around === undefined) return undefined;
  const { body } = around;
  const isBlock = text[body.start] === "{";
  const inside = isBlock ? { start: body.start + 1, end: body.end - 1 } : body;
  const lines = linesWithCode(blank(text.slice(0, inside.start)) + text.slice(inside.start, inside.end));
  return lines.find((one) => one >= line) ?? pointAt(text, around.end).line;
}

/** The innermost function whose code the line begins in, and the first that begins on it. */
function functionsOf(text: string, line: number): FunctionText[] {
  const [from, to] = [offsetOf(text, line, 0), offsetOf(text, line + 1, 0)];
  const first = from + text.slice(from, to).search(/\S|$/);
  const all = functionsIn(text);
  const around = all.findLast(({ body }) => body.start <= first && body.end > first);
  const begun = all.find(({ start }) => start >= first && start < to);
  return [around, begun].filter((one) => one !== undefined);
}

/** Whether V8 left the function it was asked to break in. */
export function hasStrayed(text: string, asked: Point, taken: Point): boolean {
  const [from, to] = [asked, taken].map(({ line, column }) => offsetOf(text, line, column));
  if (from === undefined || to === undefined) return false;
  // No function begins or ends without one of these: mostly there is no need to read the text.
  if (!/[{}]|=>/.test(text.slice(Math.min(from, to), Math.max(from, to)))) return false;
  return functionsIn(text).some(({ body }) => from < body.end && isIn(body, from) && !isIn(body, to));
}

/** Whether the place is in no function; false where the text is nothing we can read. */
export function isInModuleBody(text: string, { line, column }: Point): boolean {
  const offset = offsetOf(text, line, column);
  return parsed(text, "module") !== undefined && !functionsIn(text).some(({ body }) => isIn(body, offset));
}

const isBefore = (one: Point, other: Point): boolean =>
  one.line < other.line || (one.line === other.line && one.column < other.column);

function pointAt(text: string, offset: number): Point {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length - 1, column: offset - (before.lastIndexOf("\n") + 1) };
}

/** V8 can stop at the very end of a function: of one without braces, that is behind it. */
const isIn = ({ start, end }: FunctionText["body"], offset: number): boolean =>
  offset >= start && offset <= end;

/** All breakpoints of a file ask about the same text, one after the other. */
let latest: { text: string; functions: FunctionText[] } | undefined;

/** In the order they begin; none if the text is nothing we can read. */
function functionsIn(text: string): FunctionText[] {
  if (latest?.text === text) return latest.functions;
  const program = parsed(text, "script") ?? parsed(text, "module");
  const found: FunctionText[] = [];
  if (program !== undefined) collect(program, found);
  latest = { text, functions: found.sort((a, b) => a.start - b.start) };
  return latest.functions;
}

function collect(node: Node, found: FunctionText[]): void {
  if (isFunction(node)) {
    const { start, end, body } = node;
    found.push({ start, end, body: { start: body.start, end: body.end } });
  }
  for (const child of childrenOf(node)) collect(child, found);
}

const isFunction = (node: Node): node is AnyFunction =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
