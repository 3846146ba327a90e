/** Python killed at any moment of its start, or of being attached to: its death is the answer. More of them: SONDE_KILLS=100. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { at, Counting } from "./programs.ts";

const KILLS = Number(process.env.SONDE_KILLS ?? 5);
const PATIENT = { timeout: 30_000 + KILLS * 10_000 };
/** Moments over the time that a start takes. */
const SPAN_MS = 700;

async function appeared(sonde: Sonde, part: string): Promise<number> {
  for (;;) {
    const found = sonde.processes().find(({ command }) => command.includes(part));
    if (found !== undefined) return found.pid;
    await delay(2);
  }
}

function told(kind: string, moment: number, killed: number, answer: string): void {
  const tookMs = Math.round(performance.now() - killed);
  if (process.env.SONDE_KILLS !== undefined)
    console.log(kind, Math.round(moment), tookMs, answer.split("\n")[0]);
  expect(answer).toMatch(/SIGKILL|has ended|ended while|no process/);
  expect(answer).not.toContain("TIMEOUT");
}

test("while it starts", PATIENT, async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "import time\nfor i in range(1000):\n    time.sleep(0.01)\n");
  for (let at = 0; at < KILLS; at++) {
    const moment = (SPAN_MS * (at + Math.random())) / KILLS;
    const answer = sonde.run("start app.py --timeout 20 --break app.py:1");
    const pid = await appeared(sonde, "sonde_pydevd.py");
    await delay(moment);
    const killed = performance.now();
    process.kill(pid, "SIGKILL");
    // Stopped by then: the death is the next answer.
    const first = await answer;
    const text = /SIGKILL/.test(first.stdout + first.stderr) ? first : await sonde.run("await --timeout 20");
    told("start", moment, killed, text.stdout + text.stderr);
    await sonde.run("stop --all");
  }
});

test("while it is attached to", PATIENT, async () => {
  const sonde = borrowSonde();
  for (let kill = 0; kill < KILLS; kill++) {
    const program = new Counting(sonde);
    await program.counts();
    const { pid } = program;
    const moment = (SPAN_MS * (kill + Math.random())) / KILLS;
    const place = at(sonde, "counting.py", "print");
    const answer = sonde.run(["attach", String(pid), "--break", place, "--timeout", "20"]);
    await delay(moment);
    const killed = performance.now();
    process.kill(pid, "SIGKILL");
    const first = await answer;
    const ended = first.stdout + first.stderr;
    if (/no process|ended while|has ended|SIGKILL/.test(ended)) told("attach", moment, killed, ended);
    else {
      const next = await sonde.run("await --timeout 20");
      told("attach", moment, killed, next.stdout + next.stderr);
    }
    await sonde.run("stop --all");
  }
});
