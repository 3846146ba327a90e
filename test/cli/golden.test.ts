/** What a reader sees, word for word. A change here is a change to the product: read the diff as a model would. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { expectGolden } from "../support/golden.ts";
import { borrowSonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

interface Scenario {
  /** Below test/fixtures. */
  fixtures: string[];
  /** Written into the project, by name. */
  files?: Record<string, string>;
  commands: string[];
}

const SCENARIOS: Record<string, Scenario> = {
  "first-stop": {
    fixtures: ["js/stats.js"],
    commands: [
      "start stats.js --break {stats.js@mean-add}",
      "next",
      "continue --remove-break 1",
      "continue",
      "stop",
      "continue",
    ],
  },
  "where-breakpoints-go": {
    fixtures: ["js/stats.js"],
    commands: [
      "start stats.js --break stats.js:9",
      "start stats.js --break stats.js:99",
      "start stats.js --break stat.js:3",
      "start nothing.js",
      "break stats.js:99",
      "break {stats.js@mean-add} --condition 'v >'",
      "break stats.js --text 'return total'",
      "breakpoint list",
      "breakpoint disable 3",
      "breakpoint list",
      "breakpoint remove 7",
      "breakpoint remove --all",
      "continue",
    ],
  },
  "never-hit": {
    fixtures: ["js/stats.js"],
    commands: ["start stats.js --break '{stats.js@mean-add} if v > 100'"],
  },
  conditions: {
    fixtures: ["js/loop.js"],
    commands: [
      "start loop.js --break '{loop.js@loop-add} if i == 7' --break {loop.js@after}",
      "break {loop.js@loop-first} --log 'i={i} sum={sum} {nonsense}'",
      "continue",
      "restart",
      "output --tail 4",
    ],
  },
  "hit-count": {
    fixtures: ["js/loop.js"],
    commands: [
      "start loop.js --break {loop.js@before}",
      "break {loop.js@loop-add} --hit-count 5",
      "continue",
      "continue",
    ],
  },
  functions: {
    fixtures: ["js/calls.js"],
    commands: ["start calls.js --function-break leaf", "finish", "continue"],
  },
  stepping: {
    fixtures: ["js/calls.js"],
    commands: [
      "start calls.js --stop-on-entry",
      "break -f main",
      "continue",
      "do 'next; step; backtrace'",
      "up",
      "down",
      "finish",
    ],
  },
  values: {
    fixtures: ["js/values.js"],
    commands: [
      "start values.js --break {values.js@look}",
      "locals",
      "print list",
      "print list.length --format hex",
      "print 'list.push(1)'",
      "print nothingHere",
      "scopes",
      "variables @v999",
    ],
  },
  "set-and-eval": {
    fixtures: ["js/stats.js"],
    commands: [
      "start stats.js --break {stats.js@mean-return}",
      "set total 100",
      "print total",
      "eval 'total = total / 2'",
      "continue",
    ],
  },
  uncaught: { fixtures: ["js/uncaught.js"], commands: ["start uncaught.js", "backtrace --locals"] },
  rejection: { fixtures: ["js/rejection.js"], commands: ["start rejection.js", "catch list"] },
  caught: { fixtures: ["js/caught.js"], commands: ["start caught.js --catch all", "continue --timeout 20"] },
  worker: {
    // One worker: of two that start together, either may be the first to be announced and so get the lower number.
    fixtures: ["js/worker.js"],
    files: {
      "main.js": `const { Worker } = require("node:worker_threads");
new Worker("./worker.js", { name: "alpha", workerData: { name: "alpha", number: 3 } })
  .on("message", (answer) => console.log("answer", answer));
`,
    },
    commands: ["start main.js --break '{worker.js@work-first} if number == 3'", "next", "continue"],
  },
  child: {
    fixtures: ["js/children.js", "js/child.js"],
    commands: ["start children.js --break {child.js@child-first}", "threads", "next", "continue"],
  },
  esm: {
    fixtures: ["js/esm"],
    commands: ["start esm/app.mjs --break {esm/app.mjs@main-call}", "step", "continue"],
  },
  typescript: {
    fixtures: ["js/ts"],
    commands: ["start ts/app.ts --break {ts/app.ts@mean-add}", "next", "continue --remove-break 1"],
  },
  "exit-code": {
    fixtures: ["js/exit-code.js"],
    commands: ["start exit-code.js", "output --category stderr", "restart"],
  },
  stdin: {
    fixtures: ["js/stdin.js"],
    commands: ["start stdin.js --no-wait", "input 4", "input 5 --eof", "await --timeout 20"],
  },
  unsupported: {
    fixtures: ["js/stats.js"],
    commands: [
      "start stats.js --break {stats.js@mean-add}",
      "memory read 0x1000",
      "registers",
      "disassemble",
      "watch total",
      "modules",
      "break --address 0x10",
      "stop",
    ],
  },
  mistakes: {
    fixtures: ["js/stats.js"],
    commands: [
      "contineu",
      "next",
      "breakpoint",
      "start",
      "start stats.js extra",
      "start stats.js --braek stats.js:3",
      "next --count many",
      "start stats.js --break stats",
      "print",
    ],
  },
};

describe("transcripts", () => {
  test.each(Object.entries(SCENARIOS))("%s", async (name, { fixtures, files = {}, commands }) => {
    const sonde = borrowSonde();
    for (const fixture of fixtures) sonde.fixture(fixture);
    for (const [file, text] of Object.entries(files)) sonde.write(file, text);
    symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(sonde.project, "node_modules"));
    expectGolden(name, await transcript(sonde, commands));
  });
});

test("a stop in a small function fits in 900 bytes", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stats.js");
  const text = await transcript(sonde, ["start stats.js --break {stats.js@mean-add}"]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900);
});
