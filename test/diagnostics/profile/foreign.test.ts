/** Profiles that somebody else wrote, and that are not what they should be: refused, and the daemon goes on. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { fromPprof } from "../../../src/diagnostics/profile/formats/pprof/read.ts";
import { toPprof } from "../../../src/diagnostics/profile/formats/pprof/write.ts";
import { ProfileBuilder } from "../../../src/diagnostics/profile/profile.ts";
import { borrowSonde } from "../../support/sonde.ts";

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
  const events = Array.from({ length: 60_000 }, (_, at) => ({ type: "O", frame: 0, at }));
  const deep = {
    shared: { frames: [{ name: "f" }] },
    profiles: [{ type: "evented", unit: "none", startValue: 0, endValue: 1, events }],
  };
  writeFileSync(join(project, "deep.json"), JSON.stringify(deep));
  const callFrame = { functionName: "f", scriptId: "0", url: "", lineNumber: 0, columnNumber: 0 };
  const nodes = Array.from({ length: 20_000 }, (_, id) => ({ id, callFrame, children: [id + 1] }));
  writeFileSync(
    join(project, "deep.cpuprofile"),
    JSON.stringify({ nodes, startTime: 0, endTime: 1, samples: nodes.map(({ id }) => id) }),
  );
  writeFileSync(join(project, "long.folded"), `${" (".repeat(1 << 20)} 5\n`);
  writeFileSync(join(project, "pairs.pb.gz"), gzipSync(pairs(4 << 20), { level: 1 }));
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
