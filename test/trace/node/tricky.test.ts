/** Recorded or not, a program does the same. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Recorded } from "../support.ts";
import { Programs } from "./rig.ts";
import { SYNTAX } from "./syntax.ts";
import { MODULE, SLOPPY, TRICKY } from "./tricky.ts";

const WAYS: Record<string, (programs: Programs, count: number) => Promise<Recorded>> = {
  "line by line": (programs) => programs.traced([]),
  "with calls of one function, and what it calls": (programs) =>
    programs.traced(["waits", "say", "e"], { depth: 9 }),
  "with a point on every line": (programs, count) => programs.points(everyLine(count)),
  "with both": (programs, count) =>
    programs.points(everyLine(count), {
      plan: { lines: { functions: [], under: [programs.folder], depth: 0 } },
    }),
};

const everyLine = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ at: at + 1, watch: ["this"] }));

const PROGRAMS: [string, string][] = [
  ["app.cjs", TRICKY],
  ["app.mjs", TRICKY],
  ["sloppy.cjs", SLOPPY],
  ["app.mjs", MODULE],
  ["crlf.cjs", TRICKY.replaceAll("\n", "\r\n")],
  ["syntax.cjs", SYNTAX],
];

const cases = PROGRAMS.flatMap(([name, text]) => Object.keys(WAYS).map((way) => ({ name, way, text })));

test.each(cases)("$name $way", { timeout: 60_000 }, async ({ name, way, text }) => {
  const programs = new Programs({ [name]: text });
  const plain = spawnSync(process.execPath, [programs.path()], { encoding: "utf8" });
  expect(plain.stdout).not.toBe("");
  const record = await WAYS[way]?.(programs, text.split("\n").length - 1);
  expect(record?.stdout).toBe(plain.stdout);
  expect(record?.end).toMatchObject({ how: "exited", exitCode: plain.status });
  // Not every program has all the functions that are asked for.
  expect(record?.notes.filter((note) => !note.startsWith("no call of "))).toEqual([]);
  expect(record?.hits.length).toBeGreaterThan(0);
});
