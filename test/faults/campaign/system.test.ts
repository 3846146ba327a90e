/** The system refuses: no room on the disk, no files, a clock that jumps, sockets that are not what they seem. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "vitest";
import type { MoveResult } from "../../../src/commands/answers/shapes.ts";
import { binary, Sonde } from "../../support/sonde.ts";
import { beatOf, LANGUAGES, Truth } from "./programs.ts";
import { row, type Verdict } from "./tally.ts";

const { node } = LANGUAGES;
const isRoot = process.getuid?.() === 0;

/** A daemon under a shell's limits; everything else as ever. */
async function daemonUnder(
  sonde: Sonde,
  script: string,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  const child = sonde.program("/bin/sh", ["-c", script, binary()], { env });
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  const deadline = performance.now() + 20_000;
  while (!said.includes("ready") && performance.now() < deadline && child.exitCode === null) await delay(10);
  if (!said.includes("ready")) throw new Error(`no daemon: ${said}`);
  return child;
}

async function stopAndCompare(sonde: Sonde, verdict: Verdict, name: string): Promise<void> {
  const truth = new Truth(sonde);
  const words = ["start", node.program, "--name", name, "--break", beatOf(node), "--", truth.file];
  const started = await sonde.json<MoveResult>(words, { cwd: node.folder() });
  verdict.holds(
    started.ok && started.data.state === "stopped",
    () => `start: ${JSON.stringify(started).slice(0, 300)}`,
  );
  if (!started.ok) return;
  await compareTruth(sonde, verdict, name, truth);
}

async function compareTruth(sonde: Sonde, verdict: Verdict, name: string, truth: Truth): Promise<void> {
  const answer = await sonde.json<{ value: string }>(["print", "round", "-s", name]);
  const { round } = truth.read();
  verdict.holds(
    answer.ok && Number(answer.data.value) === round,
    () => `${round} rounds, and it says ${JSON.stringify(answer).slice(0, 300)}`,
  );
}

const traceWords = (truth: Truth) => [
  "trace",
  "--at",
  beatOf(node),
  "--watch",
  "round",
  "--max-seconds",
  "1",
  "--",
  ...node.command(node.folder()),
  truth.file,
];

/** A small disk of its own, seen by this daemon alone, at the folder for what we keep. */
const SMALL_DISK =
  'mkdir -p "$SONDE_HOME/state" && mount -t tmpfs -o size=256k tmpfs "$SONDE_HOME/state" && head -c 1000000 /dev/zero > "$SONDE_HOME/state/full" 2>/dev/null; exec "$0" daemon run';

test.skipIf(isRoot)("a full disk is played as root only", () => {});
if (isRoot)
  row("disk full under logs and traces", { adapter: node.title, runs: 10, short: 1 }, async (verdict) => {
    await using sonde = new Sonde();
    await daemonUnder(sonde, `exec unshare -m --propagation private /bin/sh -c '${SMALL_DISK}' "$0"`);
    await stopAndCompare(sonde, verdict, "one");
    const refused = await sonde.json(traceWords(new Truth(sonde)), { cwd: node.folder(), timeoutMs: 60_000 });
    verdict.holds(
      !refused.ok && /no space|full|cannot be written|room/i.test(refused.error.message),
      () => `trace: ${JSON.stringify(refused).slice(0, 300)}`,
    );
    await stopAndCompare(sonde, verdict, "two");
    const stopped = await sonde.json("stop --all");
    verdict.holds(stopped.ok, () => JSON.stringify(stopped));
  });

row(
  "files may not grow (ulimit -f)",
  { adapter: node.title, runs: 10, short: 0 },
  async (verdict, random) => {
    await using sonde = new Sonde();
    await daemonUnder(sonde, `ulimit -f ${8 + random.below(100)}; exec "$0" daemon run`);
    await stopAndCompare(sonde, verdict, "one");
    const answer = await sonde.json(traceWords(new Truth(sonde)), { cwd: node.folder(), timeoutMs: 60_000 });
    verdict.holds(
      answer.ok ||
        (/cannot be written|too large|larger/i.test(answer.error.message) &&
          answer.error.code !== "INTERNAL"),
      () => JSON.stringify(answer).slice(0, 300),
    );
    await stopAndCompare(sonde, verdict, "two");
  },
);

row("no more files (ulimit -n)", { adapter: node.title, runs: 10, short: 0 }, async (verdict, random) => {
  await using sonde = new Sonde();
  const daemon = await daemonUnder(sonde, `ulimit -n ${96 + random.below(12)}; exec "$0" daemon run`);
  await stopAndCompare(sonde, verdict, "one");
  for (let n = 0; n < 16; n++) {
    const truth = new Truth(sonde);
    const answer = await sonde.json(
      ["start", node.program, "--name", `n${n}`, "--no-wait", "--", truth.file],
      { cwd: node.folder() },
    );
    verdict.holds(answer.ok || /EMFILE|ENFILE|too many/i.test(answer.error.message), () =>
      JSON.stringify(answer).slice(0, 300),
    );
  }
  const stopped = await sonde.json("stop --all");
  verdict.holds(stopped.ok, () => JSON.stringify(stopped).slice(0, 300));
  await stopAndCompare(sonde, verdict, "two");
  const { daemon: now } = await sonde.ask<{ daemon: { pid: number } }>("status");
  verdict.holds(now.pid === daemon.pid, () => "another daemon answers");
});

const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
].find((path) => existsSync(path));

