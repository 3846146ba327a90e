/** Many at once: clients, sessions, starts, threads. */
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { MoveResult } from "../../../src/commands/answers/shapes.ts";
import { builtOnce } from "../../support/builds.ts";
import { createSonde, Sonde } from "../../support/sonde.ts";
import { beatOf, LANGUAGES, type Language, Truth } from "./programs.ts";
import { row, type Verdict } from "./tally.ts";

const { node, python, c, go } = LANGUAGES;

function startWords(language: Language, name: string, truth: Truth): string[] {
  const { program, adapter } = language;
  return [
    "start",
    program,
    "--name",
    name,
    "--adapter",
    adapter,
    "--break",
    beatOf(language),
    "--timeout",
    "60",
    "--",
    truth.file,
  ];
}

async function check(
  sonde: Sonde,
  name: string,
  language: Language,
  truth: Truth,
  verdict: Verdict,
): Promise<void> {
  const answer = await sonde.json<{ value: string }>(["print", language.round, "-s", name], {
    timeoutMs: 60_000,
  });
  const { round } = truth.read();
  verdict.holds(
    answer.ok && Number(answer.data.value) === round,
    () => `${name}: ${round} rounds, and it says ${JSON.stringify(answer)}`,
  );
}

row("20 first commands at once", { runs: 20, short: 1 }, async (verdict) => {
  await using sonde = new Sonde();
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      sonde.json<{ daemon: { pid: number } }>("status", { timeoutMs: 60_000 }),
    ),
  );
  const pids = new Set(all.map((one) => (one.ok ? one.data.daemon.pid : one.error.code)));
  verdict.holds(pids.size === 1, () => `${[...pids].join(", ")} answered`);
  const daemons = sonde.processes().filter(({ command }) => /daemon\.[cm]js/.test(command));
  verdict.left(daemons.slice(1).map(({ command }) => command));
});

row("100 clients at once", { adapter: node.title, runs: 5, short: 0 }, async (verdict) => {
  const sonde = createSonde(node.folder());
  const truth = new Truth(sonde);
  await sonde.ask(startWords(node, "one", truth));
  await Promise.all(Array.from({ length: 100 }, () => check(sonde, "one", node, truth, verdict)));
  await sonde.ask("stop --all");
});

row("24 sessions at once", { adapter: "all four", runs: 2, timeoutMs: 180_000 }, async (verdict) => {
  const sonde = createSonde();
  const all = Array.from({ length: 24 }, (_, n) => {
    const language = [node, python, c, go][n % 4] ?? node;
    return { language, name: `s${n}`, truth: new Truth(sonde) };
  });
  for (let at = 0; at < all.length; at += 4)
    await Promise.all(
      all.slice(at, at + 4).map(async ({ language, name, truth }) => {
        const started = await sonde.json<MoveResult>(startWords(language, name, truth), {
          cwd: language.folder(),
          timeoutMs: 90_000,
        });
        verdict.holds(
          started.ok && started.data.state === "stopped",
          () => `${name}: ${JSON.stringify(started).slice(0, 300)}`,
        );
      }),
    );
  for (const round of [0, 1])
    for (const { language, name, truth } of all) {
      await check(sonde, name, language, truth, verdict);
      if (round === 0) await sonde.json(["continue", "-s", name], { timeoutMs: 60_000 });
    }
  await sonde.run("stop --all", { timeoutMs: 60_000 });
  await nothingLeft(sonde, verdict);
});

row("500 starts and stops", { adapter: node.title, runs: 50, timeoutMs: 60_000 }, cycles());

/** Ten of them in each run. */
function cycles() {
  let made: { sonde: Sonde; files: number } | undefined;
  return async (verdict: Verdict): Promise<void> => {
    made ??= { sonde: createSonde(node.folder()), files: 0 };
    const { sonde } = made;
    for (let time = 0; time < 10; time++) {
      const truth = new Truth(sonde);
      await sonde.ask(startWords(node, "again", truth));
      await check(sonde, "again", node, truth, verdict);
      await sonde.ask("stop -s again");
    }
    await nothingLeft(sonde, verdict);
    const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
    const files = readdirSync(`/proc/${daemon.pid}/fd`).length;
    if (made.files === 0) made.files = files;
    verdict.holds(
      files <= made.files + 5,
      () => `the daemon had ${made?.files} files open, and has ${files}`,
    );
  };
}

async function nothingLeft(sonde: Sonde, verdict: Verdict): Promise<void> {
  const left = () => sonde.processes().filter(({ command }) => !/daemon\.[cm]js|all=/.test(command));
  const deadline = performance.now() + 5000;
  while (left().length > 0 && performance.now() < deadline) await delay(25);
  verdict.left(left().map(({ command }) => command.slice(0, 120)));
}

