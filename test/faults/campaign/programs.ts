/**
 * One program in four languages. Each round it computes a value, prints the round's number, writes both to a file (the truth, to which
 * what a debugger shows is compared, and the proof that it still works) and passes the line `@marker beat`.
 */
import type { ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { builtOnce } from "../../support/builds.ts";
import { marker } from "../../support/markers.ts";
import type { Sonde } from "../../support/sonde.ts";

const NODE = `const { openSync, writeSync } = require("node:fs");
const truth = openSync(process.argv[2], "r+");
let round = 0;
let total = 0;
function beat() {
  round += 1;
  total = (total * 31 + round) % 1000003;
  for (let rest = Buffer.from("round " + round + "\\n"); rest.length > 0; ) {
    try { rest = rest.subarray(writeSync(1, rest)); } catch (error) { if (error.code !== "EAGAIN") throw error; }
  }
  writeSync(truth, String(round).padStart(10) + String(total).padStart(10), 0);
  return total; // @marker beat
}
setInterval(beat, 20);
setTimeout(() => process.exit(0), 240_000);
`;

const PYTHON = `import os
import sys
import time

truth = os.open(sys.argv[1], os.O_RDWR)
round = 0
total = 0


def beat():
    global round, total
    round += 1
    total = (total * 31 + round) % 1000003
    os.write(1, b"round %d\\n" % round)
    os.pwrite(truth, b"%10d%10d" % (round, total), 0)
    return total  # @marker beat


deadline = time.monotonic() + 240
while time.monotonic() < deadline:
    beat()
    time.sleep(0.02)
`;

const C = `#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int truth;
static int round_ = 0;
static int total = 0;

static int beat(void) {
  char text[64];
  round_ += 1;
  total = (int)((total * 31LL + round_) % 1000003);
  snprintf(text, sizeof text, "round %d\\n", round_);
  if (write(1, text, strlen(text)) < 0) return -1;
  snprintf(text, sizeof text, "%10d%10d", round_, total);
  if (pwrite(truth, text, 20, 0) < 0) return -1;
  return total; // @marker beat
}

int main(int count, char **words) {
  (void)count;
  truth = open(words[1], O_RDWR);
  for (int n = 0; n < 12000; n++) {
    if (beat() < 0) return 3;
    usleep(20000);
  }
  return 0;
}
`;

const GO = `package main

import (
	"fmt"
	"os"
	"time"
)

var truth *os.File
var round = 0
var total = 0

func beat() int {
	round += 1
	total = (total*31 + round) % 1000003
	fmt.Fprintf(os.Stdout, "round %d\\n", round)
	truth.WriteAt([]byte(fmt.Sprintf("%10d%10d", round, total)), 0)
	return total // @marker beat
}

func main() {
	truth, _ = os.OpenFile(os.Args[1], os.O_RDWR, 0)
	for n := 0; n < 12000; n++ {
		beat()
		time.Sleep(20 * time.Millisecond)
	}
}
`;

export interface Language {
  title: string;
  /** As `sonde sessions` names it. */
  adapter: string;
  round: string;
  /** The folder of source and program. */
  folder(): string;
  source: string;
  /** For `start`, in that folder. */
  program: string;
  /** To run it without us. */
  command(folder: string): [string, ...string[]];
  /** Processes of ours between the daemon and the program, if the debugger is one. */
  debugger: readonly RegExp[];
  /** That record a launched program. */
  collectors: readonly string[];
}

const sourceOnly = (file: string, text: string) => () => builtOnce(file, text, ["true", file]);

export const LANGUAGES: Record<"node" | "python" | "c" | "go", Language> = {
  node: {
    title: "Node (built in)",
    adapter: "node",
    round: "round",
    folder: sourceOnly("beat.js", NODE),
    source: "beat.js",
    program: "beat.js",
    command: (folder) => [process.execPath, join(folder, "beat.js")],
    debugger: [],
    collectors: ["node-source", "node-condition", "stops"],
  },
  python: {
    title: "Python (debugpy)",
    adapter: "debugpy",
    round: "round",
    folder: sourceOnly("beat.py", PYTHON),
    source: "beat.py",
    program: "beat.py",
    command: (folder) => ["python3", join(folder, "beat.py")],
    debugger: [],
    collectors: ["python-source", "python-condition", "stops"],
  },
  c: {
    title: "C (lldb-dap)",
    adapter: "lldb",
    round: "round_",
    folder: () => builtOnce("beat.c", C, ["gcc", "-g", "-O0", "-o", "beat", "beat.c"]),
    source: "beat.c",
    program: "./beat",
    command: (folder) => [join(folder, "beat")],
    debugger: [/lldb-dap\S* --no-lldbinit/, /lldb-server gdbserver/],
    collectors: ["perf", "gdb", "lldb", "stops"],
  },
  go: {
    title: "Go (delve)",
    adapter: "delve",
    round: "round",
    folder: () => builtOnce("beat.go", GO, ["go", "build", "-gcflags=all=-N -l", "-o", "beat", "beat.go"]),
    source: "beat.go",
    program: "./beat",
    command: (folder) => [join(folder, "beat")],
    debugger: [/\/dlv dap/],
    collectors: ["perf", "delve", "stops"],
  },
};

/** The `file:line` where the truth has just been written. */
export function beatOf({ folder, source }: Language): string {
  const file = join(folder(), source);
  return `${file}:${marker(file, "beat")}`;
}

/** What the program itself says of its values. */
export class Truth {
  readonly file: string;

  constructor(sonde: Sonde) {
    this.file = join(mkdtempSync(join(sonde.home, "truth-")), "truth");
    closeSync(openSync(this.file, "w", 0o600));
    writeFileSync(this.file, "");
  }

  read(): { round: number; total: number } {
    const text = readFileSync(this.file, "utf8");
    return { round: Number(text.slice(0, 10)), total: Number(text.slice(10, 20)) };
  }

  /** Whether it goes on within the time. */
  async beats(times = 3, withinMs = 10_000): Promise<boolean> {
    const goal = this.read().round + times;
    const deadline = performance.now() + withinMs;
    while (this.read().round < goal) {
      if (performance.now() > deadline) return false;
      await delay(5);
    }
    return true;
  }
}

/** A program of the user's own, to attach to. */
export class Running {
  readonly truth: Truth;
  readonly child: ChildProcess;

  constructor(sonde: Sonde, language: Language) {
    this.truth = new Truth(sonde);
    const [command, ...args] = language.command(language.folder());
    this.child = sonde.program(command, [...args, this.truth.file]);
    this.child.stdout?.resume();
    this.child.stderr?.resume();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What is not as it would be had we never come; nothing if all is well. */
  async fault(): Promise<string | undefined> {
    if (!(await this.truth.beats())) {
      const { exitCode, signalCode } = this.child;
      return `the attached process does not go on (exit ${exitCode}, signal ${signalCode}, ${stateOf(this.pid)})`;
    }
    const traced = /^TracerPid:\t(\d+)$/m.exec(status(this.pid))?.[1];
    return traced === "0" ? undefined : `the attached process is still traced by ${traced}`;
  }
}

function status(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function stateOf(pid: number): string {
  return /^State:\t(.*)$/m.exec(status(pid))?.[1] ?? "gone";
}
