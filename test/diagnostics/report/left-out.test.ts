/** What a report cannot take along is said, in its manifest and in the answer. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { unpacked } from "./unpacked.ts";

interface Report {
  file: string;
  missing: { name: string; why: string }[];
}

test("lines of a trace that are no JSON, and lines of a run that are too long", async () => {
  const sonde = createSonde();
  sonde.write("app.js", "for (let a = 1; a < 5; a++) {\n  console.log(a);\n}\n");
  for (let count = 0; count < 2; count++)
    await sonde.text(["trace", "--at", "app.js:2", "--watch", "a", "--", "node", "app.js"]);
  const trace = (id: string) => join(sonde.home, "state/traces", `${id}.jsonl`);
  const lines = readFileSync(trace("t1"), "utf8").split("\n");
  // As long as before: one of another length is not read at all.
  const spoiled = lines.map((line, at) => (at === 1 || at === 2 ? line.replace("{", "x") : line));
  writeFileSync(trace("t1"), spoiled.join("\n"));
  appendFileSync(trace("t2"), "more\n");
  const run = "debug_20261117_101010_abcd";
  const folder = join(sonde.home, "state/agents/sessions", run);
  mkdirSync(folder, { recursive: true });
  const startTime = "2026-11-17T10:10:10.000Z";
  const ended = { ended: "clean", endTime: startTime };
  writeFileSync(
    join(folder, "session.json"),
    JSON.stringify({
      id: run,
      pid: 999_999,
      startTime,
      cwd: sonde.project,
      route: "proxy",
      version: "0",
      ...ended,
    }),
  );
  const event = (seq: number, content: string) =>
    `${JSON.stringify({ type: "user_input", timestamp: startTime, sessionId: run, seq, at: seq, data: { agent: "main", content } })}\n`;
  const events = event(1, "before") + event(2, "x".repeat(17 << 20)) + event(3, "after");
  writeFileSync(join(folder, "events.jsonl"), events);

  const { file, missing } = await sonde.ask<Report>("report --yes --agent");
  expect(missing.map(({ name }) => name)).toContain("traces/t2.jsonl");
  const { manifest, text } = unpacked(file);
  const leftOut = Object.fromEntries(manifest.parts.map((part) => [part.name, part.leftOut]));
  expect(leftOut["traces/t1.jsonl"]).toBe("without 2 lines that cannot be read");
  for (const name of ["events.jsonl", "transcript.txt"]) {
    expect(leftOut[`agent/${run}/${name}`]).toBe("without 1 line longer than 16 MB");
    expect(text(`agent/${run}/${name}`)).toMatch(/before.*after/s);
  }
  expect(await sonde.text("report")).toContain("without 2 lines that cannot be read");
});

test("a profile's binary form, in which paths cannot be replaced", async () => {
  const sonde = createSonde();
  sonde.fixture("profile/busy.js");
  const env = { HOME: sonde.project };
  await sonde.run("profile cpu -- node busy.js 300", { env });
  const { file, missing } = await sonde.ask<Report>("report --yes", { env });
  expect(missing.filter(({ name }) => name.startsWith("profiles/"))).toEqual([
    {
      name: "profiles/p1/profile.pb.gz",
      why: "left out: its paths cannot be removed, and stacks.folded has the same stacks",
    },
  ]);
  const { files, text } = unpacked(file);
  expect(text("profiles/p1/stacks.folded")).toContain("hot");
  for (const [name, bytes] of files) {
    const plain = name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
    if (name.startsWith("profiles/")) expect([name, plain.includes(sonde.project)]).toEqual([name, false]);
  }
});
