/** `sonde setup`: real installations into an empty home, and what is said when they fail. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AdapterRow, SetupRow } from "../../src/commands/adapters/rows.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { pathWith, withoutAdapters } from "./machine.ts";

const MINUTES = 60_000;

/** Answers nothing but `-m venv`. */
const python = (venv: string) => `[ "$2" = venv ] || exit 1\n${venv}`;

function has(tool: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, tool)));
}

async function found(sonde: Sonde, name: string): Promise<boolean> {
  const { adapters } = await sonde.ask<{ adapters: AdapterRow[] }>("adapters");
  return adapters.some((row) => row.name === name && row.found);
}

describe.skipIf(!has("python3"))("python", () => {
  test("into an empty home, tried by a session; the second time there is nothing to do", {
    timeout: 5 * MINUTES,
  }, async () => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    const first = await sonde.run("setup python --reinstall", { timeoutMs: 4 * MINUTES });
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/^debugpy: a private virtual environment/m);
    expect(first.stdout).toMatch(/^ {2}\$ .*pip.* install .*debugpy/m);
    expect(first.stdout).toMatch(
      /^debugpy \d+\.\d+\S*: installed in \d+ s, works \(stopped at sample\.py:2, answer = 42\)/m,
    );
    expect(first.status).toBe(0);
    const own = join(sonde.home, "share", "adapters", "debugpy");
    expect(readlinkSync(own)).toMatch(/^\.made\/debugpy@/);

    const { adapters } = await sonde.ask<{ adapters: SetupRow[] }>("setup python debugpy");
    expect(adapters).toEqual([
      expect.objectContaining({
        name: "debugpy",
        status: "present",
        verified: "session",
        path: join(own, "bin", "python"),
      }),
    ]);
    expect(await sonde.text("sessions")).toBe("no sessions\n");

    sonde.write("a.py", "answer = 42\nprint(answer)\n");
    expect(await sonde.text("start a.py --break a.py:2")).toMatch(/^stopped: breakpoint 1 .* a\.py:2/);
    await sonde.text("stop");
  });

  test("a missing debugger is named with the command that installs it, and that works", {
    timeout: 5 * MINUTES,
  }, async (context) => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    if (await found(sonde, "debugpy"))
      return context.skip("a Python of this machine has a debugpy of its own");
    sonde.write("a.py", "answer = 42\nprint(answer)\n");
    const refused = await sonde.run("start a.py --break a.py:2");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(
      /^error ADAPTER_MISSING: debugpy is not installed: .*debugpy.*\nhint: `sonde setup python` installs it\n$/,
    );
    await sonde.text("setup python", { timeoutMs: 4 * MINUTES });
    expect(await sonde.text("start a.py --break a.py:2")).toMatch(/^stopped: breakpoint 1 .* a\.py:2/);
    await sonde.text("stop");
  });
});

describe.skipIf(!has("go"))("go", () => {
  test("a missing debugger is named with the command that installs it, and that works", {
    timeout: 5 * MINUTES,
  }, async (context) => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    if (await found(sonde, "delve")) return context.skip("this machine has a dlv of its own");
    sonde.write("go.mod", "module sum\n\ngo 1.18\n");
    sonde.write("main.go", "package main\n\nfunc main() {\n\ttotal := 6 * 7\n\tprintln(total)\n}\n");
    const refused = await sonde.run("start main.go --break main.go:5");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(
      /^error ADAPTER_MISSING: .*not installed: there is no dlv.*\nhint: `sonde setup go` installs it\n$/,
    );
    const made = await sonde.text("setup go", { timeoutMs: 4 * MINUTES });
    expect(made).toMatch(/^delve \d\S*: installed in \d+ s, works \(stopped at sample\.go:7, answer = 42\)/m);
    expect(await sonde.text("start main.go --break main.go:5")).toMatch(
      /^stopped: breakpoint 1 .* main\.go:5/,
    );
    await sonde.text("stop");
  });
});

describe("a setup that fails", () => {
  test("quotes what the recipe said, tells why the others were no use, and what to do by hand", async () => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    const PATH = pathWith(sonde, { python3: python("echo 'ensurepip is not available' >&2; exit 3") });
    const result = await sonde.run("setup python --reinstall", { env: { PATH } });
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(
      /^error SETUP_FAILED: debugpy could not be set up:\n {2}\| - a private virtual/,
    );
    expect(result.stderr).toMatch(
      /`python3 -m venv \S+`: exit code 3\n {2}\| {3}\| ensurepip is not available\n/,
    );
    expect(result.stderr).toContain("pip3 is not on the PATH");
    expect(result.stderr).toContain("apt-get is not on the PATH");
    expect(result.stderr).toMatch(/\nhint: debugpy by hand: `pip install debugpy`/);
    const log = /full log: (\S+)\)/.exec(result.stderr)?.[1] ?? "";
    expect(readFileSync(log, "utf8")).toContain("ensurepip is not available");
    expect(existsSync(join(sonde.home, "share", "adapters", "debugpy"))).toBe(false);
  });

  test("as JSON: each adapter's row, with its reasons", async () => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    const answer = await sonde.json("setup node python --reinstall", { env: { PATH: pathWith(sonde) } });
    expect(answer).toMatchObject({ ok: false, status: 1, error: { code: "SETUP_FAILED" } });
    const details = (answer as { error: { details?: { adapters: SetupRow[] } } }).error.details;
    const row = details?.adapters.find(({ name }) => name === "debugpy");
    expect(row).toMatchObject({ status: "failed", verified: "no" });
    expect(row?.reasons[0]).toContain("python3 is not on the PATH");
  });

  test("ends its children when the caller goes", async () => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    const PATH = pathWith(sonde, { python3: python("echo waiting; exec sleep 321") });
    const client = sonde.spawn("setup python --reinstall", { env: { PATH } });
    const sleeping = () => sonde.processes().filter(({ command }) => command.includes("sleep 321"));
    await until(() => sleeping().length === 1);
    client.kill("SIGINT");
    await until(() => sleeping().length === 0);
    // Nothing half made is left, and the lock is free.
    sonde.write(join(PATH, "python3"), `#!/bin/sh\n${python("exit 4")}\n`);
    const next = await sonde.run("setup python --reinstall", { env: { PATH } });
    expect(next.stderr).toContain("exit code 4");
    expect(next.stdout).not.toContain("waiting");
    expect(readdirSync(join(sonde.home, "share", "adapters", ".made"))).toEqual([]);
  });

  test("two at once take turns", async () => {
    const sonde = createSonde();
    withoutAdapters(sonde);
    const log = join(sonde.home, "..", "turns");
    const PATH = pathWith(sonde, {
      python3: python(`echo in >> ${log}; sleep 1; echo out >> ${log}; exit 1`),
    });
    const both = await Promise.all(
      [1, 2].map(() => sonde.run("setup python --reinstall", { env: { PATH } })),
    );
    expect(both.map(({ status }) => status)).toEqual([1, 1]);
    expect(readFileSync(log, "utf8")).toBe("in\nout\nin\nout\n");
    expect(both.filter(({ stdout }) => stdout.includes("waiting for another setup"))).toHaveLength(1);
  });
});

describe("a setup of nothing", () => {
  test("and of what does not exist is wrong usage", async () => {
    const sonde = createSonde();
    expect(await sonde.refusal("setup")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
    expect(await sonde.refusal("setup pyton")).toMatchObject({
      code: "BAD_ARGUMENT",
      hint: "did you mean python?",
    });
  });
});

async function until(test: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!test()) {
    if (performance.now() > deadline) throw new Error("that never happened");
    await delay(20);
  }
}
