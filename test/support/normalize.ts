/**
 * What differs between two runs of the same thing, under stable names, so that transcripts can be compared.
 * The first pid to occur is <pid1>, the next other one <pid2>: whether two are the same stays visible.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8")) as { version: string };

/** Each pattern's first group is the value; the rest of the match stays. */
const PATTERNS: [kind: string, pattern: RegExp][] = [
  ["uuid", /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/gi],
  ["date", /\b(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)/g],
  ["pid", /\b(?:pid|process|pids)"?[:=]? ?\(?(\d+)\b/gi],
  ["port", /(?:127\.0\.0\.1|localhost|\[::1\]):(\d{4,5})\b/g],
  ["port", /\bport"?[:=]? ?(\d{4,5})\b/gi],
  ["address", /\b(0x[0-9a-f]{6,16})\b/gi],
  ["build", /\bbuild"?[:=]? ?"?([0-9a-f]{12,})\b/gi],
];

/** `paths`: stable name → folder, longest first where one holds another. */
export function normalize(text: string, paths: Record<string, string> = {}): string {
  let result = text.replaceAll("\r\n", "\n");
  const folders = Object.entries({ ...paths, "<repo>": ROOT, "<node>": process.execPath });
  for (const [name, folder] of folders.sort(([, a], [, b]) => b.length - a.length)) {
    result = result.replaceAll(folder, name);
  }
  for (const [kind, pattern] of PATTERNS) result = nameValues(result, kind, pattern);
  return result
    .replaceAll(process.version, "v<node-version>")
    .replaceAll(new RegExp(`\\b${version.replaceAll(".", "\\.")}\\b`, "g"), "<version>")
    .replaceAll(/\b\d+(\.\d+)? ?(ms|µs|us)\b/g, "<time>")
    .replaceAll(/\b\d+\.\d+ ?s\b/g, "<time>");
}

function nameValues(text: string, kind: string, pattern: RegExp): string {
  const names = new Map<string, string>();
  return text.replaceAll(pattern, (match, value: string) => {
    const name = names.get(value) ?? `<${kind}${names.size + 1}>`;
    names.set(value, name);
    const at = match.lastIndexOf(value);
    return match.slice(0, at) + name + match.slice(at + value.length);
  });
}
