/** Running processes: by pid and by port, again and again, and left as they were. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { binary, borrowSonde, createSonde, type Sonde, TEST_ADAPTERS } from "../support/sonde.ts";
import { at, Counting, stops, value } from "./programs.ts";

const PYTHON = join(TEST_ADAPTERS, "debugpy/bin/python");
const PATIENT = { timeout: 90_000 };

function tracer(pid: number): string | undefined {
  return /^TracerPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
}

test("by pid, three times; detached and stopped it counts on", PATIENT, async () => {
  const sonde = borrowSonde();
  const program = new Counting(sonde, PYTHON);
  await program.counts();
  const place = at(sonde, "counting.py", "print");
  for (const leave of ["detach", "stop"]) {
    const snapshot = await stops(sonde, ["attach", String(program.pid), "--break", place]);
    expect(Number(value(snapshot, "n"))).toBeGreaterThan(0);
    await sonde.ask(leave);
    await program.counts();
  }
  // Left at once, while what injected debugpy may still hold the process.
  await sonde.ask(["attach", String(program.pid), "--no-wait"]);
  expect(tracer(program.pid)).toBe("0");
  await sonde.ask("stop");
  await program.counts();
  expect(program.child.signalCode).toBeNull();
});

test("one that gets a signal every few milliseconds", PATIENT, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "sitecustomize.py",
    "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)\n",
  );
  const program = new Counting(sonde, "/usr/bin/env", [`PYTHONPATH=${sonde.project}`, PYTHON]);
  await program.counts();
  const place = at(sonde, "counting.py", "print");
  const snapshot = await stops(sonde, ["attach", String(program.pid), "--break", place]);
  expect(snapshot.frame).toMatchObject({ function: "count" });
  await sonde.ask("detach");
  await program.counts();
});

test("by port, twice", PATIENT, async () => {
  const sonde = borrowSonde();
  const port = await freePort();
  const program = new Counting(sonde, PYTHON, [
    "-Xfrozen_modules=off",
    "-m",
    "debugpy",
    "--listen",
    `127.0.0.1:${port}`,
  ]);
  await program.counts();
  const place = at(sonde, "counting.py", "print");
  for (const leave of ["detach", "stop"]) {
    // Who listens there is seen, unless it is said.
    const named = leave === "stop" ? ["--adapter", "debugpy"] : [];
    const snapshot = await stops(sonde, ["attach", ...named, "--port", String(port), "--break", place]);
    expect(snapshot.frame).toMatchObject({ function: "count" });
    await sonde.ask(leave);
    await program.counts();
  }
});

test("what cannot be attached to is refused with the reason", PATIENT, async () => {
  const sonde = borrowSonde();
  const port = await freePort();
  expect(await sonde.refusal(["attach", "--adapter", "debugpy", "--port", String(port)])).toMatchObject({
    message: expect.stringContaining(String(port)),
  });
  expect(await sonde.refusal(["attach", "--port", String(port)])).toMatchObject({
    code: "ATTACH_FAILED",
    message: `nothing listens on port ${port} of this machine`,
  });
});

test("what cannot call functions here never comes near the process", PATIENT, async () => {
  const sonde = createSonde();
  const program = new Counting(sonde, PYTHON);
  await program.counts();
  const bin = join(sonde.project, "bin");
  const script = (name: string, text: string) => chmodSync(sonde.write(`bin/${name}`, text), 0o755);
  const unable = (words: string) =>
    `#!/bin/sh\necho "$@" >>${bin}/asked\necho "version 1.2.3"\necho "${words}" >&2\n`;
  script("node", `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
  script("python3", `#!/bin/sh\nexec ${PYTHON} "$@"\n`);
  sonde.config(`[adapters.debugpy]\ncommand = "${environmentThatRefuses(sonde, join(bin, "asked"))}"\n`);
  script("lldb-dap", unable("none"));
  script("lldb", unable("error: expression failed"));
  script("gdb", unable("Couldn't write extended state status: Bad address."));
  expect(
    await sonde.refusal(["attach", String(program.pid), "--adapter", "debugpy"], { env: { PATH: bin } }),
  ).toMatchObject({
    code: "ATTACH_FAILED",
    message: expect.stringMatching(
      /python: not here; .*lldb: expression failed; .*gdb: Couldn't write extended state status/,
    ),
    hint: expect.stringContaining("sonde setup c"),
  });
  const asked = readFileSync(join(bin, "asked"), "utf8");
  expect(asked).toMatch(/-p \d+/);
  expect(asked).not.toMatch(new RegExp(`\\b${program.pid}\\b`));
  await program.counts();
  // The one that can is found, though the gdb cannot.
  rmSync(join(bin, "lldb"));
  rmSync(join(bin, "lldb-dap"));
  const found = await stops(
    sonde,
    ["attach", String(program.pid), "--break", at(sonde, "counting.py", "print")],
    { PATH: `${bin}:${process.env.PATH}` },
  );
  expect(found.frame).toMatchObject({ function: "count" });
  await sonde.ask("detach");
  await program.counts();
});

/** A Python with debugpy that does not run our own injector. */
function environmentThatRefuses(sonde: Sonde, asked: string): string {
  const home = join(sonde.project, "environment");
  const [library = ""] = readdirSync(join(TEST_ADAPTERS, "debugpy/lib"));
  const packages = join("lib", library, "site-packages");
  sonde.write(
    join("environment", packages, "sitecustomize.py"),
    `import os, sys\nif any("sonde_ptrace" in word for word in sys.orig_argv):\n    open(${JSON.stringify(asked)}, "a").write("-p %s\\n" % sys.orig_argv)\n    os.write(2, b"unable: not here\\n")\n    os._exit(1)\n`,
  );
  cpSync(join(TEST_ADAPTERS, "debugpy/pyvenv.cfg"), join(home, "pyvenv.cfg"));
  for (const name of readdirSync(join(TEST_ADAPTERS, "debugpy", packages)).filter((one) =>
    /^debugpy/.test(one),
  ))
    symlinkSync(join(TEST_ADAPTERS, "debugpy", packages, name), join(home, packages, name));
  mkdirSync(join(home, "bin"));
  symlinkSync(realpathSync(PYTHON), join(home, "bin/python"));
  return join(home, "bin/python");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** One that everybody may run. */
const OF_SYSTEM = "/usr/bin/python3";
const OTHER = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"];
const MAY_BECOME = spawnSync("setpriv", [...OTHER, OF_SYSTEM, "-c", ""]).status === 0;

test.runIf(MAY_BECOME)("the administrator, to another user's process", PATIENT, async () => {
  const sonde = borrowSonde();
  const code = "import time\nn = 7\nprint(n, flush=True)\nwhile True: time.sleep(0.02)";
  const program = sonde.program("setpriv", [...OTHER, OF_SYSTEM, "-c", code], { cwd: "/" });
  await once(program.stdout ?? program, "data");
  chmodSync(resolve(binary(), "../.."), 0o755);
  await sonde.ask(["attach", String(program.pid), "--no-wait"]);
  await sonde.ask("pause");
  expect(await sonde.ask("print n")).toMatchObject({ value: "7" });
  await sonde.ask("detach");
  expect(program.exitCode).toBe(null);
});
