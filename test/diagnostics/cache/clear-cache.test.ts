import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { oldArtifacts } from "../../../src/diagnostics/cache/artifacts.ts";
import { createSonde } from "../../support/sonde.ts";

const DAY = 86_400_000;

interface Cleared {
  count: number;
  bytes: number;
  oldest?: string;
  kinds: { kind: string; count: number; bytes: number }[];
  removed: boolean;
  skipped: { path: string; why: string }[];
}

/** A file of this age, in days. */
function plant(path: string, days: number, text = "12345"): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const time = (Date.now() - days * DAY) / 1000;
  utimesSync(path, time, time);
  return path;
}

function age(path: string, days: number): void {
  const time = (Date.now() - days * DAY) / 1000;
  utimesSync(path, time, time);
}

function plantAll(state: string, days: number, number: number): string[] {
  const paths = [
    plant(join(state, `traces/t${number}.jsonl`), days),
    plant(join(state, `traces/t${number}.output.txt`), days),
    plant(join(state, `reports/sonde-report-2026-01-0${number}T10-00-00Z.tar.gz`), days),
    plant(join(state, `profiles/p${number}/flame.svg`), days),
    plant(join(state, `logs/sonde-2026-01-0${number}.log`), days),
  ];
  age(join(state, `profiles/p${number}`), days);
  const run = join(state, `agents/sessions/debug_2026010${number}_101010_abcd`);
  const time = new Date(Date.now() - days * DAY).toISOString();
  const record = {
    id: "x",
    pid: 999_999,
    startTime: time,
    cwd: "/",
    route: "proxy",
    version: "1",
    ended: "clean",
    endTime: time,
  };
  paths.push(
    plant(join(run, "session.json"), days, JSON.stringify(record)),
    plant(join(run, "events.jsonl"), days),
  );
  return paths;
}

describe("clear-cache", () => {
  test("artifact cache pruning 30 days: tells count, size and oldest, and removes only with --yes", async () => {
    const sonde = createSonde();
    const state = join(sonde.home, "state");
    const old = plantAll(state, 40, 1).filter((path) => !path.endsWith(".log")); // logs go after a week by themselves
    const young = plantAll(state, 20, 2).filter((path) => !path.endsWith(".log"));
    const shown = await sonde.text("clear-cache");
    expect(shown).toMatch(/^would remove \d artifacts, [\d.]+ (bytes|kB), older than 30d:\n/);
    expect(shown).toMatch(/\n {2}1 trace, 10 bytes, the oldest of \d{4}-\d\d-\d\d\n/);
    expect(shown).toMatch(/\n {2}1 run, /);
    expect(shown).toContain("`sonde clear-cache --older-than 30d --yes` removes it\n");
    expect([...old, ...young].filter((path) => !existsSync(path))).toEqual([]);
    const { removed, count, oldest } = await sonde.ask<Cleared>("clear-cache --yes");
    expect({ removed, isFew: count >= 4 && count <= 5 }).toEqual({ removed: true, isFew: true });
    expect(Math.round((Date.now() - Date.parse(oldest ?? "")) / DAY)).toBe(40);
    expect(old.filter((path) => existsSync(path))).toEqual([]);
    expect(young.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("an empty cache is a plain answer", async () => {
    const sonde = createSonde();
    for (const words of ["clear-cache", "clear-cache --yes"])
      expect(await sonde.text(words)).toBe(
        "nothing to remove: no trace, report, profile, run or log is older than 30d\n",
      );
  });

  test("only what is known by name and place goes; links are left, and what they lead to", async () => {
    const sonde = createSonde();
    const state = join(sonde.home, "state");
    const others = [
      plant(join(state, "traces/notes.txt"), 90),
      plant(join(state, "reports/my-report.tar.gz"), 90),
      plant(join(state, "profiles/p7/deeper/file"), 90),
      plant(join(sonde.project, "t9.jsonl"), 90),
      plant(join(sonde.project, "precious/p1"), 90),
    ];
    age(join(state, "profiles/p7"), 90);
    symlinkSync(join(sonde.project, "t9.jsonl"), join(state, "traces/t9.jsonl"));
    symlinkSync(join(sonde.project, "precious"), join(state, "profiles/p8"));
    const { count, skipped } = await sonde.ask<Cleared>("clear-cache --yes --older-than 1d");
    expect(count).toBe(0);
    expect(skipped).toEqual([{ path: join(state, "profiles/p7"), why: "it holds more than plain files" }]);
    expect(others.filter((path) => !existsSync(path))).toEqual([]);
    expect(readdirSync(join(state, "traces")).sort()).toEqual(["notes.txt", "t9.jsonl"]);
  });

  test("a run that is alive stays, however old, and so does what was changed just now", async () => {
    const sonde = createSonde();
    const state = join(sonde.home, "state");
    const run = join(state, "agents/sessions/debug_20260101_101010_live");
    const record = {
      id: "x",
      pid: process.pid,
      startTime: "2026-01-01T00:00:00.000Z",
      cwd: "/",
      route: "proxy",
      version: "1",
    };
    plant(join(run, "session.json"), 90, JSON.stringify(record));
    const trace = plant(join(state, "traces/t1.jsonl"), 0);
    expect((await sonde.ask<Cleared>("clear-cache --yes --older-than 0m")).count).toBe(0);
    expect(existsSync(run)).toBe(true);
    expect(existsSync(trace)).toBe(true);
  });

  test("an age that is none is refused", async () => {
    const sonde = createSonde();
    expect(await sonde.refusal("clear-cache --older-than soon")).toMatchObject({
      code: "BAD_ARGUMENT",
      message: "--older-than: `soon` is not an age",
    });
  });
});

describe("old artifacts", () => {
  test("inaccessible cache dirs are told, and are no error", () => {
    const state = mkdtempSync(join(tmpdir(), "sonde-cache-"));
    onTestFinished(() => {
      if (existsSync(join(state, "reports"))) chmodSync(join(state, "reports"), 0o700);
      rmSync(state, { recursive: true, force: true });
    });
    plant(join(state, "traces/t1.jsonl"), 90);
    symlinkSync(join(state, "traces"), join(state, "profiles"));
    writeFileSync(join(state, "logs"), "a file where a folder belongs");
    const places = {
      traces: join(state, "traces"),
      reports: join(state, "none"),
      profiles: join(state, "profiles"),
      logs: join(state, "logs"),
    };
    const { artifacts, skipped } = oldArtifacts(places, 30 * DAY);
    expect(artifacts.map(({ kind, paths }) => [kind, paths])).toEqual([
      ["trace", [join(state, "traces/t1.jsonl")]],
    ]);
    expect(skipped).toEqual([
      { path: places.profiles, why: "it is a link" },
      { path: places.logs, why: "ENOTDIR" },
    ]);
  });
});
