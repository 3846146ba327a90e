/** Places that a program does not have, each with the reason; and places that it knows by another path. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const COUNT = `#include <stdio.h>
int counter = 0;
int main(void) {
  for (int i = 0; i < 6; i++) {
    counter = counter + 1;
  }
  printf("%d\\n", counter);
  return 0;
}
`;

function built(sonde: Sonde, ...flags: string[]): void {
  mkdirSync(join(sonde.project, "src"), { recursive: true });
  sonde.write("src/count.c", COUNT);
  execFileSync("gcc", [...flags, "-o", "src/count", join(sonde.project, "src/count.c")], {
    cwd: sonde.project,
  });
}

const start = (sonde: Sonde, place: string) => sonde.text(["start", "src/count", ...LLDB, "--break", place]);

test("through a linked folder a breakpoint binds", async () => {
  const sonde = borrowSonde();
  built(sonde, "-g");
  symlinkSync("src", join(sonde.project, "link"));
  const stop = await stops(sonde, ["start", "link/count", ...LLDB, "--break", "link/count.c:5"]);
  expect(stop).toMatchObject({ breakpoints: [{ id: 1, hit: 1 }], frame: { line: 5 } });
});

test("without debug information, stripped, and compiled from elsewhere", async () => {
  const sonde = borrowSonde();
  built(sonde);
  expect(await start(sonde, "src/count.c:5")).toContain(
    "never bound: breakpoint 1 src/count.c:5: count has no debug information: compile it with -g",
  );
  execFileSync("strip", [join(sonde.project, "src/count")]);
  expect(await start(sonde, "src/count.c:5")).toContain("and its symbols are stripped");
  const entry = await stops(sonde, ["start", "src/count", ...LLDB, "--stop-on-entry"]);
  expect(entry.reason).toBe("entry");
  expect(entry.notes.join()).toContain("stopped at its first instruction");
  await sonde.ask("stop");
  built(sonde, "-g");
  cpSync(join(sonde.project, "src"), join(sonde.project, "copy"), { recursive: true });
  const { project } = sonde;
  expect(await start(sonde, "copy/count.c:5")).toContain(
    `: the program was compiled from ${project}/src/count.c; if that is this file, --map ${project}/src=${project}/copy maps it`,
  );
});

test("a path of the debug information is taken though the file has gone", async () => {
  const sonde = borrowSonde();
  built(sonde, "-g");
  renameSync(join(sonde.project, "src/count.c"), join(sonde.project, "gone.c"));
  const stop = await stops(sonde, ["start", "src/count", ...LLDB, "--break", "src/count.c:5"]);
  expect(stop.frame?.line).toBe(5);
  const refused = await sonde.refusal(["start", "src/count", ...LLDB, "--break", "src/other.c:5"]);
  expect(refused.code).toBe("BAD_LOCATION");
});

test("optimised code, and a line that only a forked child runs, are told as that", async () => {
  const sonde = borrowSonde();
  built(sonde, "-g", "-O2");
  expect(await start(sonde, "src/count.c:7")).toContain(
    "note: count was compiled with -O2: values may be missing",
  );
  await sonde.ask("stop");
  const text = `#include <unistd.h>
#include <sys/wait.h>
int main(void) {
  if (fork() == 0) {
    _exit(0);
  }
  wait(0);
  return 0;
}
`;
  compile(sonde, "forks.c", text);
  const end = await sonde.text(["start", "forks", ...LLDB, "--break", "forks.c:5"]);
  expect(end).toContain("note: the program can fork: the debugger does not follow children");
});

test("what is thrown is told as thrown, and one type can be asked for", async () => {
  const sonde = borrowSonde();
  const text = `#include <stdexcept>
int half(int n) {
  if (n % 2) throw std::runtime_error("odd");
  return n / 2;
}
int main() {
  try { throw 5; } catch (int) {}
  try { half(3); } catch (std::exception &) {}
  return half(5);
}
`;
  compile(sonde, "throws.cpp", text, ["g++"]);
  await stops(sonde, ["start", "throws", ...LLDB, "--stop-on-entry"]);
  await sonde.ask("catch throw std::runtime_error");
  const stopped = await sonde.text("continue");
  expect(stopped).toMatch(/^stopped: exception {2}throws\.cpp:3 in half/);
  expect(stopped).toContain("std::runtime_error: odd");
  expect(await sonde.text("continue")).toMatch(/^stopped: exception {2}throws\.cpp:3 in half/);
  // Nobody catches it: the next stop is the end of it, and no other throw is made up.
  expect(await sonde.text("continue")).toMatch(/^stopped: uncaught exception[\s\S]*std::runtime_error: odd/);
});
