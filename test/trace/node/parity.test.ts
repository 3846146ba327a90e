/** The same plan by rewriting and by stops: the same record. What cannot be the same is listed, with the reason. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Recorded } from "../support.ts";
import { Programs } from "./rig.ts";
import { SYNTAX } from "./syntax.ts";

const source = SYNTAX.split("\n").slice(0, -1);

/** Lines where V8 stops differently from what a rewritten program can tell. */
const UNEQUAL: Record<string, string> = {
  "  for (const k in { a: 1 }) x += k.length;": "V8 stops once more, when the names are used up",
  "  for await (const part of got) {": "V8 stops once more, when the values are used up",
  "  peek = (other) => #secret in other;\n}": "V8 stops at the end of a class when its fields have been made",
};

/** A line without code of its own binds to the next: it differs where that does. */
function isUnequal(line: number): boolean {
  const text = (at: number) => source[at - 1] ?? "";
  const next = line + 1;
  return [text(line), `${text(line - 1)}\n${text(line)}`, text(next)].some((one) => one in UNEQUAL);
}

function byLine(record: Recorded): string[] {
  return record.bindings.map((binding, at) => {
    const hits = record.points.filter(({ point }) => point === at);
    const where = binding.state === "bound" ? `bound ${binding.line}` : binding.state;
    const shown = hits.map(
      ({ values, frames: [top] }) => `${values.join(" ")} in ${top?.function}:${top?.line}`,
    );
    return `${at + 1} | ${source[at]} | ${where}, ${record.counts[at]} hits: ${shown.join(", ")}`;
  });
}

test("every line of a program with most of the language", { timeout: 240_000 }, async () => {
  const programs = new Programs({ "app.cjs": SYNTAX });
  const asked = source.map((_, at) => ({ at: at + 1, watch: ["x", "rate"] }));
  const options = { plan: { frames: 1 } };
  const ours = await programs.points(asked, options);
  const plain = await programs.points(asked, { ...options, collector: "stops" });
  const printed = execFileSync(process.execPath, [programs.path()], { encoding: "utf8" });
  expect(ours.stdout).toBe(printed);
  expect(plain.stdout).toBe(printed);
  expect(ours.notes).toEqual([]);
  const equal = (_: string, at: number) => !isUnequal(at + 1);
  expect(byLine(ours).filter(equal)).toEqual(byLine(plain).filter(equal));
});

const VALUES = `class Point { constructor(x) { this.x = x; this.self = this; } get twice() { return this.x * 2; } }
const values = {
  numbers: [0, -0, 1.5, NaN, 1e21, 12345678901234567890n],
  text: "a \\"quoted\\"\\nline \\u{1F600}", long: "x".repeat(2000),
  nothing: [null, undefined, true], symbol: Symbol("s"),
  point: new Point(1), bare: Object.create(null), nested: { a: { b: { c: { d: 1 } } } },
  map: new Map([["k", { v: 1 }]]), set: new Set([1, "two"]), date: new Date(0), regexp: /a+/gi,
  error: Object.assign(new TypeError("bad"), { code: "E" }), promise: Promise.resolve(1), bytes: new Uint8Array([1, 2]),
  proxy: new Proxy({}, {}), list: Array.from({ length: 300 }, (_, i) => i), holes: [1, , 3],
  functions: [function named(a, b) {}, async () => {}, class Thing {}, function* () {}], boxed: new Number(3),
};
function show(value) {
  return value; // @show
}
for (const value of Object.values(values)) show(value);
`;

test("values, and frames down to the runtime's own", { timeout: 60_000 }, async () => {
  const programs = new Programs({ "app.cjs": VALUES });
  const asked = [{ at: "show", watch: ["value", "value.x", "arguments.length", "nothere"] }];
  const options = { plan: { frames: 6, valueChars: 150 } };
  const strip = ({ points, bindings, counts }: Recorded) => ({
    bindings,
    counts,
    points: points.map(({ ms: _, ...rest }) => rest),
  });
  const ours = strip(await programs.points(asked, options));
  expect(ours.points.length).toBeGreaterThan(15);
  expect(ours).toEqual(strip(await programs.points(asked, { ...options, collector: "stops" })));
});

test("what runs from the event loop has the same frames that are still there", {
  timeout: 60_000,
}, async () => {
  const programs = new Programs({
    "app.mjs": `import { EventEmitter } from "node:events";
setTimeout(() => {
  console.log("timer"); // @timer
}, 1);
const emitter = new EventEmitter();
emitter.on("event", function heard() {
  console.log("event"); // @event
});
emitter.emit("event");
[1].map((one) => {
  return one; // @mapped
});
`,
  });
  const asked = ["timer", "event", "mapped"].map((at) => ({ at }));
  const options = { plan: { frames: 3 } };
  const shown = ({ points }: Recorded) => points.map(({ point, frames }) => [point, frames]);
  const ours = await programs.points(asked, options);
  expect(shown(ours)).toEqual(shown(await programs.points(asked, { ...options, collector: "stops" })));
  expect(ours.counts).toEqual([1, 1, 1]);
});
