/** A program that prints a gigabyte, in four languages: not held up, in bounded memory, and no byte lost without a word. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { MoveResult } from "../../../src/commands/answers/shapes.ts";
import { builtOnce } from "../../support/builds.ts";
import { createSonde } from "../../support/sonde.ts";
import { isWhole, row } from "./tally.ts";

/** All print numbered lines of 64 bytes, as many bytes as they are told to, and exit with 7. */
const NODE = `const { writeSync } = require("node:fs");
const bytes = Number(process.argv[2]);
const rest = "x".repeat(50) + "\\n";
for (let n = 0; n * 64 < bytes; ) {
  let chunk = "";
  for (let m = 0; m < 1024 && n * 64 < bytes; m++) chunk += String(n++).padStart(12, "0") + " " + rest;
  for (let left = Buffer.from(chunk); left.length > 0; ) {
    try { left = left.subarray(writeSync(1, left)); } catch (error) { if (error.code !== "EAGAIN") throw error; }
  }
}
process.exitCode = 7;
`;
const PYTHON = `import sys

lines = int(sys.argv[1]) // 64
line = ("{:012d} " + "x" * 50 + "\\n").format
for first in range(0, lines, 1024):
    sys.stdout.write("".join(map(line, range(first, min(first + 1024, lines)))))
sys.stdout.flush()
sys.exit(7)
`;
const C = `#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  (void)count;
  long lines = atol(words[1]) / 64;
  for (long n = 0; n < lines; n++) printf("%012ld xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n", n);
  return 7;
}
`;
const GO = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	bytes, _ := strconv.Atoi(os.Args[1])
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	rest := " " + strings.Repeat("x", 50) + "\\n"
	for n := 0; n < bytes/64; n++ {
		fmt.Fprintf(out, "%012d%s", n, rest)
	}
	out.Flush()
	os.Exit(7)
}
`;

const FLOODS = [
  {
    title: "Node (built in)",
    folder: () => builtOnce("flood.js", NODE, ["true", "flood.js"]),
    program: "flood.js",
    short: 0,
  },
  {
    title: "Python (debugpy)",
    folder: () => builtOnce("flood.py", PYTHON, ["true", "flood.py"]),
    program: "flood.py",
    short: 1,
  },
  {
    title: "C (lldb-dap)",
    folder: () => builtOnce("flood.c", C, ["gcc", "-g", "-o", "flood", "flood.c"]),
    program: "./flood",
    short: 1,
  },
  {
    title: "Go (delve)",
    folder: () => builtOnce("flood.go", GO, ["go", "build", "-o", "flood", "flood.go"]),
    program: "./flood",
    short: 0,
  },
];
const BYTES = isWhole ? 1_000_000_000 : 64_000_000;
const MOST_GROWTH_MB = 64;

interface Output {
  lines: { text: string }[];
  earlierLines: number;
  droppedBytes: number;
}

for (const { title, folder, program, short } of FLOODS)
  row("1 GB of output", { adapter: title, runs: 1, short, timeoutMs: 300_000 }, async (verdict) => {
    const sonde = createSonde(folder());
    // What the first session of a language loads is not the flood's.
    await sonde.ask(["start", program, "--name", "first", "--timeout", "60", "--", "640"]);
    const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
    const before = residentMb(daemon.pid);
    let most = before;
    const start = performance.now();
    let isOver = false;
    const end = sonde
      .ask<MoveResult>(["start", program, "--name", "flood", "--timeout", "250", "--", String(BYTES)], {
        timeoutMs: 260_000,
      })
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      most = Math.max(most, residentMb(daemon.pid));
      await delay(20);
    }
    const result = await end;
    const seconds = (performance.now() - start) / 1000;
    verdict.holds(
      result.state === "exited" && result.exitCode === 7,
      () => `it did not end as it should: ${JSON.stringify(result).slice(0, 300)}`,
    );
    verdict.holds(
      most - before < MOST_GROWTH_MB,
      () => `the daemon grew from ${before.toFixed(0)} to ${most.toFixed(0)} MB`,
    );
    verdict.notes.push(
      `${BYTES / 1e6} MB in ${seconds.toFixed(0)} s; the daemon grew from ${before.toFixed(0)} MB by ${(most - before).toFixed(0)} MB`,
    );
    const head = await sonde.ask<Output>("output -s flood --head 2");
    verdict.holds(
      head.lines.map(({ text }) => text.slice(0, 12)).join() === "000000000000,000000000001",
      () => `the head is ${JSON.stringify(head.lines)}`,
    );
    const tail = await sonde.ask<Output>("output -s flood --tail 3");
    const last = String(BYTES / 64 - 1).padStart(12, "0");
    verdict.holds(
      tail.lines.at(-1)?.text.slice(0, 12) === last,
      () => `the tail is ${JSON.stringify(tail.lines)}`,
    );
    const kept = (tail.earlierLines + tail.lines.length) * 64;
    verdict.lost(
      Math.abs(BYTES - kept - tail.droppedBytes),
      `${kept} kept and ${tail.droppedBytes} said to be dropped, of ${BYTES}`,
    );
    verdict.holds(kept > 0.9 * Math.min(BYTES, 10 << 20), () => `only ${kept} bytes are kept`);
  });

function residentMb(pid: number): number {
  return (
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(join("/proc", String(pid), "status"), "utf8"))?.[1]) / 1024
  );
}
