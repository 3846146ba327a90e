/** A client's configuration with our entry in it, and everything else as it was. Pure. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { type Data, isData } from "../data.ts";
import type { Place } from "./clients.ts";

export const SERVER = "sonde";

/** `text`: the whole file; undefined if there is none yet. */
export type Merged = { text: string; changed: boolean } | { refused: string };

/** Our part alone, to be pasted. */
export function snippet({ format, under, entry }: Place): string {
  if (format === "toml") return tomlBlock(under, entry);
  return `${JSON.stringify({ [under]: { [SERVER]: entry } }, null, 2)}\n`;
}

export function merged(place: Place, before: string | undefined): Merged {
  const empty = before === undefined || before.trim() === "";
  if (place.format === "toml")
    return empty ? { text: snippet(place), changed: true } : intoToml(place, before);
  if (empty) return { text: json({ ...place.head, ...placed(place, {}, {}) }, "  "), changed: true };
  return intoJson(place, before);
}

function intoJson(place: Place, before: string): Merged {
  let whole: unknown;
  try {
    whole = JSON.parse(before);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { refused: `it is not plain JSON (${why}), and its comments would be lost` };
  }
  const servers = isData(whole) ? (whole[place.under] ?? {}) : undefined;
  if (!isData(whole) || !isData(servers)) return { refused: `its \`${place.under}\` is no object` };
  // A file that says a key twice, or a number longer than a double, is one that writing it anew would change.
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? "";
  if (!sameText(before, whole)) return { refused: "writing it anew would change more than this entry" };
  const after = { ...whole, ...placed(place, servers, isData(servers[SERVER]) ? servers[SERVER] : {}) };
  if (isDeepStrictEqual(after, whole)) return { text: before, changed: false };
  return { text: json(after, indent || "  "), changed: true };
}

/** Whether the text says nothing that its value does not. */
function sameText(text: string, value: unknown): boolean {
  const bare = (json: string) =>
    json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? '""' : ""));
  return bare(text) === bare(JSON.stringify(value));
}

function placed({ under, entry }: Place, servers: Data, mine: Data): Data {
  return { [under]: { ...servers, [SERVER]: { ...mine, ...entry } } };
}

function json(value: unknown, indent: string): string {
  return `${JSON.stringify(value, null, indent)}\n`;
}

function tomlBlock(under: string, entry: Data): string {
  return `[${under}.${SERVER}]\n${stringify(entry)}`;
}

/** By lines, so that comments and order stay; the result is read again and must differ in our entry only. */
function intoToml({ under, entry }: Place, before: string): Merged {
  const old = readToml(before);
  if (!old) return { refused: "it is not valid TOML" };
  const servers = old[under] ?? {};
  if (!isData(servers)) return { refused: `its \`${under}\` is no table` };
  const mine = servers[SERVER];
  const wanted = { ...old, [under]: { ...servers, [SERVER]: { ...(isData(mine) ? mine : {}), ...entry } } };
  if (isDeepStrictEqual(plain(old), plain(wanted))) return { text: before, changed: false };
  const text =
    mine === undefined
      ? `${before.replace(/\n*$/, "\n\n")}${tomlBlock(under, entry)}`
      : rewritten(before, under, entry);
  const now = readToml(text);
  if (now && isDeepStrictEqual(plain(now), plain(wanted))) return { text, changed: true };
  return { refused: `its \`${under}\` is written in a way that cannot be added to line by line` };
}

/** The lines of our table that say what we know better. */
function rewritten(before: string, under: string, entry: Data): string {
  const header = new RegExp(`^\\s*\\[\\s*${under}\\s*\\.\\s*"?${SERVER}"?\\s*\\]`);
  let inside = false;
  return before
    .split("\n")
    .map((line) => {
      if (/^\s*\[/.test(line)) inside = header.test(line);
      const key = /^\s*(\w+)\s*=/.exec(line)?.[1];
      return inside && key !== undefined && key in entry ? stringify({ [key]: entry[key] }).trimEnd() : line;
    })
    .join("\n");
}

function readToml(text: string): Data | undefined {
  try {
    return parse(text);
  } catch {
    return undefined; // told to the caller, who refuses
  }
}

/** Tables without their prototype, dates as text: only what they say is compared. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one)),
  );
}
