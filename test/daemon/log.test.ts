import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logFile } from "../../src/client/log-file.ts";
import { openLog } from "../../src/daemon/log.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sonde-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the daemon's log", () => {
  it("indents the further lines of an entry, and is private", () => {
    openLog(folder)("warn", "one\ntwo");
    expect(readFileSync(logFile(folder), "utf8")).toMatch(/^\d{4}-\S+Z warn \d+ one\n {2}two\n$/);
    expect(statSync(logFile(folder)).mode & 0o777).toBe(0o600);
  });

  it("keeps at most two files of the given size a day", () => {
    const log = openLog(folder, { maxBytes: 2000 });
    for (let n = 0; n < 200; n++) log("info", `entry ${n}`);
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(2);
    const sizes = names.map((name) => statSync(join(folder, name)).size);
    expect(Math.max(...sizes)).toBeLessThan(2100);
    expect(readFileSync(logFile(folder), "utf8")).toContain("entry 199");
  });

  it("removes files older than a week, and nothing else", () => {
    writeFileSync(join(folder, "daemon-2020-01-01.log"), "");
    writeFileSync(join(folder, "other-2020-01-01.log"), "");
    openLog(folder)("info", "new");
    expect(readdirSync(folder)).not.toContain("daemon-2020-01-01.log");
    expect(readdirSync(folder)).toContain("other-2020-01-01.log");
  });

  it("counts what it could not write, and says so when it can again", () => {
    const place = join(folder, "logs");
    writeFileSync(place, "in the way");
    const log = openLog(place);
    log("info", "lost");
    log("info", "lost too");
    rmSync(place);
    mkdirSync(place);
    log("info", "kept");
    expect(readFileSync(logFile(place), "utf8")).toMatch(/log entries lost: 2\n.* kept\n$/);
  });

  it("leaves the daemon alive when the disk is full", () => {
    // A file-size limit stands in for the disk; the write fails with EFBIG.
    const script = `
      const { openLog } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/daemon/log.ts"))});
      process.on("SIGXFSZ", () => {});
      const log = openLog(${JSON.stringify(folder)});
      for (let n = 0; n < 100; n++) log("info", "x".repeat(200));
      console.log("alive");`;
    const out = execFileSync("bash", ["-c", `ulimit -f 4; exec npx tsx --input-type=module -e "$SCRIPT"`], {
      env: { ...process.env, SCRIPT: script },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(out).toContain("alive");
  });
});
