import { expect, test } from "vitest";
import { askProgram, environmentKey, probe } from "../../src/adapters/kit/find.ts";
import { type GroupRun, runGroup } from "../../src/util/group-run.ts";
import { identityOf } from "../../src/util/process-facts.ts";

async function run(script: string, options: Partial<GroupRun> = {}) {
  let said = "";
  const began = performance.now();
  const ended = await runGroup("/bin/sh", ["-c", script], {
    ...{ timeoutMs: 10_000, graceMs: 0 },
    ...options,
    heard: (text) => {
      said += text;
      options.heard?.(text, "stdout");
    },
  });
  return { ended, said, ms: performance.now() - began };
}

/** The processes whose numbers it printed. */
async function gone(said: string): Promise<void> {
  const pids = said.match(/\d+/g) ?? [];
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) await expect.poll(() => identityOf(Number(pid))).toBeUndefined();
}

test("how it ended is told", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
    ended: { how: "exited", code: 3, signal: null },
    said: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
  });
  expect((await run("kill -9 $$")).ended).toEqual({ how: "exited", code: null, signal: "SIGKILL" });
  expect(await runGroup("/nowhere/tool", [], { timeoutMs: 1000, graceMs: 0, heard: () => {} })).toMatchObject(
    { how: "failed", error: { code: "ENOENT" } },
  );
});

test("one that ignores the polite signal ends at the deadline, with what it started", async () => {
  const stubborn = "trap '' TERM; sleep 60 & echo $$ $!; wait; sleep 60";
  const { ended, said, ms } = await run(stubborn, { timeoutMs: 300, graceMs: 100 });
  expect(ended).toEqual({ how: "timeout" });
  expect(ms).toBeLessThan(8_000);
  await gone(said);
});

test("a cancel ends it", async () => {
  const stop = new AbortController();
  const { ended, said } = await run("sleep 60 & echo $$ $!; wait", {
    signal: stop.signal,
    heard: () => stop.abort(),
  });
  expect(ended).toEqual({ how: "aborted" });
  await gone(said);
});

test("its own end counts, not that of something it left with its streams", async () => {
  const { ended, said, ms } = await run("sleep 60 & echo $!");
  expect(ended).toMatchObject({ how: "exited", code: 0 });
  expect(ms).toBeLessThan(8_000);
  await gone(said);
});

test("a program that never answers a question is given up", async () => {
  const said = await askProgram("/bin/sh", ["-c", "trap '' TERM; echo $$; while :; do sleep 1; done"], {
    timeoutMs: 300,
  });
  expect(said).toMatchObject({ ok: false, problem: "no answer in 0.3 s" });
  await gone(said.stdout);
});

test("an answer is remembered for the environment it was given in", async () => {
  const args = ["-c", 'echo "$RUSTUP_TOOLCHAIN" $$'];
  const stable = await probe("/bin/sh", args, { RUSTUP_TOOLCHAIN: "stable", SHLVL: "1" });
  expect(await probe("/bin/sh", args, { RUSTUP_TOOLCHAIN: "stable", SHLVL: "2" })).toBe(stable);
  expect(await probe("/bin/sh", args, { RUSTUP_TOOLCHAIN: "nightly" })).toMatch(/^nightly /);
  expect(environmentKey({ PATH: "/a", HOME: "/h" })).toBe(environmentKey({ HOME: "/h", PATH: "/a" }));
  expect(environmentKey({ PATH: "/a" })).not.toBe(environmentKey({ PATH: "/b" }));
});
