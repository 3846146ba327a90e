/** Running processes: by pid and by port, again and again, and left as they were. */
import { chmodSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, TEST_ADAPTERS } from "../support/sonde.ts";
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
  const program = new Counting(sonde, PYTHON);
  await program.counts();
  // A PATH with nothing to inject with.
  const bin = join(sonde.project, "bin");
  chmodSync(sonde.write("bin/python3", `#!/bin/sh\nexec ${PYTHON} "$@"\n`), 0o755);
  expect(
    await sonde.refusal(["attach", String(program.pid), "--adapter", "debugpy"], { env: { PATH: bin } }),
  ).toMatchObject({
    code: "ATTACH_FAILED",
    message: expect.stringContaining("gdb"),
    hint: expect.stringContaining("install"),
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
