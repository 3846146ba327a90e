/** What is written while the viewer opens, by whomever, is shown, and once. */
import { EventEmitter } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { plainLog } from "../../../src/diagnostics/logs/plain.ts";
import { viewLog } from "../../../src/diagnostics/logs/viewer.ts";
import { entryLine } from "../../../src/util/log/entry.ts";

function rig() {
  const folder = join(mkdtempSync(join(tmpdir(), "sonde-meanwhile-")), "logs");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
  const add = (n: number) => {
    mkdirSync(folder, { recursive: true });
    const time = new Date(Date.parse("2026-11-16T10:00:00Z") + n * 1000).toISOString();
    const entry = { time, level: "info" as const, pid: 100, kind: "daemon", message: `entry ${n}.` };
    appendFileSync(join(folder, "sonde-2026-11-16.log"), entryLine(entry));
  };
  let shown = "";
  /** Another process is quick to answer to what it sees. */
  const answers: [seen: string, act: () => void][] = [];
  const output = Object.assign(new EventEmitter(), {
    columns: 100,
    rows: 24,
    write(text: string) {
      shown += text;
      const due = answers.findIndex(([seen]) => shown.includes(seen));
      if (due !== -1) answers.splice(due, 1)[0]?.[1]();
    },
  });
  const source = { folder, env: {}, copyCommand: undefined, write: () => {} };
  const input = new PassThrough() as unknown as NodeJS.ReadStream;
  return { add, answers, output, source, input, times: (text: string) => shown.split(text).length - 1 };
}

test("on the whole screen", async () => {
  const { add, answers, output, source, input, times } = rig();
  const ended = new AbortController();
  answers.push(["the log is empty", () => add(0)], ["entry 0.", () => ended.abort()]);
  await viewLog({ source, filter: {}, input, output, signal: ended.signal });
  expect(times("entry 0.")).toBe(1);
});

test("as lines", async () => {
  const { add, answers, output, source, input, times } = rig();
  add(0);
  const ended = new AbortController();
  answers.push(["entry 0.", () => add(1)], ["entry 1.", () => add(2)], ["entry 2.", () => ended.abort()]);
  await plainLog({ source, filter: {}, following: true, input, output, signal: ended.signal });
  expect([0, 1, 2].map((n) => times(`entry ${n}.`))).toEqual([1, 1, 1]);
});
