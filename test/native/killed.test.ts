/** kill -9 of any part of a launched program's session: the next answer is true, and nothing is left. */
import { describe, expect, test } from "vitest";
import { daemonPid, nothingAtAll, nothingLeft, PATIENCE, programPid } from "../faults/world.ts";
import type { Sonde } from "../support/sonde.ts";
import { at, inC, LLDB, stops, traced } from "./rig.ts";

async function started(state: string): Promise<Sonde> {
  const sonde = inC();
  if (state === "stopped") await stops(sonde, ["start", "idle", ...LLDB, "--break", at("idle", "tick")]);
  else {
    await sonde.ask(["start", "idle", ...LLDB, "--no-wait"]);
    await expect.poll(() => sonde.text("output"), PATIENCE).toContain("ready");
  }
  return sonde;
}

async function serverPid(sonde: Sonde): Promise<number> {
  const { tracer = 0 } = traced(await programPid(sonde)) ?? {};
  if (tracer === 0) throw new Error("nobody traces the program");
  return tracer;
}

describe.each(["running", "stopped"])("while it is %s", (state) => {
  test("the program", async () => {
    const sonde = await started(state);
    process.kill(await programPid(sonde), "SIGKILL");
    await expect
      .poll(() => sonde.text("status"), PATIENCE)
      .toMatch(
        state === "running" ? /exited: killed by SIGKILL/ : /ended: .*was killed while it was stopped/,
      );
    expect(await sonde.refusal("next")).toMatchObject({ code: "SESSION_ENDED" });
    await nothingLeft(sonde);
  });

  test("LLDB's server", async () => {
    const sonde = await started(state);
    process.kill(await serverPid(sonde), "SIGKILL");
    // One that stood at a breakpoint dies of it, which may be noticed first.
    const told =
      state === "running" ? /ended: LLDB lost/ : /ended: (LLDB lost .*process|the process was killed)/;
    await expect.poll(() => sonde.text("status"), PATIENCE).toMatch(told);
    expect(await sonde.refusal("next")).toMatchObject({ code: "SESSION_ENDED" });
    await nothingLeft(sonde);
  });

  test("the daemon", async () => {
    const sonde = await started(state);
    process.kill(await daemonPid(sonde), "SIGKILL");
    await nothingAtAll(sonde);
  });
});

test("a killed server does not keep `stop` waiting for what it will never tell", async () => {
  const sonde = await started("stopped");
  const pid = await programPid(sonde);
  process.kill(await serverPid(sonde), "SIGKILL");
  expect(await sonde.text("stop")).toContain("idle");
  expect(traced(pid)?.state ?? "Z").toBe("Z");
  await nothingLeft(sonde);
});
