/** A program that was left to run on: what it starts is nobody's to hold, and what it prints has a reader, also when the daemon has gone. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";
import { daemonPid, gone, isAlive, PATIENCE, programPid } from "./world.ts";

const timeout = 60_000;

/** Each waits for the file `go`, then starts another of its language, which says that it ran; then it ends. */
const PARENTS: Record<string, { file: string; text: string; there: boolean }> = {
  Python: {
    file: "parent.py",
    text: `import os, subprocess, sys, time
while not os.path.exists("go"):
    time.sleep(0.02)
subprocess.run([sys.executable, "-c", "open('ran', 'w').close()"])
pid = os.fork()
if pid == 0:
    open("forked", "w").close()
    os._exit(0)
os.waitpid(pid, 0)
`,
    there: true,
  },
  Ruby: {
    file: "parent.rb",
    text: `sleep 0.02 until File.exist?("go")
system("ruby", "-e", "File.write('ran', '')")
pid = fork { File.write("forked", "") }
Process.wait(pid)
`,
    there: has("ruby", ["-e", 'Gem::Specification.find_by_name("debug")']),
  },
  PHP: {
    file: "parent.php",
    text: `<?php
while (!file_exists("go")) { clearstatcache(); usleep(20000); }
system(PHP_BINARY . " -r 'touch(\\"ran\\");'");
touch("forked");
`,
    there: has("php", ["-r", 'exit(phpversion("xdebug") ? 0 : 1);']),
  },
  Perl: {
    file: "parent.pl",
    text: `select(undef, undef, undef, 0.02) until -e "go";
system($^X, "-e", "open(my \\$f, '>', 'ran'); close \\$f;");
open(my $f, '>', 'forked'); close $f;
`,
    there: has("perl", ["-MPerl::LanguageServer", "-e", "1"]),
  },
};

function has(command: string, args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

for (const [language, { file, text, there }] of Object.entries(PARENTS))
  test.runIf(there)(`${language}: what it starts afterwards runs by itself`, { timeout }, async () => {
    const sonde = createSonde();
    sonde.write(file, text);
    await sonde.ask(["start", file, "--timeout", "0.5"]);
    const pid = await programPid(sonde);
    await sonde.ask("detach");
    expect(isAlive(pid)).toBe(true);
    sonde.write("go", "");
    for (const name of ["ran", "forked"])
      await expect.poll(() => existsSync(join(sonde.project, name)), PATIENCE).toBe(true);
    await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
  });

/** Each prints without end, and counts in a file how often it has. */
const PRINTERS: Record<string, { file: string; text: string; run: string[] }> = {
  C: {
    file: "print.c",
    text: `#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int i = 0;; i++) {
    if (printf("line %d of many, many more\\n", i) < 0 || fflush(stdout) != 0) return 3;
    FILE *count = fopen("count", "w");
    fprintf(count, "%d", i);
    fclose(count);
    usleep(2000);
  }
}
`,
    run: ["start", "./print"],
  },
  Python: {
    file: "print.py",
    text: `import time
for i in range(10 ** 9):
    print("line", i, "of many, many more", flush=True)
    with open("count", "w") as file:
        file.write(str(i))
    time.sleep(0.002)
`,
    run: ["start", "print.py"],
  },
  Node: {
    file: "print.js",
    text: `let i = 0;
process.stdout.on("error", () => process.exit(3));
setInterval(() => {
  process.stdout.write(\`line \${++i} of many, many more\\n\`);
  require("node:fs").writeFileSync("count", String(i));
}, 2);
`,
    run: ["start", "print.js"],
  },
  Go: {
    file: "print.go",
    text: `package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	for i := 0; ; i++ {
		if _, err := fmt.Printf("line %d of many, many more\\n", i); err != nil {
			os.Exit(3)
		}
		os.WriteFile("count", []byte(fmt.Sprint(i)), 0o600)
		time.Sleep(2 * time.Millisecond)
	}
}
`,
    run: ["start", "print.go"],
  },
};

for (const [language, { file, text, run }] of Object.entries(PRINTERS))
  test(`${language}: it prints on when the daemon has gone`, { timeout }, async () => {
    const sonde = createSonde();
    sonde.write(file, text);
    if (language === "C") execFileSync("gcc", ["-g", "-o", "print", file], { cwd: sonde.project });
    await sonde.ask([...run, "--timeout", "0.5"]);
    const pid = await programPid(sonde);
    await sonde.ask("detach");
    const daemon = await daemonPid(sonde);
    await sonde.text("daemon stop");
    await gone(daemon);
    const before = counted(sonde);
    await expect.poll(() => counted(sonde), PATIENCE).toBeGreaterThan(before + 20);
    process.kill(pid, "SIGKILL");
  });

/** The system kills it when the debugger's process that started it ends. */
const DEPENDENT = `#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) usleep(1000);
}
`;

test.runIf(process.platform === "linux")(
  "one that ends with its debugger is not said to run on",
  { timeout },
  async () => {
    const sonde = borrowSonde();
    sonde.write("dependent.c", DEPENDENT);
    execFileSync("gcc", ["-g", "-o", "dependent", "dependent.c"], { cwd: sonde.project });
    await sonde.ask("start ./dependent --break dependent.c:6");
    const pid = await programPid(sonde);
    expect(await sonde.text("detach")).toBe(`detached: dependent (pid ${pid}) has ended\n`);
    expect(isAlive(pid)).toBe(false);
  },
);

function counted(sonde: Sonde): number {
  return Number(readFileSync(join(sonde.project, "count"), "utf8"));
}
