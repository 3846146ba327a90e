/** An entry put into TOML by its lines, so that comments and order stay; the result is read again and must differ in our entry only. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { type Data, isData } from "../data.ts";
import type { Place } from "./clients.ts";
import type { Merged } from "./merged.ts";

export function tomlBlock(under: string, name: string, entry: Data): string {
  return `[${under}.${name}]\n${stringify(entry)}`;
}

export function intoToml(place: Place, name: string, before: string): Merged {
  // Lines that end in one way go on doing so.
  if (!/\r\n/.test(before) || /[^\r]\n/.test(before)) return intoLines(place, name, before);
  const result = intoLines(place, name, before.replaceAll("\r\n", "\n"));
  return "text" in result ? { ...result, text: result.text.replaceAll("\n", "\r\n") } : result;
}

function intoLines({ under, entry }: Place, name: string, before: string): Merged {
  const old = readToml(before);
  if (!old) return { refused: "it is not valid TOML" };
  const servers = old[under] ?? {};
  if (!isData(servers)) return { refused: `its \`${under}\` is not a table` };
  const mine = servers[name];
  const known = isData(mine) ? mine : {};
  const wanted = { ...old, [under]: { ...servers, [name]: { ...known, ...entry } } };
  if (same(old, wanted)) return { text: before, changed: false };
  if (mine === undefined) {
    const text = `${before.replace(/\n*$/, "\n\n")}${tomlBlock(under, name, entry)}`;
    return checked(text, wanted, under);
  }
  const changes = Object.entries(entry).filter(([key, value]) => !same(known[key], value));
  const lines = before.split("\n");
  const header = new RegExp(`^\\s*\\[\\s*${under}\\s*\\.\\s*"?${name}"?\\s*\\]`);
  const start = lines.findIndex((line) => header.test(line));
  if (start === -1) return { refused: `its \`${under}.${name}\` has no table of its own` };
  for (const [key, value] of changes) {
    const refused = setKey(lines, start, key, stringify({ [key]: value }).trimEnd());
    if (refused) return refused;
  }
  return checked(lines.join("\n"), wanted, under);
}

function checked(text: string, wanted: Data, under: string): Merged {
  const now = readToml(text);
  if (now && same(now, wanted)) return { text, changed: true };
  return { refused: `its \`${under}\` is written in a way that cannot be added to line by line` };
}

/** In the table whose header is the line `start`. Gives why not, if not. */
function setKey(lines: string[], start: number, key: string, text: string): Merged | undefined {
  const place = findKey(lines, start, key);
  if (!place) {
    lines.splice(start + 1, 0, text);
    return undefined;
  }
  const { from, to } = place;
  const old = lines.slice(from, to + 1).join("\n");
  const comments = commentsIn(old);
  if (comments.some((one) => one.includes("\n")))
    return {
      refused: `its \`${key}\` has comments inside, which would be lost`,
      by: `replace its lines ${from + 1} to ${to + 1} yourself by:\n${text}\n`,
    };
  lines.splice(from, to - from + 1, `${text}${comments[0] === undefined ? "" : ` ${comments[0]}`}`);
  return undefined;
}

/** The lines of a key and its value, which may take several. */
function findKey(
  lines: readonly string[],
  start: number,
  key: string,
): { from: number; to: number } | undefined {
  for (let from = start + 1; from < lines.length; from++) {
    const line = lines[from] ?? "";
    if (/^\s*\[/.test(line)) return undefined;
    const name = /^\s*"?([\w-]+)"?\s*[.=]/.exec(line)?.[1];
    if (name === undefined) continue;
    const to = valueEnd(lines, from);
    if (name === key) return { from, to };
    from = to;
  }
  return undefined;
}

/** A value is whole as soon as it can be read. */
function valueEnd(lines: readonly string[], from: number): number {
  for (let to = from; to < lines.length; to++) if (readToml(lines.slice(from, to + 1).join("\n"))) return to;
  return from;
}

/** Each with all that follows it: a `#` is a comment's if nothing is lost without the rest of its line. */
function commentsIn(text: string): string[] {
  const value = readToml(text);
  return [...text.matchAll(/#/g)].flatMap(({ index }) => {
    const without = readToml(text.slice(0, index) + text.slice(index).replace(/^.*/, ""));
    return without && same(without, value) ? [text.slice(index)] : [];
  });
}

function readToml(text: string): Data | undefined {
  try {
    return parse(text);
  } catch {
    return undefined; // told to the caller, who refuses
  }
}

function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Tables without their prototype, dates as text: only what they say is compared. */
function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)),
  );
}
