/**
 * An entry put into JSON, with comments or without: only its own text is written, all other text stays as it is. The library's
 * `modify` formats the member before it anew and gives that member's comment to the new one, so only its parser is used.
 */
import { isDeepStrictEqual } from "node:util";
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type Data, isData } from "../data.ts";
import type { Place } from "./clients.ts";
import type { Merged } from "./merged.ts";

const LENIENT = { allowTrailingComma: true };

export function intoJson({ under, entry }: Place, name: string, before: string): Merged {
  const errors: ParseError[] = [];
  const whole: unknown = parse(before, errors, LENIENT);
  const [error] = errors;
  if (error) {
    const line = before.slice(0, error.offset).split("\n").length;
    return { refused: `it is not valid JSON (${printParseErrorCode(error.error)}, line ${line})` };
  }
  const servers = isData(whole) ? (whole[under] ?? {}) : undefined;
  if (!isData(whole)) return { refused: "it is not an object" };
  if (!isData(servers)) return { refused: `its \`${under}\` is not an object` };
  const mine = isData(servers[name]) ? servers[name] : {};
  const wanted = { ...whole, [under]: { ...servers, [name]: { ...mine, ...entry } } };
  if (isDeepStrictEqual(whole, wanted)) return { text: before, changed: false };
  const text = written(before, [under, name], entry);
  // Of a key that is said twice the last one holds, and the first one is found.
  if (isDeepStrictEqual(parse(text, [], LENIENT), wanted)) return { text, changed: true };
  return { refused: `its \`${under}\` or \`${under}.${name}\` occurs more than once` };
}

/** What is there of the path already is added to. */
function written(text: string, path: string[], entry: Data): string {
  const node = nodeAt(text, path);
  if (node?.type !== "object") return put(text, path, entry);
  return Object.entries(entry).reduce((now, [key, value]) => put(now, [...path, key], value), text);
}

/** As the value there; what is missing above it is made. */
function put(text: string, path: string[], value: unknown): string {
  const node = nodeAt(text, path);
  if (node) {
    const there: unknown = parse(text.slice(node.offset, node.offset + node.length), [], LENIENT);
    if (isDeepStrictEqual(there, value)) return text;
    const put = valueText(value, styleOf(text), indentAt(text, node.offset));
    return text.slice(0, node.offset) + put + text.slice(node.offset + node.length);
  }
  const above = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const object = nodeAt(text, above);
  return object?.type === "object" ? added(text, object, key, value) : put(text, above, { [key]: value });
}

function nodeAt(text: string, path: string[]): Node | undefined {
  const tree = parseTree(text, [], LENIENT);
  return tree && findNodeAtLocation(tree, path);
}

interface Style {
  /** One more level; undefined if all is on one line. */
  unit: string | undefined;
  newline: string;
}

function styleOf(text: string): Style {
  const newline = /\r?\n/.exec(text.trim())?.[0];
  if (newline === undefined) return { unit: undefined, newline: "" };
  return { unit: /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ", newline };
}

function valueText(value: unknown, { unit, newline }: Style, indent: string): string {
  if (unit === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", newline + indent);
}

/** As the last of the object's members, after what is said of the one before it on that one's line. */
function added(text: string, object: Node, key: string, value: unknown): string {
  const style = styleOf(text);
  const last = object.children?.at(-1);
  const end = last ? last.offset + last.length : object.offset + 1;
  const close = object.offset + object.length - 1;
  const gap = text.slice(end, close);
  const sameLine = /^(?:[^\S\r\n]|,|\/\*.*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(gap)?.[0].trimEnd() ?? "";
  const comma = gap.replace(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, "").includes(",");
  const outer = indentAt(text, object.offset);
  const indent =
    last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + (style.unit ?? "");
  const member = `${JSON.stringify(key)}:${style.unit === undefined ? "" : " "}${valueText(value, style, indent)}`;
  const rest = gap.slice(sameLine.length);
  const broken = style.unit !== undefined && !/[\r\n]/.test(rest);
  return [
    text.slice(0, end),
    last && !comma ? "," : "",
    sameLine,
    style.unit === undefined ? "" : style.newline + indent,
    member,
    comma ? "," : "",
    broken ? style.newline + outer : rest,
    text.slice(close),
  ].join("");
}

/** What the line begins with on which this is. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function startsLine(text: string, offset: number): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset));
}
