/** What a recording says of each line, against what the program itself logged: on functions nobody wrote. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { LineEvent } from "../../../src/trace/record.ts";
import { generated } from "./generated.ts";
import { Programs } from "./rig.ts";

type Effect = [line: number, name: string, value: number];

/** The last value of the head of a loop that ends is nobody's; the keys of an object are made before they are bound. */
const isHead = (name: string) => /^[ik]/.test(name);

/** Each change, with the line that ran before it was told. */
function recordedBy(events: readonly LineEvent[]): Map<number, number> {
  const found = new Map<number, number>();
  let line = 0;
  for (const event of events) {
    for (const [, text] of event.changes) {
      const value = Number(text.replace(/\D/g, ""));
      if (value > 0) found.set(value, line);
    }
    if (event.kind === "line") line = event.line;
  }
  return found;
}

function faults(events: readonly LineEvent[], effects: readonly Effect[]): string[] {
  const found: string[] = [];
  const recorded = recordedBy(events);
  const truth = new Map(effects.map((one) => [one[2], one]));
  for (const [value, line] of recorded) {
    const [at, name] = truth.get(value) ?? [0, "?"];
    if (at !== line) found.push(`${name} = ${value} was set by line ${at}, and is told of line ${line}`);
  }
  for (const [at, [line, name, value]] of effects.entries()) {
    const rest = effects.slice(at + 1);
    const end = rest.findIndex((one) => one[0] !== line);
    const isLast = !(end < 0 ? rest : rest.slice(0, end)).some((one) => one[1] === name);
    if (name !== "" && isLast && !isHead(name) && !recorded.has(value))
      found.push(`${name} = ${value}, set by line ${line}, is not told`);
  }
  const times = new Map<number, number>();
  for (const { kind, line } of events) if (kind === "line") times.set(line, (times.get(line) ?? 0) + 1);
  for (const [line, count] of times) {
    const most = effects.filter((one) => one[0] === line).length;
    if (most > 0 && count > most)
      found.push(`line ${line} is told ${count} times, and did only ${most} things`);
  }
  return found;
}

test.each([1, 2, 3, 4, 5, 6])("functions of random statements, seed %i", async (seed) => {
  const { text, functions, source } = generated(seed, 60);
  const programs = new Programs({ "app.cjs": text });
  const plain = execFileSync(process.execPath, [programs.path()], { encoding: "utf8" });
  const { hits, stdout, notes } = await programs.traced(functions);
  expect(notes).toEqual([]);
  expect(stdout).toBe(plain);
  const truth: Record<string, Effect[]> = JSON.parse(plain);
  const wrong = functions.flatMap((name) => {
    const events = hits.flatMap((one) => (one.kind !== "point" && one.function === name ? [one] : []));
    const found = faults(events, truth[name] ?? []);
    return found.length === 0 ? [] : [`${source(name)}\n${found.join("\n")}`];
  });
  expect(wrong.sort((one, other) => one.length - other.length).slice(0, 3)).toEqual([]);
});
