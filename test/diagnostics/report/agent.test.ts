import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { unpacked } from "./unpacked.ts";

interface Report {
  file: string;
  missing: { name: string; why: string }[];
  warnings: string[];
}

const RUN = "debug_20261117_101010_abcd";

function plantRun({ home, project }: Sonde, agents: readonly string[]): string {
  const folder = join(home, "state/agents/sessions", RUN);
  mkdirSync(folder, { recursive: true });
  const startTime = "2026-11-17T10:10:10.000Z";
  const ended = { ended: "clean", endTime: "2026-11-17T10:11:00.000Z" };
  const record = {
    id: RUN,
    pid: 999_999,
    startTime,
    cwd: project,
    route: "proxy",
    version: "0.1.0",
    ...ended,
  };
  writeFileSync(join(folder, "session.json"), JSON.stringify(record));
  const events = ["main", ...agents].flatMap((agent, at) => [
    { type: "agent_start", data: { agent, name: "helper" } },
    { type: "assistant_text", data: { agent, content: `said by ${agent}, é` } },
    { type: "assistant_text", data: { agent: "main", content: `main ${at}` } },
  ]);
  const lines = events.map((event, at) =>
    JSON.stringify({ ...event, timestamp: startTime, sessionId: RUN, seq: at + 1, at }),
  );
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n{"torn`);
  return folder;
}

describe("report --agent", () => {
  test("subagent inclusion capped at 10", async () => {
    const sonde = createSonde();
    plantRun(
      sonde,
      Array.from({ length: 13 }, (_, at) => `sub-${at + 1}.`),
    );
    const { file } = await sonde.ask<Report>("report --yes --agent");
    const { text, manifest } = unpacked(file);
    for (const name of ["events.jsonl", "transcript.txt"]) {
      const content = text(`agent/${RUN}/${name}`);
      expect(content).toContain("said by main, é");
      expect(content).toContain("main 13");
      expect(content).not.toMatch(/said by sub-[123]\./);
      for (let number = 4; number <= 13; number++) expect(content).toContain(`said by sub-${number}.`);
      const part = manifest.parts.find((one) => one.name.endsWith(name));
      const torn = name === "transcript.txt" ? "; without 1 line that cannot be read" : "";
      expect(part?.leftOut).toBe(`without 3 older sub-agents${torn}`);
    }
  });

  test("missing files skipped and listed", async () => {
    const sonde = createSonde();
    const folder = plantRun(sonde, []);
    rmSync(join(folder, "events.jsonl"));
    const { file } = await sonde.ask<Report>(["report", "--yes", "--agent", "abcd"]);
    const { manifest, files } = unpacked(file);
    const missing = manifest.missing.map(({ name }) => name);
    expect(missing).toContain(`agent/${RUN}/events.jsonl`);
    expect(missing).toContain(`agent/${RUN}/commands.jsonl`);
    expect([...files.keys()]).toContain(`agent/${RUN}/session.json`);
  });

  test("without any run says so, and a run that is not there is refused", async () => {
    const sonde = createSonde();
    const { missing } = await sonde.ask<Report>("report --agent");
    expect(missing).toContainEqual({ name: "agent", why: "no agent has been run" });
    expect(await sonde.refusal(["report", "--agent", "nobody"])).toMatchObject({ code: "NO_SESSION" });
  });

  test("a heap snapshot is in it only by name, with a warning", async () => {
    const sonde = createSonde();
    sonde.write("x.heapsnapshot", '{"strings":["password=hunter2x","plain"]}');
    const without = await sonde.ask<Report>("report --yes");
    expect([...unpacked(without.file).files.keys()]).not.toContain("memory.heapsnapshot");
    const { file, warnings } = await sonde.ask<Report>("report --yes --heap-snapshot x.heapsnapshot");
    expect(warnings.join()).toContain("every text that the program had in memory");
    expect(unpacked(file).text("memory.heapsnapshot")).toBe(
      '{"strings":["password=[masked:password:0001]","plain"]}',
    );
  });
});
