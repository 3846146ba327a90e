/** Profiles, programs and tools that do what they should not: each is refused or named, and the daemon goes on. */
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { fromPprof } from "../../../src/diagnostics/profile/formats/pprof/read.ts";
import { toPprof } from "../../../src/diagnostics/profile/formats/pprof/write.ts";
import { ProfileBuilder } from "../../../src/diagnostics/profile/profile.ts";
import { borrowSonde, createSonde, type Sonde } from "../../support/sonde.ts";
import type { ProfileData } from "./support.ts";

/** A field of a profile that may be there once, again and again. */
const pairs = (bytes: number) => Buffer.alloc(bytes, Buffer.from([0x48, 1]));

test("a pprof answer or file that inflates to more than 64 MB is refused", async () => {
  await using sonde = borrowSonde();
  const bomb = gzipSync(pairs(200 << 20), { level: 1 });
  writeFileSync(join(sonde.project, "bomb.pb.gz"), bomb);
  const server = createServer((_, response) => response.end(bomb)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await sonde.refusal(["profile", "heap", "--url", url])).toMatchObject({
    code: "REQUEST_FAILED",
    message: expect.stringContaining("64 MB"),
    hint: expect.any(String),
  });
  expect(await sonde.refusal("profile diff bomb.pb.gz bomb.pb.gz")).toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringMatching(/bomb\.pb\.gz.*64 MB/),
    hint: expect.any(String),
  });
});

test("files that stand for far more than their size are refused", async () => {
  await using sonde = borrowSonde();
  const { project } = sonde;
  // Each event opens one more frame: the stacks grow with the square of their number.
  const events = Array.from({ length: 300_000 }, (_, at) => ({ type: "O", frame: 0, at }));
  const deep = {
    shared: { frames: [{ name: "f" }] },
    profiles: [{ type: "evented", unit: "none", startValue: 0, endValue: 1, events }],
  };
  writeFileSync(join(project, "deep.json"), JSON.stringify(deep));
  const callFrame = { functionName: "f", scriptId: "0", url: "", lineNumber: 0, columnNumber: 0 };
  const nodes = Array.from({ length: 200_000 }, (_, id) => ({ id, callFrame, children: [id + 1] }));
  writeFileSync(
    join(project, "deep.cpuprofile"),
    JSON.stringify({ nodes, startTime: 0, endTime: 1, samples: [1] }),
  );
  writeFileSync(join(project, "long.folded"), `${" (".repeat(1 << 20)} 5\n`);
  writeFileSync(join(project, "pairs.pb.gz"), gzipSync(pairs(50 << 20), { level: 1 }));
  for (const name of ["deep.json", "deep.cpuprofile", "long.folded", "pairs.pb.gz"])
    expect([name, await sonde.refusal(`profile diff ${name} ${name}`)]).toEqual([
      name,
      expect.objectContaining({
        code: "BAD_ARGUMENT",
        message: expect.stringMatching(`${name} is too large`),
      }),
    ]);
  writeFileSync(join(project, "large.json"), Buffer.alloc(65 << 20, " "));
  expect(await sonde.refusal("profile diff large.json large.json")).toMatchObject({
    message: expect.stringMatching("64 MB"),
  });
});

test("files of the right form with the wrong things in them are refused as no profile", async () => {
  await using sonde = borrowSonde();
  const files = {
    "a.json":
      '{"shared": {"frames": [null]}, "profiles": [{"type": "sampled", "samples": [[0]], "weights": [1]}]}',
    "b.json": '{"shared": {"frames": []}, "profiles": [{"type": "evented", "events": [null]}]}',
    "c.json": '{"nodes": [{"callFrame": null}], "samples": [1]}',
    "d.json": '{"head": {"callFrame": {}, "children": [1]}}',
    "e.json": "[null]",
  };
  for (const [name, text] of Object.entries(files)) {
    sonde.write(name, text);
    const { code, message } = await sonde.refusal(`profile diff ${name} ${name}`);
    expect([name, code, message]).toEqual([name, "BAD_ARGUMENT", expect.stringContaining(name)]);
  }
});

test("a large profile is decoded in turns", async () => {
  const builder = new ProfileBuilder("ns");
  const frames = Array.from({ length: 2000 }, (_, at) => builder.frame({ name: `f${at}` }));
  for (let at = 0; at < 100_000; at++)
    builder.add([frames[at % 2000] ?? 0, frames[(at >> 4) % 2000] ?? 0, frames[(at * 7) % 1999] ?? 0], 1);
  const profile = builder.build();
  const bytes = toPprof(profile, { began: 0, seconds: 1, period: 1 });
  let turns = 0;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const read = await fromPprof(bytes);
  clearImmediate(next);
  expect(read.samples).toHaveLength(profile.samples.length);
  expect(turns).toBeGreaterThan(20);
});

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
  const { truncateSync, existsSync } = await import("node:fs");
  truncateSync(large, 3 * 1024 ** 3);
  const second = await sonde.ask<ProfileData>("profile work --seconds 0.2");
  expect(second.id).toBe("p9");
  expect(existsSync(first.folder)).toBe(false);
  expect((await sonde.ask<ProfileData>("profile show")).id).toBe("p9");
  // What the list shows is not read out of whole profiles.
  const head = JSON.parse(readFileSync(join(second.folder, "head.json"), "utf8")) as object;
  expect(head).not.toHaveProperty("profile");
});