test.skipIf(FAKETIME)("clock jumps are played where libfaketime is installed", () => {});
if (FAKETIME !== undefined)
  row("clock jumps by days", { adapter: node.title, runs: 10, short: 0 }, async (verdict, random) => {
    await using sonde = new Sonde();
    const clock = join(sonde.project, "clock");
    const jump = (words: string) => writeFileSync(clock, words);
    jump("+0d");
    const env = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    await daemonUnder(sonde, 'exec "$0" daemon run', env);
    const truth = new Truth(sonde);
    await sonde.ask(["start", node.program, "--name", "one", "--break", beatOf(node), "--", truth.file], {
      cwd: node.folder(),
    });
    for (let jumps = 0; jumps < 3; jumps++) {
      jump(random.pick(["+1d", "-1d", "+400d", "-90m", "+31d", "-2h"]));
      await compareTruth(sonde, verdict, "one", truth);
      const moved = await sonde.json<MoveResult>("continue -s one --timeout 20");
      verdict.holds(moved.ok && moved.data.state === "stopped", () => JSON.stringify(moved).slice(0, 300));
      const { daemon } = await sonde.ask<{ daemon: { uptimeSecs: number } }>("status");
      verdict.holds(daemon.uptimeSecs >= 0 && daemon.uptimeSecs < 60, () => `up for ${daemon.uptimeSecs} s`);
    }
    await sonde.ask("breakpoint remove --all -s one");
    await sonde.ask("continue --no-wait -s one");
    const start = performance.now();
    const waiting = sonde.json<MoveResult>("await -s one --timeout 1");
    await delay(200);
    jump(random.pick(["+1d", "-1d"]));
    const waited = await waiting;
    verdict.holds(waited.ok && waited.data.state === "running", () => JSON.stringify(waited).slice(0, 300));
    verdict.answeredIn(performance.now() - start - 1000, "a wait of a second");
    await sonde.ask("stop --all");
  });

row("something else in the socket's place", { runs: 20, short: 1 }, async (verdict, random) => {
  await using sonde = new Sonde();
  const folder = join(sonde.home, "run");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "daemon.sock");
  const kind = random.pick(["stale", "file", "closes", "talks nonsense", "empty file"]);
  const server = createServer((socket) => {
    socket.on("error", () => {}).resume();
    if (kind === "closes") socket.destroy();
    else socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  if (kind === "file" || kind === "empty file")
    writeFileSync(path, kind === "file" ? "not a socket" : "", { mode: 0o600 });
  else if (kind === "stale")
    spawnSync(process.execPath, [
      "-e",
      `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`,
    ]);
  else await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    const answer = await sonde.json<{ daemon: { pid: number } }>("status", { timeoutMs: 30_000 });
    const isSaid = !answer.ok && answer.error.code !== "INTERNAL" && answer.error.message.length > 10;
    // What is left by a dead one gives way; what somebody holds does not, and that is said.
    verdict.holds(answer.ok || isSaid, () => `${kind}: ${JSON.stringify(answer).slice(0, 300)}`);
    verdict.holds(
      answer.ok || kind !== "stale",
      () => `a stale socket is in the way: ${JSON.stringify(answer).slice(0, 300)}`,
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

row("home too deep for a socket", { runs: 4 }, async (verdict) => {
  await using sonde = new Sonde();
  const home = join(sonde.project, "d".repeat(60), "e".repeat(60), "home");
  mkdirSync(home, { recursive: true });
  const env = { SONDE_HOME: home };
  const first = await sonde.json<{ daemon: { pid: number } }>("status", { env });
  const second = await sonde.json<{ daemon: { pid: number } }>("status", { env });
  verdict.holds(first.ok && second.ok && first.data.daemon.pid === second.data.daemon.pid, () =>
    JSON.stringify([first, second]).slice(0, 300),
  );
  await sonde.run("daemon stop", { env });
});

row("program halted from outside (SIGSTOP)", { adapter: node.title, runs: 10 }, async (verdict) => {
  await using sonde = new Sonde();
  const truth = new Truth(sonde);
  await sonde.ask(["start", node.program, "--name", "one", "--no-wait", "--", truth.file], {
    cwd: node.folder(),
  });
  await truth.beats(1);
  const { sessions } = await sonde.ask<{ sessions: { pid: number }[] }>("sessions");
  const pid = sessions[0]?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  while (!/^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) await delay(2);
  const paused = await sonde.json<MoveResult & { notes?: string[] }>("pause --timeout 0.5 -s one");
  verdict.holds(
    paused.ok && paused.data.state === "running" && JSON.stringify(paused.data).includes("halted"),
    () => JSON.stringify(paused).slice(0, 300),
  );
  process.kill(pid, "SIGCONT");
  const awaited = await sonde.json<MoveResult>("await --timeout 20 -s one");
  verdict.holds(awaited.ok && awaited.data.state === "stopped", () => JSON.stringify(awaited).slice(0, 300));
});

row("an expression that never returns", { adapter: node.title, runs: 5 }, async (verdict) => {
  await using sonde = new Sonde();
  const truth = new Truth(sonde);
  await sonde.ask(["start", node.program, "--name", "one", "--break", beatOf(node), "--", truth.file], {
    cwd: node.folder(),
  });
  const endless = await sonde.json("eval for(;;){} -s one".split(" "), { timeoutMs: 30_000 });
  verdict.holds(!endless.ok && endless.error.code !== "INTERNAL", () =>
    JSON.stringify(endless).slice(0, 300),
  );
  await compareTruth(sonde, verdict, "one", truth);
});
