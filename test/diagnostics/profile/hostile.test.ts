/** Programs and tools that do what they should not: each is named, and the daemon goes on. */
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import type { ProfileData } from "./support.ts";

/** A perf that starts, says so in a file and never answers; with the environment to have it found first. */
function silentPerf({ project }: Sonde): { PATH: string } {
  const folder = join(project, "bin");
  mkdirSync(folder);
  const perf = join(folder, "perf");
  writeFileSync(perf, `#!/bin/sh\ntouch ${folder}/began\nexec sleep 100\n`);
  chmodSync(perf, 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

test("a perf that does not answer: refused, and neither it nor the program is left", async () => {
  await using sonde = createSonde();
  const env = silentPerf(sonde);
  const refusal = await sonde.refusal("profile cpu -- /bin/sleep 77", { env });
  expect(refusal).toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("perf") });
  const left = sonde.processes().map(({ command }) => command);
  expect(left.filter((command) => /sleep (77|100)/.test(command))).toEqual([]);
});

test("a perf that does not answer: Ctrl-C is answered, and neither it nor the program is left", async () => {
  await using sonde = createSonde();
  const env = silentPerf(sonde);
  const began = once(watch(join(sonde.project, "bin")), "change");
  const client = sonde.spawn(["profile", "cpu", "--", "/bin/sleep", "77"], { env });
  let said = "";
  for (const stream of [client.stdout, client.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await began;
  client.kill("SIGINT");
  await once(client, "close");
  expect(said).toContain("cancelled");
  expect(await sonde.text("status")).not.toContain("sleep");
  const left = sonde.processes().map(({ command }) => command);
  expect(left.filter((command) => /sleep (77|100)/.test(command))).toEqual([]);
});

test("a Python program that writes nonsense to the sampler's socket is named, and nothing is uncaught", async () => {
  await using sonde = createSonde();
  sonde.write(
    "a.py",
    `import os, socket, time
env = dict(one.split(b"=", 1) for one in open("/proc/self/environ", "rb").read().split(b"\\0") if b"=" in one)
address = os.path.join(env[b"PYTHONPATH"].split(b":")[0], b"s")
for text in (b"not json\\n", b'{"stacks": 1}\\n', b'{"frames": [1]}\\n', b'{"frames": [], "stacks": [[["x"], 1, 1]]}\\n', b"null\\n"):
    made = socket.socket(socket.AF_UNIX)
    made.connect(address)
    made.sendall(text)
    assert made.recv(1) == b""  # we hang up
until = time.monotonic() + 1
while time.monotonic() < until: pass
`,
  );
  const profile = await sonde.ask<ProfileData>("profile cpu -- python3 a.py");
  expect(profile.end).toEqual({ how: "program", exitCode: 0 });
  expect(profile.samples).toBeGreaterThan(0);
  expect(profile.notes.join("\n")).toMatch(/left out: 5 connections that sent data not from the sampler/);
  expect(await sonde.text("logs --tail 1000")).not.toMatch(/uncaught/i);
});

test("the newest that can be read counts, and the oldest go when they are too large together", async () => {
  await using sonde = createSonde();
  const first = await sonde.ask<ProfileData>("profile work --seconds 0.2");
  const root = join(first.folder, "..");
  mkdirSync(join(root, "p7"));
  mkdirSync(join(root, "p8"));
  writeFileSync(join(root, "p8", "profile.json"), '{"version": 1, "id"');
  expect((await sonde.ask<ProfileData>("profile show")).id).toBe(first.id);
  expect(await sonde.text("profile list")).toMatch(/^p1 .*\n$/);
  const large = join(first.folder, "heap.heapsnapshot");
  writeFileSync(large, "");
  truncateSync(large, 3 * 1024 ** 3);
  const second = await sonde.ask<ProfileData>("profile work --seconds 0.2");
  expect(second.id).toBe("p9");
  expect(existsSync(first.folder)).toBe(false);
  expect((await sonde.ask<ProfileData>("profile show")).id).toBe("p9");
  // What the list shows is not read out of whole profiles.
  const head = JSON.parse(readFileSync(join(second.folder, "head.json"), "utf8")) as object;
  expect(head).not.toHaveProperty("profile");
});
