/** The example agent by itself: it works without the bridge, asks before it runs commands, and stays in its limits. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Provider } from "../provider/index.mjs";
import { bash, cleanUp, createPlace, provide, startAgent } from "./support.ts";

afterEach(cleanUp);

/** Off: SONDE_AGENT is not set. Not by spawnSync: the provider is in this process. */
async function runOff(provider: Provider, ...args: string[]) {
  const { execFile } = await import("node:child_process");
  const place = createPlace();
  writeFileSync(join(place.work, "a.txt"), "one\ntwo\n");
  const { SONDE_AGENT: _, ...env } = process.env;
  const words = [join(place.agent, "agent.mjs"), "-p", "do it", "--base-url", provider.url, ...args];
  const options = { cwd: place.work, env: { ...env, SONDE_HOME: place.home, ANTHROPIC_API_KEY: "none" } };
  return new Promise<{ place: typeof place; stdout: string; stderr: string; failed: boolean }>((done) => {
    const child = execFile(process.execPath, words, options, (error, stdout, stderr) =>
      done({ place, stdout, stderr, failed: error !== null }),
    );
    child.stdin?.end();
  });
}

test("reads, writes, edits and runs; without the bridge nothing of it is on disk", async () => {
  const provider = await provide({
    script: [
      { tools: [{ name: "read", input: { path: "a.txt" } }] },
      {
        tools: [
          { name: "edit", input: { path: "a.txt", old: "two", new: "$& three" } },
          { name: "edit", input: { path: "a.txt", old: "x", new: "y" } },
        ],
      },
      {
        tools: [
          { name: "write", input: { path: "deep/b.txt", content: "b" } },
          { name: "bash", input: { command: "cat deep/b.txt; exit 3" } },
        ],
      },
      {
        tools: [
          { name: "nonsense", input: {} },
          { name: "read", input: {} },
        ],
      },
      { text: "All done." },
    ],
  });
  const { place, stdout, failed } = await runOff(provider, "--yes");
  expect([failed, stdout]).toEqual([false, "All done.\n"]);
  expect(readFileSync(join(place.work, "a.txt"), "utf8")).toBe("one\n$& three\n");
  expect(provider.calls.map(({ outline }) => outline.at(-1))).toEqual([
    "user: do it",
    "user: [result toolu_0001 1\tone\n2\ttwo\n3\t]",
    "user: [result toolu_0002 Edited a.txt.] [result toolu_0003 failed The old text occurs 0 times in a.txt, not once.]",
    "user: [result toolu_0004 Wrote 1 bytes to deep/b.txt.] [result toolu_0005 failed b\n(exit 3)]",
    "user: [result toolu_0006 failed There is no tool nonsense.] [result toolu_0007 failed read needs a text for path.]",
  ]);
  expect(existsSync(place.home)).toBe(false);
});

test("runs no command that nobody allowed", async () => {
  const provider = await provide({ script: [bash("touch unwanted"), { text: "Then not." }] });
  const { place, stdout } = await runOff(provider);
  expect(stdout).toContain("Then not.");
  expect(existsSync(join(place.work, "unwanted"))).toBe(false);
  expect(provider.calls[1]?.outline.at(-1)).toContain("failed Commands are not allowed here");
});

test("gives up after so many model calls", async () => {
  const provider = await provide({ script: () => bash("true") });
  const { stderr, failed } = await runOff(provider, "--yes", "--max-iterations", "3");
  expect([failed, stderr.includes("gave up after 3 model calls")]).toEqual([true, true]);
  expect(provider.calls).toHaveLength(3);
});

test("says what the provider's error was", async () => {
  const provider = await provide({ script: [{ error: 401 }] });
  const { stderr, failed } = await runOff(provider);
  expect(failed).toBe(true);
  expect(stderr).toContain("invalid x-api-key");
});

test("holds a conversation", async () => {
  const provider = await provide({ script: [{ text: "Hello." }, { text: "Bye." }] });
  const agent = await startAgent(provider, { input: "one\ntwo\n\n" });
  await expect(agent.ended).resolves.toMatchObject({ status: 0, stdout: "Hello.\nBye.\n" });
  expect(provider.calls[1]?.outline).toEqual(["user: one", "assistant: Hello.", "user: two"]);
  expect(agent.events("turn_start")).toHaveLength(2);
});

test("has help", () => {
  const place = createPlace();
  const { stdout, status } = spawnSync(process.execPath, [join(place.agent, "agent.mjs"), "--help"], {
    encoding: "utf8",
  });
  expect([status, stdout.includes("--base-url")]).toEqual([0, true]);
});
