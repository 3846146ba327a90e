/** Questions about whole runs, by the library. */
import { describe, expect, test } from "vitest";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { createProject, run } from "./package.ts";

const SUM = `const input = require("node:fs").readFileSync(0, "utf8");
let sum = 0;
for (const word of input.trim().split(" ")) {
  sum += Number(word);
}
if (sum > 1000) {
  throw new RangeError("too much");
}
console.log(sum);
`;

function summing() {
  const sonde = createProject();
  sonde.write("sum.js", SUM);
  return sonde;
}

const FEEDBACK = `{
  cmd: ["node", "sum.js"],
  stdin: "3 4",
  watchpoints: [{ var: "sum", logLocation: "sum.js:4" }, { var: "nothing.here", log_location: "sum.js:4" }, { var: "sum", logLocation: "sum.js:7" }],
  monitorLocations: ["sum.js:4", "sum.js:9"],
}`;

describe("getRuntimeFeedback", () => {
  test("has values and backtraces by place, as the caller wrote it", async () => {
    const said = await run(
      summing(),
      `import { createSonde, getRuntimeFeedback } from "sonde";
      say(await getRuntimeFeedback(${FEEDBACK}));
      const sonde = createSonde({ mode: "daemon" });
      say(await sonde.getRuntimeFeedback(${FEEDBACK}));
      await sonde.close();`,
    );
    const expected = {
      watchpoints: {
        "sum.js:4": [
          { var: "sum", value: "0" },
          { var: "nothing.here", value: "<unavailable>" },
          { var: "sum", value: "3" },
          { var: "nothing.here", value: "<unavailable>" },
        ],
        "sum.js:7": [],
      },
      breakpoints: {
        "sum.js:4": Array(2).fill(expect.stringMatching(/^.+\(\).* @ sum\.js:4$/)),
        "sum.js:9": [expect.stringMatching(/^.+\(\).* @ sum\.js:9$/)],
        "sum.js:7": [],
      },
    };
    expect(said).toEqual([expected, expected]);
  });

  test("is the same as `sonde trace --feedback`", async () => {
    const sonde = summing();
    sonde.write("numbers", "3 4");
    const [said] = await run(
      sonde,
      `import { getRuntimeFeedback } from "sonde";
      say(await getRuntimeFeedback({ cmd: ["node", "sum.js"], stdin: { file: "numbers" }, watchpoints: [{ var: "sum", logLocation: "sum.js:4" }] }));`,
    );
    const printed = await sonde.text(
      "trace --feedback --at sum.js:4 --watch sum --stdin numbers --json -- node sum.js",
    );
    expect((JSON.parse(printed) as { data: { feedback: unknown } }).data.feedback).toEqual(said);
  });

  test.skipIf(compilerVersion("c") === undefined)("works for a C program that reads its input", async () => {
    const sonde = createProject();
    const folder = builtFolder("c");
    const said = await run(
      sonde,
      `import { getRuntimeFeedback } from "sonde";
      import { readFileSync } from "node:fs";
      const line = readFileSync("${folder}/loop_stdin.c", "utf8").split("\\n").findIndex((text) => text.includes("@marker body")) + 1;
      const at = "loop_stdin.c:" + line;
      const { watchpoints, breakpoints } = await getRuntimeFeedback({ cmd: ["./loop_stdin"], cwd: "${folder}", stdin: "5",
        watchpoints: [{ var: "acc", logLocation: at }], monitorLocations: [at] });
      say(watchpoints[at].map(({ value }) => value));
      say(breakpoints[at].map((text) => text.replace(at, "there")));`,
    );
    expect(said).toEqual([
      ["1", "1", "2", "6", "24"],
      Array(5).fill(expect.stringMatching(/^work_stdin\(\) -> main\(\).* @ there$/)),
    ]);
  });

  test("what is not whole is an error that carries what there is", async () => {
    const sonde = summing();
    sonde.write("forever.js", "let turns = 0;\nsetInterval(() => {\n  turns++;\n}, 10);\n");
    const said = await run(
      sonde,
      `import { getRuntimeFeedback } from "sonde";
      const failing = (options) => getRuntimeFeedback(options).then(() => undefined, (error) => error);
      const late = await failing({ cmd: ["node", "forever.js"], monitorLocations: ["forever.js:3"], timeouts: { total: 2 } });
      say([late.code, late.details.feedback.breakpoints["forever.js:3"].length > 0]);
      const many = await failing({ cmd: ["node", "sum.js"], stdin: "1 2 3 4 5 6", monitorLocations: ["sum.js:4"], maxHits: 2 });
      say([many.code, many.details.feedback.breakpoints["sum.js:4"].length]);
      const nowhere = await failing({ cmd: ["node", "sum.js"], stdin: "1", monitorLocations: ["sum.js:400"] });
      say(nowhere.code);
      const cancelled = await failing({ cmd: ["node", "forever.js"], monitorLocations: ["forever.js:3"], signal: AbortSignal.timeout(300) });
      say(cancelled.code);`,
    );
    expect(said).toEqual([["TIMEOUT", true], ["BAD_ARGUMENT", 2], "BAD_LOCATION", "CANCELLED"]);
  });
});