const THREADS_C = `#include <pthread.h>
#include <unistd.h>
static void *wait_(void *none) { pause(); return none; }
static int count = 0;
int main(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (int n = 0; n < 2000; n++) { pthread_t one; if (pthread_create(&one, &small, wait_, 0) == 0) count++; }
  return count; // @marker all
}
`;
const THREADS_GO = `package main

import "runtime"

func main() {
	count := 0
	block := make(chan int)
	for n := 0; n < 2000; n++ {
		go func() {
			runtime.LockOSThread()
			<-block
		}()
		count++
	}
	println(count) // @marker all
}
`;
const THREADS_PYTHON = `import threading

block = threading.Event()
threading.stack_size(65536)
count = 0
for n in range(2000):
    threading.Thread(target=block.wait, daemon=True).start()
    count += 1
print(count)  # @marker all
`;

const THREADED = [
  {
    title: c.title,
    folder: () => builtOnce("threads.c", THREADS_C, ["gcc", "-g", "-pthread", "-o", "threads", "threads.c"]),
    program: "./threads",
    at: "threads.c:10",
  },
  {
    title: go.title,
    folder: () =>
      builtOnce("threads.go", THREADS_GO, [
        "go",
        "build",
        "-gcflags=all=-N -l",
        "-o",
        "threads",
        "threads.go",
      ]),
    program: "./threads",
    at: "threads.go:15",
  },
  {
    title: python.title,
    folder: () => builtOnce("threads.py", THREADS_PYTHON, ["true", "x"]),
    program: "threads.py",
    at: "threads.py:9",
  },
];

for (const { title, folder, program, at } of THREADED)
  row("2,000 threads", { adapter: title, runs: 1, timeoutMs: 200_000 }, async (verdict) => {
    const sonde = createSonde(folder());
    const started = await sonde.json<MoveResult>(["start", program, "--break", at, "--timeout", "120"], {
      timeoutMs: 130_000,
    });
    verdict.holds(started.ok && started.data.state === "stopped", () =>
      JSON.stringify(started).slice(0, 300),
    );
    const count = await sonde.json<{ value: string }>("print count", { timeoutMs: 60_000 });
    verdict.holds(count.ok && Number(count.data.value) === 2000, () => JSON.stringify(count).slice(0, 300));
    const { ms, status, stdout, stderr } = await sonde.run("threads", { timeoutMs: 60_000 });
    verdict.holds(status === 0 && stdout.length < 64 * 1024, () => `${status} ${stderr.slice(0, 300)}`);
    verdict.notes.push(`\`threads\` answers in ${Math.round(ms)} ms with ${stdout.length} characters`);
    const stop = await sonde.json("stop", { timeoutMs: 60_000 });
    verdict.holds(stop.ok, () => JSON.stringify(stop));
    await nothingLeft(sonde, verdict);
  });

row(
  "client killed at any moment",
  { adapter: node.title, runs: 200, short: 5, timeoutMs: 20_000 },
  killedClients(),
);

function killedClients() {
  let made: { sonde: Sonde; truth: Truth } | undefined;
  return async (
    verdict: Verdict,
    random: { next(): number; pick<T>(from: readonly T[]): T },
  ): Promise<void> => {
    if (made === undefined) {
      const sonde = createSonde(node.folder());
      made = { sonde, truth: new Truth(sonde) };
      await sonde.ask(startWords(node, "one", made.truth));
    }
    const { sonde, truth } = made;
    const words = random.pick([
      "continue",
      "next",
      "print total",
      "locals",
      "backtrace",
      "breakpoint list",
      "status",
      "output --follow",
      "await --timeout 9",
    ]);
    const client = sonde.spawn(`${words} -s one`);
    for (const stream of [client.stdin, client.stdout, client.stderr])
      stream?.on("error", () => {}).destroy();
    await delay(random.next() * 50); // the moment is the fault
    client.kill("SIGKILL");
    const state = async () =>
      (await sonde.ask<{ sessions: { state: string }[] }>("sessions")).sessions[0]?.state;
    const start = performance.now();
    const now = await state();
    verdict.answeredIn(performance.now() - start, "`sessions`");
    verdict.holds(now === "stopped" || now === "running", () => `it is ${now}`);
    // To the next beat, where the truth has just been written.
    if (now === "running") await sonde.json("await -s one --timeout 9");
    const moved = await sonde.json<MoveResult>("continue -s one");
    verdict.holds(moved.ok && moved.data.state === "stopped", () => JSON.stringify(moved).slice(0, 300));
    await check(sonde, "one", node, truth, verdict);
  };
}
