/** Programs of others, rewritten whole: each token and each construct of theirs is still there, with ours between them. */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { type Node, type Program, parse, type Token } from "acorn";
import { afterAll, describe, expect, test } from "vitest";

interface Edit {
  at: number;
  text: string;
}
interface Edits {
  sorted(): Edit[];
  apply(): string;
}
interface Place {
  put(edits: Edits, call: string): void;
}
type Tell = (message: unknown[]) => void;

const ROOT = resolve(import.meta.dirname, "../../..");
const RUNTIME = join(ROOT, "src/trace/collectors/node-source/runtime");
const load = createRequire(import.meta.url);
const { Edits } = load(join(RUNTIME, "edits.cjs")) as { Edits: new (text: string) => Edits };
const { placesIn } = load(join(RUNTIME, "places.cjs")) as {
  placesIn(program: Program, text: string, isValued: boolean): Place[];
};
const { endStatements, rewrite } = load(join(RUNTIME, "rewrite.cjs")) as {
  endStatements(edits: Edits, file: { program: Program; text: string }): void;
  rewrite(text: string, path: string, kind: string, plan: unknown, tell: Tell): string;
};

interface Parsed {
  program: Program;
  tokens: Token[];
}

type Original = Parsed & { kind: "script" | "module" };

function parsed(text: string): Original {
  try {
    return { ...parsedAs(text, "script"), kind: "script" };
  } catch {
    return { ...parsedAs(text, "module"), kind: "module" };
  }
}

function parsedAs(text: string, sourceType: "script" | "module"): Parsed {
  const tokens: Token[] = [];
  const program = parse(text, {
    ecmaVersion: "latest",
    sourceType,
    allowReturnOutsideFunction: sourceType === "script",
    allowHashBang: true,
    preserveParens: true,
    onToken: tokens,
  });
  return { program, tokens };
}

/** The edits of the text that was parsed last, as the rewriting applied them. */
function spied(run: () => string): { text: string; edits: Edit[] } {
  const { apply } = Edits.prototype;
  let edits: Edit[] = [];
  Edits.prototype.apply = function (this: Edits) {
    edits = this.sorted();
    return apply.call(this);
  };
  try {
    return { text: run(), edits };
  } finally {
    Edits.prototype.apply = apply;
  }
}

/** Where an offset has gone: before what was put there, and behind it. */
function shifts(edits: Edit[]): (offset: number) => { from: number; to: number } {
  const ends = edits.map(({ at }) => at);
  const sums = [0];
  for (const { text } of edits) sums.push((sums.at(-1) ?? 0) + text.length);
  const first = (offset: number) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (offset) => ({
    from: offset + (sums[first(offset)] ?? 0),
    to: offset + (sums[first(offset + 1)] ?? 0),
  });
}

/** Without recursion: what is deep would be handed up through every level above it. */
function nodesOf(root: Node): Node[] {
  const found = [root];
  for (const node of found)
    for (const value of Object.values(node) as unknown[])
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
        if (typeof one === "object" && one !== null && "type" in one && "start" in one)
          found.push(one as Node);
  return found;
}

/** A semicolon of ours further on, which a statement without one of its own takes for its end. */
const isOnlyEnd = (text: string) => /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*;$/.test(text);

/** What of the original is not in the rewritten text, or is something else there. */
function missing(text: string, original: Original, rewritten: { text: string; edits: Edit[] }): string[] {
  const { kind } = original;
  const shift = shifts(rewritten.edits);
  const after = parsedAs(rewritten.text, kind);
  const key = (start: number, end: number, label: string) => `${start} ${end} ${label}`;
  const tokens = new Set(after.tokens.map(({ start, end, type }) => key(start, end, type.label)));
  const lost = original.tokens.flatMap(({ start, end, type }) => {
    const isEmpty = start === end;
    const shifted = key(shift(start).to, isEmpty ? shift(end).to : shift(end).from, type.label);
    return tokens.has(shifted) ? [] : [`token ${text.slice(start, end)} at ${start}`];
  });
  const nodes = new Map<string, Node[]>();
  for (const node of nodesOf(after.program)) {
    const at = `${node.type} ${node.start}`;
    const same = nodes.get(at);
    if (same === undefined) nodes.set(at, [node]);
    else same.push(node);
  }
  for (const node of nodesOf(original.program)) {
    if (node.type === "Program" || node.type === "TemplateElement") continue;
    const [start, end] = [shift(node.start), shift(node.end)];
    let found = false;
    for (let at = start.from; at <= start.to && !found; at++)
      found = (nodes.get(`${node.type} ${at}`) ?? []).some(
        (one) =>
          one.end >= end.from && (one.end <= end.to || isOnlyEnd(rewritten.text.slice(end.to, one.end))),
      );
    if (!found) lost.push(`${node.type} ${text.slice(node.start, Math.min(node.end, node.start + 60))}`);
  }
  return lost;
}

const LINES = { functions: [], under: ["/corpus"], depth: 0 };

const WAYS: Record<string, (text: string, original: Parsed, kind: string) => string> = {
  "line by line": (text, _, kind) => recorded(text, kind, { points: [], lines: LINES }),
  "line by line, with a point on every line": (text, _, kind) => {
    const count = text.split("\n").length;
    const points = Array.from({ length: count }, (_, at) => ({
      key: `${at}`,
      path: "/corpus/file.js",
      line: at + 1,
      expressions: ["0"],
    }));
    return recorded(text, kind, { points, lines: LINES });
  },
  "with a call at every place": (text, { program }) => {
    const edits = new Edits(text);
    for (const place of placesIn(program, text, false)) place.put(edits, "__sonde$.p(0,1)");
    endStatements(edits, { program, text });
    return edits.apply();
  },
};

function recorded(text: string, kind: string, plan: object): string {
  const notes: unknown[] = [];
  const made = rewrite(text, "/corpus/file.js", kind, plan, (message) => {
    if (message[0] === "n") notes.push(message[1]);
  });
  expect(notes).toEqual([]);
  return made;
}

/** Without the comment that names its map: then its own lines count. */
const plainText = (path: string) =>
  readFileSync(path, "utf8").replace(/\/\/[#@] sourceMappingURL=\S+\s*$/, "");

function filesIn(folder: string): string[] {
  const whole = realpathSync(join(ROOT, "node_modules", folder));
  const all = readdirSync(whole, { recursive: true, encoding: "utf8" });
  return all.filter((one) => /\.[cm]?js$/.test(one)).map((one) => join(whole, one));
}

/** Written by hand, compiled, bundled and minified; with and without modules. */
const PACKAGES: [string, number][] = [
  ["acorn", 1],
  ["ajv", 4],
  ["zod", 3],
  ["smol-toml", 5],
  ["json5", 5],
  ["tsx", 5],
  ["ws", 4],
];

describe.each(PACKAGES)("%s", (folder, most) => {
  const all = filesIn(folder).sort();
  const step = Math.max(1, Math.ceil(all.length / most));
  const files = all.filter((_, at) => at % step === 0);
  const originals = new Map<string, Original>();
  afterAll(() => originals.clear());

  test.each(Object.keys(WAYS))("%s", { timeout: 120_000 }, (way) => {
    let edits = 0;
    for (const path of files) {
      const text = plainText(path);
      const original = originals.get(path) ?? parsed(text);
      originals.set(path, original);
      const made = spied(() => WAYS[way]?.(text, original, original.kind) ?? "");
      expect(missing(text, original, made), path).toEqual([]);
      edits += made.edits.length;
    }
    expect(edits).toBeGreaterThan(100);
  });
});