test("several at once do not get in each other's way", async () => {
  const said = await run(
    summing(),
    `import { createSonde, trace } from "sonde";
    const sonde = createSonde();
    const record = (by, stdin) => by({ command: ["node", "sum.js"], at: ["sum.js:4=sum"], stdin }).then(({ trace, hits }) => [trace.id, hits.map((hit) => hit.values[0])]);
    const all = await Promise.all([record(trace, "1 2"), record(trace, "3 4"), record((one) => sonde.trace(one), "5 6"), record((one) => sonde.trace(one), "7 8")]);
    say(new Set(all.map(([id]) => id)).size);
    say(all.map(([, values]) => values));
    await sonde.close();`,
  );
  expect(said).toEqual([
    4,
    [
      ["0", "1"],
      ["0", "3"],
      ["0", "5"],
      ["0", "7"],
    ],
  ]);
});

test("probe, trace, diff, crash and hang answer, and leave nothing", { timeout: 60_000 }, async () => {
  const sonde = summing();
  sonde.write("waits.js", "setInterval(() => {}, 1000);\n");
  const said = await run(
    sonde,
    `import { crash, diff, hang, probe, trace } from "sonde";
    const run = { command: ["node", "sum.js"] };
    const probed = await probe({ ...run, locations: ["sum.js:4"], hits: 2, eval: ["word"], stdin: "3 4" });
    say([probed.hit, probed.found.evaluations[0].value.value]);
    const traced = await trace({ ...run, at: ["sum.js:4=sum"], stdin: "1 2 3" });
    say(traced.hits.map((hit) => hit.values[0]));
    const differing = await diff({ ...run, at: ["sum.js:4=word"], stdinA: "1 2 3", stdinB: "1 5 3" });
    say(differing.first.differing);
    const quoted = await diff({ a: ["node", "-e", "let a = 'x y'; a += 1;"], b: ["node", "sum.js"], at: ["sum.js:4=word"], stdinB: "1" });
    say(quoted.b.seen);
    const crashed = await crash({ ...run, stdin: "2000" });
    say([crashed.crashed, crashed.death.exception.type, crashed.death.frame.line]);
    const hung = await hang({ command: ["node", "waits.js"], after: 0.5, samples: 2, interval: 0.1 });
    say(["idle", "waiting"].includes(hung.verdict));`,
  );
  expect(said).toEqual([
    [2, '"4"'],
    ["0", "1", "3"],
    [{ name: "word", a: '"2"', b: '"5"' }],
    1,
    [true, "RangeError", 7],
    true,
  ]);
});
