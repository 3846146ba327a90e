/** A program that is recorded prints what it prints alone: its stacks to the column, its errors, its exit code. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { plainProgram } from "./plain-programs.ts";
import { Programs } from "./rig.ts";

const COUNT = Number(process.env.SONDE_PROGRAMS ?? 4);
const FIRST = Number(process.env.SONDE_FIRST_PROGRAM ?? 1);
/** A debugger has V8 run Node's own code in other ways: its frames may have other names and lines. */
const INTERNAL = /^ +at .*\bnode:internal\/.*\n/gm;

const DEBUGGED = Number(process.env.SONDE_PROGRAMS ?? 1);

function plainly(programs: Programs) {
  const { stdout, stderr, status } = spawnSync("node", [programs.main], {
    cwd: programs.folder,
    encoding: "utf8",
  });
  return { stdout, stderr, exitCode: status };
}

function points(lines: Record<string, number>) {
  return Object.entries(lines).flatMap(([file, count]) =>
    Array.from({ length: count }, (_, at) => ({ file, at: at + 1, watch: ["a"] })),
  );
}

test(`${COUNT} programs, at every line, and every call of them`, {
  timeout: 60_000 + COUNT * 10_000,
}, async () => {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const { files, lines } = plainProgram(seed);
    const programs = new Programs(files);
    const alone = plainly(programs);
    const records = {
      points: await programs.points(points(lines)),
      lines: await programs.traced(["f0"]),
    };
    for (const [how, { stdout, stderr, end }] of Object.entries(records))
      expect([seed, how, { stdout, stderr, exitCode: end.exitCode }]).toEqual([seed, how, alone]);
  }
});

test.each(["node-condition", "stops"])(
  `${DEBUGGED} programs by %s`,
  { timeout: 60_000 + DEBUGGED * 10_000 },
  async (collector) => {
    const own = (text: string) => text.replace(INTERNAL, "");
    for (let seed = 1; seed <= DEBUGGED; seed++) {
      const { files, lines } = plainProgram(seed + 1000);
      const programs = new Programs(files);
      const alone = plainly(programs);
      const { stdout, stderr, end } = await programs.points(points(lines).slice(3, 9), {
        collector,
      });
      expect([seed, { stdout: own(stdout), stderr: own(stderr), exitCode: end.exitCode }]).toEqual([
        seed,
        { ...alone, stdout: own(alone.stdout), stderr: own(alone.stderr) },
      ]);
    }
  },
);
