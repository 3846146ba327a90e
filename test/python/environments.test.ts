/** Whose virtual environment is run, and when: never for a list, never one that another user could have put there. */
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { upward } from "../../src/adapters/python/environment.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { ends } from "./programs.ts";

/** One whose Python leaves a trace; with a debugpy that can be seen without running it. */
function trap(sonde: Sonde, folder: string): { python: string; ran: string } {
  const ran = join(sonde.project, "..", "ran");
  sonde.write(`${folder}/pyvenv.cfg`, "home = /usr/bin\nversion = 3.11.7\n");
  sonde.write(`${folder}/lib/python3.11/site-packages/debugpy/adapter/__main__.py`, "");
  sonde.write(`${folder}/lib/python3.11/site-packages/debugpy/_vendored/pydevd/pydevd.py`, "");
  sonde.write(`${folder}/lib/python3.11/site-packages/debugpy-1.8.99.dist-info/METADATA`, "");
  const python = sonde.write(`${folder}/bin/python`, `#!/bin/sh\n: > ${ran}\nexec python3 "$@"\n`);
  chmodSync(python, 0o755);
  return { python, ran };
}

test("a list of adapters reads a project's environment and runs nothing of it", async () => {
  const sonde = borrowSonde();
  const { python, ran } = trap(sonde, ".venv");
  const text = await sonde.text("adapters");
  expect(text).toMatch(/python .*1\.8\.99/);
  expect(text).toContain(python);
  await sonde.run("doctor", { timeoutMs: 60_000 });
  await sonde.run("adapters", { env: { VIRTUAL_ENV: join(sonde.project, ".venv") } });
  expect(existsSync(ran)).toBe(false);
  // The trap works: a program is run by it.
  sonde.write("app.py", "print(1)\n");
  await sonde.run("start app.py");
  expect(existsSync(ran)).toBe(true);
});

test.runIf(process.getuid?.() === 0)("an environment of another user's is not the program's", async () => {
  const sonde = borrowSonde();
  const { python, ran } = trap(sonde, ".venv");
  sonde.write("app.py", "print(1)\n");
  lchownSync(python, 65_534, 65_534);
  await ends(sonde, "start app.py");
  lchownSync(python, 0, 0);
  chownSync(join(sonde.project, ".venv"), 65_534, 65_534);
  await ends(sonde, "start app.py");
  await sonde.run("start app.py", { env: { VIRTUAL_ENV: join(sonde.project, ".venv") } });
  expect(existsSync(ran)).toBe(false);
});

test("looking upward ends with the project, the home, and before a folder that anybody may write to", () => {
  const sonde = borrowSonde();
  const top = join(sonde.project, "..");
  const start = join(sonde.project, "a", "b", "c");
  mkdirSync(start, { recursive: true });
  const names = (home?: string) => upward(start, home).map((one) => one.slice(top.length));
  const all = ["/project/a/b/c", "/project/a/b", "/project/a", "/project", ""];
  expect(names()).toEqual(all); // not the folder of temporary files
  expect(names(sonde.project)).toEqual(all.slice(0, 4));
  sonde.write("a/b/pyproject.toml", "");
  expect(names()).toEqual(all.slice(0, 2));
  // The packages of a repository may share one.
  mkdirSync(join(sonde.project, ".git"));
  expect(names()).toEqual(all.slice(0, 4));
  chmodSync(join(sonde.project, "a"), 0o777);
  expect(names()).toEqual(all.slice(0, 2));
});
