import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { unpacked } from "./unpacked.ts";

interface Report {
  file: string;
  written: boolean;
  bytes?: number;
  parts: { name: string; bytes: number; sha256: string }[];
  missing: { name: string; why: string }[];
}

describe("report", () => {
  test("without --yes shows names, sizes and removals, and writes nothing", async () => {
    const sonde = createSonde();
    // A home whose name is in the environment, wherever the tests run.
    const text = await sonde.text("report", { env: { HOME: sonde.project } });
    expect(text).toMatch(/^report, not written: \S+sonde-report-[\dTZ-]+\.tar\.gz\n/);
    expect(text).toMatch(/\n {2}system\.json +\d/);
    expect(text).toMatch(/\nremoved: (?:\d+ [a-zA-Z ]+(?:, |\n))+/);
    expect(text).toContain("`sonde report --yes` writes it\n");
    expect(existsSync(join(sonde.home, "state/reports"))).toBe(false);
  });

  test("says in words what was removed", async () => {
    const sonde = createSonde();
    sonde.config(
      '[adapters.mine]\ncommand = "true"\nfile_types = [".mine"]\nargs = ["twas-brillig", "--db-pass", "x1y2z3"]\n',
    );
    const text = await sonde.text("report", { env: { PLAIN_ONE: "twas-brillig" } });
    expect(text).toMatch(/\nremoved: .*\b\d+ environment values\b.*\b\d+ passwords\b/);
  });

  test("--yes writes a file of its own that only the user can read, and prints where", async () => {
    const sonde = createSonde();
    const { file, bytes, parts, written } = await sonde.ask<Report>("report --yes");
    expect(written).toBe(true);
    expect(file).toMatch(/\/state\/reports\/sonde-report-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/);
    expect(statSync(file).size).toBe(bytes);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    const { files, manifest, listing } = unpacked(file);
    expect([...files.keys()].sort()).toEqual(["manifest.json", ...parts.map(({ name }) => name)].sort());
    for (const { name, bytes: size, sha256 } of manifest.parts) {
      const content = files.get(name) ?? Buffer.alloc(0);
      expect([name, content.length]).toEqual([name, size]);
      expect([name, createHash("sha256").update(content).digest("hex")]).toEqual([name, sha256]);
    }
    for (const line of listing)
      expect(line).toMatch(/^-rw------- 0\/0 +\d+ 1970-01-01 00:00:00 sonde-report\//);
  });

  test("missing files are listed as missing, and are no error", async () => {
    const sonde = createSonde();
    const { file, missing } = await sonde.ask<Report>("report --yes");
    const config = missing.find(({ name }) => name === "config.toml");
    expect(config?.why).toContain("does not exist");
    expect(unpacked(file).manifest.missing).toEqual(missing);
  });

  test("report bundles include only the last 1000 log lines", async () => {
    const sonde = createSonde();
    const logs = join(sonde.home, "state/logs");
    mkdirSync(logs, { recursive: true });
    const days = [86_400_000, 0].map((ago) => new Date(Date.now() - ago).toISOString().slice(0, 10));
    for (const day of days) {
      const time = `${day}T00:00:00.000Z`;
      const lines = Array.from({ length: 700 }, (_, at) =>
        JSON.stringify({ time, level: "info", pid: 1, kind: "daemon", message: `entry ${at}` }),
      );
      writeFileSync(join(logs, `sonde-${day}.log`), `${lines.join("\n")}\n`);
    }
    const { file } = await sonde.ask<Report>("report --yes");
    const log = unpacked(file).text("log.txt").trimEnd().split("\n");
    expect(log).toHaveLength(1000);
    expect(log.filter((line) => line.startsWith(days[1] ?? "?")).length).toBeGreaterThanOrEqual(700);
    expect(log.find((line) => line.startsWith(days[0] ?? "?"))).toContain("entry 4");
    expect(log.map((line) => line.slice(0, 10))).toEqual(log.map((line) => line.slice(0, 10)).sort());
  });

  test("a second report of the same second has a name of its own, and the same bytes", async () => {
    const sonde = createSonde();
    const time = ["report", "--yes", "--time", "2026-11-17T10:35:45Z"];
    const first = await sonde.ask<Report>(time);
    const second = await sonde.ask<Report>(time);
    expect(first.file).toMatch(/sonde-report-2026-11-17T10-35-45Z\.tar\.gz$/);
    expect(second.file).toMatch(/sonde-report-2026-11-17T10-35-45Z-2\.tar\.gz$/);
    expect(readFileSync(first.file).equals(readFileSync(second.file))).toBe(true);
  });

  test("--output into a folder that does not exist is wrong usage", async () => {
    const sonde = createSonde();
    expect(await sonde.refusal(["report", "--yes", "--output", "nope/x.tar.gz"])).toMatchObject({
      code: "BAD_ARGUMENT",
      message: expect.stringContaining("nope does not exist"),
    });
  });

  test("--output never writes over a file or through a link", async () => {
    const sonde = createSonde();
    sonde.write("mine.tar.gz", "precious");
    symlinkSync(join(sonde.project, "elsewhere"), join(sonde.project, "link.tar.gz"));
    for (const name of ["mine.tar.gz", "link.tar.gz"]) {
      const refusal = await sonde.refusal(["report", "--yes", "--output", name]);
      expect(refusal).toMatchObject({ code: "BAD_ARGUMENT", message: expect.stringContaining("in the way") });
    }
    expect(readFileSync(join(sonde.project, "mine.tar.gz"), "utf8")).toBe("precious");
    expect(readdirSync(sonde.project).sort()).toEqual(["link.tar.gz", "mine.tar.gz"]);
  });

  test("a time that is none is refused", async () => {
    const sonde = createSonde();
    expect(await sonde.refusal(["report", "--time", "soon"])).toMatchObject({
      code: "BAD_ARGUMENT",
      message: "--time: `soon` is not a time",
    });
  });
});
