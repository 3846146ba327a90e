/** Programs that were built in one folder, with their sources in another now. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { LLDB, stops } from "./rig.ts";

const LOOP = `#include <stdio.h>
int main(void) {
  int total = 0;
  for (int i = 1; i <= 6; i++) {
    total += i;
  }
  printf("%d\\n", total);
  return 0;
}
`;

/** `loop`, compiled from a folder that is no more; its source is in `now`. */
function moved(sonde: Sonde): string {
  const built = join(sonde.project, "built/deep");
  mkdirSync(built, { recursive: true });
  sonde.write("built/deep/loop.c", LOOP);
  execFileSync("gcc", ["-g", "-O0", "-o", "../../loop", join(built, "loop.c")], { cwd: built });
  cpSync(built, join(sonde.project, "now"), { recursive: true, preserveTimestamps: true });
  rmSync(join(sonde.project, "built"), { recursive: true });
  return built;
}

test.each(["lldb", "cdt-gdb"])("--map tells %s where sources are now", async (adapter) => {
  const sonde = borrowSonde();
  const built = moved(sonde);
  const map = ["--map", `${built}=now`];
  const stop = await stops(sonde, ["start", "loop", "--adapter", adapter, ...map, "--break", "now/loop.c:5"]);
  expect(stop.frame).toMatchObject({ line: 5, path: join(sonde.project, "now/loop.c") });
  expect(stop.source.find(({ line }) => line === 5)?.text).toContain("total += i;");
});

test("a path of the debug information is taken, and the map of the configuration and of launch.json", async () => {
  const sonde = borrowSonde();
  const built = moved(sonde);
  const text = await sonde.text(["probe", `${built}/loop.c:5`, "--map", `${built}=now`, "--", "./loop"]);
  expect(text).toContain("now/loop.c:5");
  const configuration = { name: "it", type: "lldb", request: "launch", program: "loop" };
  for (const key of ["sourceMap", "sourceFileMap"]) {
    const one = { ...configuration, name: key, [key]: { [built]: join(sonde.project, "now") } };
    sonde.write(".vscode/launch.json", JSON.stringify({ configurations: [one] }));
    const stop = await stops(sonde, ["start", "--config", key, ...LLDB, "--break", "now/loop.c:5"]);
    expect(stop.frame?.path).toBe(join(sonde.project, "now/loop.c"));
    await sonde.ask("stop");
  }
});

test("a map that is none is refused", async () => {
  const sonde = borrowSonde();
  const answer = await sonde.refusal(["start", "x.c", "--map", "nothing"]);
  expect(answer).toMatchObject({ code: "BAD_ARGUMENT", message: "--map: `nothing` is not /old=/new" });
});

/** Compiled as if in /elsewhere. */
function elsewhere(sonde: Sonde): void {
  sonde.write("now/loop.c", LOOP);
  const folder = join(sonde.project, "now");
  const flags = ["-g", "-O0", `-ffile-prefix-map=${folder}=/elsewhere`];
  execFileSync("gcc", [...flags, "-o", "../loop", join(folder, "loop.c")], { cwd: folder });
}

test.each(["perf", "gdb", "lldb", "stops"])(
  "trace by %s takes the debug information's path, and a map",
  { timeout: 60_000 },
  async (collector) => {
    const sonde = borrowSonde();
    elsewhere(sonde);
    const by = ["--watch", "i", "--collector", collector];
    for (const place of [["/elsewhere/loop.c:5"], ["now/loop.c:5", "--map", "/elsewhere=now"]]) {
      const text = await sonde.text(["trace", "--at", ...place, ...by, "--", "./loop"]);
      expect(text).toMatch(/loop\.c:5 {2}6 hits/);
    }
    const strange = await sonde.refusal(["trace", "--at", "/elsewhere/other.c:5", ...by, "--", "./loop"]);
    expect(strange).toMatchObject({ code: "BAD_LOCATION" });
    expect(strange.message).toMatch(/^no file \/elsewhere\/other\.c in /);
  },
);

test("the map of the configuration is for every command", async () => {
  const sonde = borrowSonde(undefined, '[paths]\nmap = ["/elsewhere=now"]\n');
  elsewhere(sonde);
  const stop = await stops(sonde, ["start", "loop", ...LLDB, "--break", "now/loop.c:5"]);
  expect(stop.frame?.path).toBe(join(sonde.project, "now/loop.c"));
  await sonde.ask("stop");
  expect(await sonde.text(["trace", "--at", "now/loop.c:5", "--watch", "i", "--", "./loop"])).toContain(
    "6 hits",
  );
  expect(await sonde.text(["probe", "now/loop.c:5", "--", "./loop"])).toContain("now/loop.c:5");
});
