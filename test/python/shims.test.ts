/** Where `python3` is a script that looks for the real one (pyenv, asdf): which that is can differ from folder to folder. */
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const WHO = "import sys\nprint(sys.prefix)\n";

/** Two Pythons, each with a command `pytest` of ours beside it, and scripts that find the one that a folder's `.which` names. */
function shims(sonde: Sonde): { env: Record<string, string>; prefixes: Record<string, string> } {
  // Beside the project: what lies in it is never run as a tool.
  const around = join(sonde.project, "..");
  const prefixes: Record<string, string> = {};
  for (const name of ["one", "two"]) {
    const prefix = join(around, name);
    const made = spawnSync("python3", ["-m", "venv", "--without-pip", prefix], { encoding: "utf8" });
    if (made.status !== 0) throw new Error(made.stderr);
    prefixes[name] = prefix;
    chmodSync(sonde.write(join(prefix, "bin/pytest"), `#!${join(prefix, "bin/python")}\n${WHO}`), 0o755);
    sonde.write(`${name}/.which`, name);
    sonde.write(`${name}/app.py`, WHO);
  }
  const text = `#!/usr/bin/env bash\nset -e\nexec "${around}/$(cat .which)/bin/\${0##*/}" "$@"\n`;
  for (const name of ["python", "python3", "pytest"])
    chmodSync(sonde.write(join(around, "shims", name), text), 0o755);
  return { env: { PATH: [join(around, "shims"), process.env.PATH].join(delimiter) }, prefixes };
}

test("programs, installed scripts and recorded runs have the Python of their folder", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  const { env, prefixes } = shims(sonde);
  for (const [cwd, prefix] of Object.entries(prefixes)) {
    for (const words of [
      ["start", "--break", "app.py:2", "--", "python3", "app.py"],
      ["start", "--break", `${prefix}/bin/pytest:3`, "--", "pytest"],
    ]) {
      expect(await sonde.ask(words, { cwd, env })).toMatchObject({ state: "stopped" });
      expect(await sonde.ask("continue", { cwd, env })).toMatchObject({ state: "exited", exitCode: 0 });
      const { lines } = await sonde.ask<{ lines: { text: string }[] }>("output", { cwd });
      expect(lines.map(({ text }) => text)).toEqual([prefix]);
    }
    const trace = ["trace", "--at", "app.py:2=sys.prefix", "--", "python3", "app.py"];
    expect(await sonde.text(trace, { cwd, env })).toContain(prefix);
  }
});
