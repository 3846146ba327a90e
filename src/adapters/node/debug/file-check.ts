/** Where a file that is not loaded yet can hold a breakpoint: V8 compiles a copy of it without running it. */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Protocol } from "devtools-protocol";
import { lastCodeLine, linesWithCode, moduleAsBody } from "../javascript/code-text.ts";
import { isModuleFile } from "../javascript/module-kind.ts";
import type { Cdp } from "../target.ts";
import { compile } from "./compile.ts";
import { CHECK_URL } from "./scripts.ts";
import type { Point } from "./source-map.ts";

export interface FileOutline {
  text: string;
  /** Lines (0-based) that can hold a breakpoint, in order. */
  lines: number[];
  /** The places on them; empty if guessed. */
  points: Point[];
  /** V8 said so; otherwise the lines were guessed from the text. */
  exact: boolean;
  /** Statements of the file's own body (of the function `from` is in); empty if guessed. */
  top: Point[];
  /** The text names a source map: it was generated. */
  mapped: boolean;
  /** Lines that are more than a blank or a comment. */
  code: Set<number>;
  /** No line after this one can hold a breakpoint, for certain. */
  last: number;
}

type TextOutline = Omit<FileOutline, "text" | "mapped" | "code" | "last">;

const PLAIN_JAVASCRIPT = new Set([".js", ".cjs", ".mjs"]);
const SIZE_LIMIT = 2_000_000;
const OPEN = "(async function (exports, require, module, __filename, __dirname) {";
const CLOSE = "\n})";
/**
 * V8 makes no code for a function that nothing refers to, but of those at the top of a module it makes all; here they are in a
 * function, where `eval` may refer to any. In strict code a block's functions are its own.
 */
const MODULE_OPEN = `"use strict";${OPEN}`;
const MODULE_CLOSE = "\n;eval()\n})";
const KEPT = 20;

/** What a file was found to be, per V8: a compiled copy stays there for good. */
const known = new WeakMap<Cdp, Map<string, { text: string; outline: Promise<FileOutline> }>>();

export const isJavaScript = (path: string): boolean =>
  PLAIN_JAVASCRIPT.has(extname(path)) || extname(path) === "";

export async function outlineFile(cdp: Cdp, path: string): Promise<FileOutline> {
  const text = await readFile(path, "utf8");
  const files = known.get(cdp) ?? new Map();
  known.set(cdp, files);
  const before = files.get(path);
  if (before?.text === text) return before.outline;
  const outline = outlineOf(cdp, path, text);
  if (files.size >= KEPT) files.clear();
  files.set(path, { text, outline });
  outline.catch(() => files.delete(path));
  return outline;
}

async function outlineOf(cdp: Cdp, path: string, text: string): Promise<FileOutline> {
  const mapped = /[#@]\s*sourceMappingURL=/.test(text);
  const isReadable = isJavaScript(path) && text.length < SIZE_LIMIT;
  const exact = isReadable ? await outlineText(cdp, text, undefined, isModuleFile(path)) : undefined;
  const guess = { lines: linesWithCode(text), points: [], exact: false, top: [] };
  return {
    ...(exact ?? guess),
    text,
    mapped,
    code: new Set(linesWithCode(text, /\S/)),
    last: Math.max(lastCodeLine(text), exact?.lines.at(-1) ?? -1),
  };
}

/** undefined if V8 does not take the text, as a script or as a module. */
export async function outlineText(
  cdp: Cdp,
  text: string,
  from: Point = { line: 0, column: 0 },
  isModule = false,
): Promise<TextOutline | undefined> {
  const body = text.startsWith("#!") ? `//${text.slice(2)}` : text;
  const asScript = { open: OPEN, body, close: CLOSE };
  const asModule = { open: MODULE_OPEN, body, close: MODULE_CLOSE };
  return (
    (await outline(cdp, isModule ? asModule : asScript, from)) ??
    (await outline(cdp, { ...asModule, body: moduleAsBody(body) }, from))
  );
}

interface Wrapped {
  open: string;
  body: string;
  close: string;
}

let checks = 0;

async function outline(
  cdp: Cdp,
  { open, body, close }: Wrapped,
  from: Point,
): Promise<TextOutline | undefined> {
  const { scriptId, exceptionDetails } = await compile(cdp, {
    expression: `${open}${body}${close}`,
    sourceURL: `${CHECK_URL}${++checks}`,
    persistScript: true,
  });
  if (scriptId === undefined || exceptionDetails !== undefined) return undefined;
  const start = { scriptId, lineNumber: 0, columnNumber: open.length };
  // V8 takes the function around a point; at the first character of the text that may be one the text begins with.
  const isStart = from.line === 0 && from.column === 0;
  const within = {
    scriptId,
    lineNumber: from.line,
    columnNumber: from.line > 0 ? from.column : from.column + open.length - (isStart ? 1 : 0),
  };
  const [all, top] = await Promise.all([
    cdp.send("Debugger.getPossibleBreakpoints", { start }),
    cdp.send("Debugger.getPossibleBreakpoints", { start: within, restrictToFunction: true }),
  ]);
  const lastLine = body.split("\n").length;
  const inFile = (locations: Protocol.Debugger.BreakLocation[]): Point[] =>
    locations
      .filter(({ lineNumber }) => lineNumber < lastLine)
      .map(({ lineNumber, columnNumber = 0 }) => ({
        line: lineNumber,
        column: lineNumber === 0 ? columnNumber - open.length : columnNumber,
      }));
  const points = inFile(all.locations);
  return {
    lines: [...new Set(points.map(({ line }) => line))].sort((a, b) => a - b),
    points,
    exact: true,
    top: inFile(top.locations),
  };
}
