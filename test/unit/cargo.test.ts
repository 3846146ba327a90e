import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../src/adapters/adapter.ts";
import { runCargo } from "../../src/adapters/native/cargo.ts";
import { identityOf } from "../../src/util/process-facts.ts";

function cargo(script: string, signal?: AbortSignal) {
  const cwd = mkdtempSync(join(tmpdir(), "sonde-cargo-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const path = join(cwd, "cargo");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const owned = new Set<number>();
  const said: string[] = [];
  const host: Host = {
    found: { ok: true, version: "1", path },
    where: { env: {}, cwd, adapters: cwd },
    processes: {
      own(pid) {
        owned.add(pid);
        return pid;
      },
      release: (pid) => owned.delete(pid),
    },
    timeoutMs: 1000,
    signal,
    log: () => {},
    say: (text) => said.push(text),
  };
  const env = { PATH: process.env.PATH ?? "" };
  const run = (words = ["run", "--", "a"]) => runCargo(path, words, { cwd, env }, host);
  return { run, cwd, owned, said };
}

const ARTIFACT = JSON.stringify({
  reason: "compiler-artifact",
  executable: "/x/target/debug/shop",
  target: { name: "shop", kind: ["bin"] },
  manifest_path: "/x/Cargo.toml",
  package_id: "path+file:///x#shop@0.1.0",
});

test("what stands between cargo's messages is passed over", async () => {
  const { run, owned, said } = cargo(
    `echo Compiling >&2; echo '{not json'; echo plain; echo '{"reason":1}'; printf '%s' '${ARTIFACT}'`,
  );
  expect(await run()).toMatchObject({
    program: "/x/target/debug/shop",
    args: ["a"],
    env: { CARGO_PKG_NAME: "shop", CARGO_PKG_VERSION: "0.1.0" },
  });
  expect(said.join("")).toBe("Compiling\n");
  expect(owned.size).toBe(0);
});

test.each([
  [["test", "two"], "test --no-run", ["two"]],
  [
    ["test", "--lib", "-p", "shop", "two", "--", "--exact"],
    "test --no-run --lib -p shop",
    ["two", "--exact"],
  ],
  [["run", "--bin", "shop", "a", "--b"], "build --bin shop", ["a", "--b"]],
  [["+nightly", "bench", "--features", "x", "sum"], "+nightly bench --no-run --features x", ["sum"]],
])("the name of a test reaches the test program: cargo %s", async (words, built, args) => {
  const { run, cwd } = cargo(`echo "$@" > words; printf '%s' '${ARTIFACT}'`);
  expect((await run(words)).args).toEqual(args);
  expect(readFileSync(join(cwd, "words"), "utf8")).toBe(
    `${built} --message-format=json-render-diagnostics\n`,
  );
});

test("a failure has cargo's words", async () => {
  const { run } = cargo("echo 'error: no such thing' >&2; exit 101");
  await expect(run()).rejects.toMatchObject({
    code: "LAUNCH_FAILED",
    message: "cargo build failed:\nerror: no such thing",
  });
});

test("a cancel ends cargo and the compiler it runs", async () => {
  const stop = new AbortController();
  const { run, cwd, owned } = cargo(
    "sleep 60 & echo $! > compiler.new; mv compiler.new compiler; wait",
    stop.signal,
  );
  const ended = run();
  // There is no moment at which it runs and nobody would end it if we died.
  expect(owned.size).toBe(1);
  const file = join(cwd, "compiler");
  await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
  const pids = [...owned, Number(readFileSync(file, "utf8"))];
  expect(pids.map(identityOf)).toEqual([expect.any(String), expect.any(String)]);
  stop.abort();
  await expect(ended).rejects.toMatchObject({ code: "CANCELLED", message: "cargo build was cancelled" });
  expect(owned.size).toBe(0);
  await expect.poll(() => pids.map(identityOf)).toEqual([undefined, undefined]);
});
