/** Whether a request is the one that was recorded: to the byte, but for what changes from run to run, or not at all. */
import { line } from "../explain/fields.ts";
import { around, type JsonDifference, jsonDifferences, pathText } from "../explain/json-differences.ts";
import type { Volatile } from "./volatile.ts";

export type Grade =
  | { grade: "exact" }
  /** `kinds`: what was passed over: dates, ids … */
  | { grade: "minor"; kinds: string[] }
  | { grade: "major"; difference: Difference; more: number };

export interface Difference {
  /** `messages[3].content[0].text` */
  where: string;
  recorded: string;
  got: string;
}

const MOST_COUNTED = 1000;

/** Both as JSON text in which secrets are masked. */
export function compareRequests(recorded: string, got: string, volatile: Volatile): Grade {
  const [a, b] = [withoutMarks(recorded), withoutMarks(got)];
  if (a === b) return { grade: "exact" };
  const [before, after] = [parsed(a), parsed(b)];
  if (before === undefined || after === undefined) return noJson(a, b);
  const kinds = new Set<string>();
  let first: JsonDifference | undefined;
  let count = 0;
  const whole = (path: readonly (string | number)[]) => volatile.place(path) !== undefined;
  for (const difference of jsonDifferences(before, after, { whole })) {
    const passed = passes(difference, volatile);
    for (const kind of passed ?? []) kinds.add(kind);
    if (passed !== undefined) continue;
    first ??= difference;
    count += 1;
    if (count >= MOST_COUNTED) break;
  }
  if (first !== undefined) return { grade: "major", difference: described(first, volatile), more: count - 1 };
  // The same values in another order or form.
  return { grade: "minor", kinds: kinds.size === 0 ? ["form"] : [...kinds] };
}

/** The same secret has another mask in another session. */
function withoutMarks(text: string): string {
  return text.replace(/\[masked:([a-z-]{1,40}):[0-9a-f]{1,16}\]/g, "[masked:$1]");
}

function passes({ path, before, after }: JsonDifference, volatile: Volatile): string[] | undefined {
  const free = volatile.place(path);
  if (free !== undefined) return [free];
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const used: string[] = [];
  let [a, b] = [before, after];
  for (const { name, pattern } of volatile.texts) {
    if (a === b) break;
    const found = [a.match(pattern)?.join("\n"), b.match(pattern)?.join("\n")];
    a = a.replace(pattern, `<${name}>`);
    b = b.replace(pattern, `<${name}>`);
    if (found[0] !== found[1]) used.push(name);
  }
  return a === b ? used : undefined;
}

/** The words around the first thing that may not differ. */
function described({ path, before, after }: JsonDifference, { texts }: Volatile): Difference {
  const plain = (value: unknown) =>
    typeof value === "string"
      ? texts.reduce((text, { name, pattern }) => text.replace(pattern, `<${name}>`), value)
      : value;
  const both = typeof before === "string" && typeof after === "string";
  const sides = both ? around(plain(before), plain(after), 80) : around(before, after, 80);
  return {
    where: pathText(path) || "the request",
    recorded: line(sides.before, 100),
    got: line(sides.after, 100),
  };
}

function noJson(recorded: string, got: string): Grade {
  const sides = around(recorded, got, 80);
  const difference = { where: "the request", recorded: line(sides.before, 100), got: line(sides.after, 100) };
  return { grade: "major", difference, more: 0 };
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // compared as text then
  }
}
