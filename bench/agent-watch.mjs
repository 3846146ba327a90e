/** How soon `sonde agent watch` shows what an agent does: from the event to its line on the other side of a pipe. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadStore } from "./agent-log.mjs";
import { median } from "./measure.mjs";

const EVENTS = 60;

export async function agentWatchRows({ bin, env, cwd }, say = () => {}) {
  say("agent watch");
  const folder = mkdtempSync(join(tmpdir(), "sonde-bench-watch-"));
  const { createSession, EventLog } = await loadStore(folder);
  const session = createSession(folder, { cwd: "/", route: "library", version: "0" });
  const log = EventLog.open(session);
  log.append("error", { message: "before" });
  const words = ["agent", "watch", "-s", session.id, "--dir", folder, "--from", "start", "--timeout", "60"];
  const child = spawn(bin, words, { env, cwd, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const shown = async (text) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`agent watch ended without ${text}`);
      if (value.includes(text)) return;
    }
  };
  try {
    await shown("before");
    const times = [];
    for (let round = 0; round < EVENTS; round++) {
      const began = performance.now();
      log.append("error", { message: `event-${round}.` });
      await shown(`event-${round}.`);
      times.push(performance.now() - began);
    }
    const slowest = Math.max(...times);
    return [
      {
        what: "an event in `sonde agent watch`",
        unit: "ms",
        ours: median(times),
        kind: "ours",
        must: 50,
        aim: 10,
      },
      { what: "  the slowest", unit: "ms", ours: slowest },
    ];
  } finally {
    child.kill();
    log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
