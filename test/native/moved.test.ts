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
  expect(answer).toMatchObject({ code: "BAD_ARGUMENT", message: "--map: `nothing` is not /built/at=/is/at" });
});
