import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BOUNDS, currentFile, dayOf, logFiles } from "../../../src/util/log/files.ts";
import { openLog } from "../../../src/util/log/writer.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sonde-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const today = () => readFileSync(currentFile(folder), "utf8");
const SOURCE = join(import.meta.dirname, "../../../src/util/log/writer.ts");

/** Runs a script with the writer in it; the sources are TypeScript. */
const TSX = ["--import", "tsx", "--input-type=module", "-e"];

describe("the log", () => {
  it("is a line of JSON for each entry, also for one of several lines, and private", () => {
    const place = join(folder, "logs");
    openLog(place, { kind: "daemon" })("warn", "one\ntwo", { session: "app" });
    const [name = ""] = readdirSync(place);
    const text = readFileSync(join(place, name), "utf8");
    expect(text.split("\n")).toHaveLength(2);
    expect(JSON.parse(text)).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: "warn",
      pid: process.pid,
      kind: "daemon",
      session: "app",
      message: "one\ntwo",
    });
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
    expect(statSync(place).mode & 0o777).toBe(0o700);
  });

  it("has no secrets", () => {
    const secret = ["sk", "ant", "api03-abcdefghijklmnop123456"].join("-");
    openLog(folder, { kind: "daemon" })("info", `upstream said 401 for ${secret}, PASSWORD=hunter2hunter2`);
    expect(today()).toContain("[masked:");
    expect(today()).not.toContain(secret);
    expect(today()).not.toContain("hunter2");
  });

  it("says when an entry was cut, and cuts no character in half", () => {
    openLog(folder, { kind: "daemon" })("info", "😀".repeat(20_000));
    const { message } = JSON.parse(today()) as { message: string };
    expect(message).toMatch(/^(😀)+… \(40000 characters\)$/u);
  });

  it("goes on in the next file when one is full, and renames none", () => {
    const bounds = { ...BOUNDS, fileBytes: 2000 };
    const log = openLog(folder, { kind: "daemon", bounds });
    for (let n = 0; n < 60; n++) log("info", `entry ${n}`);
    const files = logFiles(folder);
    expect(files.map(({ index }) => index)).toEqual(files.map((_, at) => at));
    const all = files.map(({ name }) => readFileSync(join(folder, name), "utf8")).join("");
    const said = all.trimEnd().split("\n");
    expect(said.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(
      Array.from({ length: 60 }, (_, n) => `entry ${n}`),
    );
    for (const { name } of files) expect(statSync(join(folder, name)).size).toBeLessThan(2200);
  });

  it("is bounded in bytes and in files, the oldest first", () => {
    const bounds = { ...BOUNDS, fileBytes: 1000, totalBytes: 5000, files: 100 };
    const log = openLog(folder, { kind: "daemon", bounds });
    for (let n = 0; n < 500; n++) log("info", `entry ${n}`);
    const bytes = logFiles(folder).reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(6500);
    expect(readFileSync(join(folder, logFiles(folder).at(-1)?.name ?? ""), "utf8")).toContain("entry 499");
    const few = openLog(folder, { kind: "daemon", bounds: { ...bounds, totalBytes: 1e9, files: 3 } });
    for (let n = 0; n < 100; n++) few("info", `more ${n}`);
    expect(logFiles(folder).length).toBeLessThanOrEqual(4);
  });

  it("removes files older than a week, those of earlier versions too, and nothing else", () => {
    const old = ["sonde-2020-01-01.log", "sonde-2020-01-01.3.log", "daemon-2020-01-01.log"];
    const others = ["other-2020-01-01.log", `sonde-${dayOf(new Date(Date.now() - 3 * 86_400_000))}.log`];
    for (const name of [...old, ...others]) writeFileSync(join(folder, name), "");
    openLog(folder, { kind: "daemon" })("info", "new");
    expect(old.filter((name) => existsSync(join(folder, name)))).toEqual([]);
    expect(others.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
  });

  it("counts what it could not write, and says so when it can again", () => {
    const place = join(folder, "logs");
    writeFileSync(place, "in the way");
    const log = openLog(place, { kind: "daemon" });
    log("info", "lost");
    log("info", "lost too");
    rmSync(place);
    mkdirSync(place);
    log("info", "kept");
    const messages = readFileSync(currentFile(place), "utf8").trimEnd().split("\n");
    expect(messages.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      "log entries lost: 2",
      "kept",
    ]);
  });

  it("never follows a link to another file", () => {
    const target = join(folder, "target");
    writeFileSync(target, "mine\n");
    symlinkSync(target, currentFile(folder));
    const log = openLog(folder, { kind: "daemon" });
    log("info", "not there");
    expect(readFileSync(target, "utf8")).toBe("mine\n");
    unlinkSync(currentFile(folder));
    log("info", "here");
    expect(today()).toMatch(/lost: 1[\s\S]*here/);
  });

  it("goes on in a new file when its own was removed", () => {
    const log = openLog(folder, { kind: "daemon" });
    log("info", "before");
    unlinkSync(currentFile(folder));
    log("info", "after");
    expect(today()).toContain("after");
  });

  it("takes entries of several processes at once: whole lines, none lost, none twice", async () => {
    const script = (who: number) => `
      const { openLog } = await import(${JSON.stringify(SOURCE)});
      const bounds = { fileBytes: 20_000, totalBytes: 1e9, files: 1000, days: 7 };
      const log = openLog(${JSON.stringify(folder)}, { kind: "p${who}", bounds });
      for (let n = 0; n < 500; n++) log("info", n + " " + "x".repeat(n % 300));`;
    const run = promisify(execFile);
    await Promise.all([1, 2, 3, 4].map((who) => run(process.execPath, [...TSX, script(who)])));
    const lines = logFiles(folder).flatMap(({ name }) =>
      readFileSync(join(folder, name), "utf8").trimEnd().split("\n"),
    );
    const seen = lines.map((line) => {
      const { kind, message } = JSON.parse(line) as { kind: string; message: string };
      return `${kind} ${message.split(" ")[0]}`;
    });
    expect(seen).toHaveLength(2000);
    expect(new Set(seen).size).toBe(2000);
    expect(logFiles(folder).length).toBeGreaterThan(5);
  });

  it("leaves the process alive when the disk is full, and no half line in the way", () => {
    // A file-size limit stands in for the disk; the write fails with EFBIG.
    const script = `
      const { openLog } = await import(${JSON.stringify(SOURCE)});
      process.on("SIGXFSZ", () => {});
      const log = openLog(${JSON.stringify(folder)}, { kind: "daemon" });
      for (let n = 0; n < 100; n++) log("info", "x".repeat(200));
      console.log("alive");`;
    const out = execFileSync(
      "bash",
      ["-c", `ulimit -f 4; exec "$0" "$@"`, process.execPath, ...TSX, script],
      {
        env: { ...process.env, TMPDIR: folder },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    expect(out).toContain("alive");
    openLog(folder, { kind: "daemon" })("info", "room again");
    expect(JSON.parse(today().trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ message: "room again" });
  });
});
