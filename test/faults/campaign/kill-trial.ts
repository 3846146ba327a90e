/**
 * One kill -9: of whom, of how the program came to be debugged, and when. Then the next command is judged, what else was debugged is
 * compared with the truth, and what is left is counted.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { MoveResult } from "../../../src/commands/answers/shapes.ts";
import { statOf } from "../../../src/util/process-facts.ts";
import type { RunResult } from "../../support/sonde.ts";
import { compare, insertJson, type KillRig, type Reply, read } from "./kill-rig.ts";
import { beatOf, Running, Truth } from "./programs.ts";
import type { Chance } from "./random.ts";
import type { Verdict } from "./tally.ts";

export const VICTIMS = ["client", "daemon", "debugger", "program"] as const;
export const WAYS = ["launched", "attached"] as const;
export const MOMENTS = ["starting", "running", "stopped", "in a trace", "passing a breakpoint"] as const;

export interface Kill {
  victim: (typeof VICTIMS)[number];
  way: (typeof WAYS)[number];
  moment: (typeof MOMENTS)[number];
}

export async function killTrial(rig: KillRig, kill: Kill, verdict: Verdict, random: Chance): Promise<void> {
  await rig.prepare(verdict);
  const trial = new Trial(rig, kill, verdict, random);
  try {
    await (kill.moment === "starting"
      ? trial.killAtStart()
      : kill.moment === "in a trace"
        ? trial.killInTrace()
        : trial.killInSession());
    if (kill.victim !== "daemon") await rig.checkOther(verdict);
  } finally {
    await trial.end();
  }
}

class Trial {
  readonly #rig: KillRig;
  readonly #kill: Kill;
  readonly #verdict: Verdict;
  readonly #random: Chance;
  readonly #name: string;
  readonly #truth: Truth;
  readonly #attached: Running | undefined;
  readonly #before: Set<number>;
  /** It was told to go on when the kill came. */
  #isMoving = false;
  /** What the start or attach that was under way answered. */
  #answered = "";
  /** The command under way was carried out by the next daemon. */
  #isRepeated = false;

  constructor(rig: KillRig, kill: Kill, verdict: Verdict, random: Chance) {
    this.#rig = rig;
    this.#kill = kill;
    this.#verdict = verdict;
    this.#random = random;
    this.#name = rig.name();
    this.#attached = kill.way === "attached" ? new Running(rig.sonde, rig.language) : undefined;
    this.#truth = this.#attached?.truth ?? new Truth(rig.sonde);
    this.#before = new Set(rig.sonde.processes().map(({ pid }) => pid));
    if (this.#attached) this.#before.add(this.#attached.pid);
  }

  /** While a start or an attach is under way. */
  async killAtStart(): Promise<void> {
    const { victim, way } = this.#kill;
    if (this.#attached) await this.#attached.truth.beats(1);
    const client = this.#spawn(this.#startWords(this.#random.pick([true, false])));
    const takes = { node: 300, debugpy: 700, lldb: 900, delve: 700 }[this.#rig.language.adapter] ?? 500;
    if (victim === "debugger" || (victim === "program" && way === "launched")) {
      await this.#victimThere();
      await delay(this.#random.next() * 200);
    } else await delay(this.#random.next() * takes);
    const killed = this.#strike(client.pid);
    const reply = read(await client.ended);
    this.#answered = reply.said;
    if (victim !== "client") this.#judgeUnderWay(reply, killed);
    // The daemon was gone before it had taken the command: the client has brought it to the next one.
    this.#isRepeated = victim === "daemon" && reply.ok;
    await this.#next();
  }

  async killInSession(): Promise<void> {
    const isStopped = this.#kill.moment === "stopped";
    if (this.#attached) await this.#attached.truth.beats(1);
    const begun = await this.#ask(this.#startWords(isStopped));
    const { state } = begun.data as { state?: string };
    this.#verdict.holds(
      begun.ok && state === (isStopped ? "stopped" : "running"),
      () => `not ${this.#kill.moment}: ${begun.said}`,
    );
    if (!begun.ok) return;
    await this.#wander(isStopped);
    const inFlight = this.#kill.victim === "client" || this.#random.next() < 0.5;
    const words = isStopped
      ? this.#random.pick([
          ["continue", "--timeout", "20"],
          ["next", "--timeout", "20"],
          ["print", "total"],
          ["backtrace"],
        ])
      : this.#random.pick([
          ["await", "--timeout", "20"],
          ["pause", "--timeout", "20"],
          ["output", "--follow"],
        ]);
    this.#isMoving = inFlight && /continue|next/.test(words[0] ?? "");
    const client = inFlight ? this.#spawn([...words, "-s", this.#name]) : undefined;
    if (client) await delay(this.#random.next() * 60);
    const killed = this.#strike(client?.pid);
    if (this.#kill.victim === "client") {
      await client?.ended;
    } else if (client) this.#judgeUnderWay(read(await client.ended), killed);
    await this.#next();
  }

  async killInTrace(): Promise<void> {
    const { victim, way } = this.#kill;
    const { language } = this.#rig;
    const what = this.#attached
      ? ["--pid", String(this.#attached.pid), "--max-seconds", "15"]
      : ["--max-seconds", "15", "--", ...language.command(language.folder()), this.#truth.file];
    if (this.#attached) await this.#truth.beats(1);
    const by = way === "launched" ? ["--collector", this.#random.pick(language.collectors)] : [];
    const client = this.#spawn([
      "trace",
      "--follow",
      ...by,
      "--at",
      beatOf(language),
      "--watch",
      language.round,
      ...what,
    ]);
    await Promise.race([client.hits, client.ended]);
    await delay(this.#random.next() * 200);
    const { round } = this.#truth.read();
    const killed = this.#strike(client.pid);
    const reply = read(await client.ended);
    if (victim === "client") {
      const rest = await this.#ask(["trace", "list"]);
      this.#verdict.holds(rest.ok, () => rest.said);
    } else if (victim === "daemon") {
      this.#judgeUnderWay(reply, killed);
      await this.#next();
    } else {
      // A debugger that only reads names may have done so: then all is recorded, to the limit.
      if (victim === "debugger" && lastRecorded(reply) > round + 20) return;
      this.#verdict.answeredIn(performance.now() - killed - this.#rig.plainMs, "the trace's answer");
      this.#verdict.holds(!/INTERNAL|TIMEOUT/.test(reply.code), () => `the trace: ${reply.said}`);
      const told =
        victim === "program"
          ? /SIGKILL|killed|has ended|ended while|"how":"exited"/
          : /SIGKILL|killed|ended|lost|no longer/;
      this.#verdict.holds(
        told.test(reply.result.stdout + reply.result.stderr),
        () => `the trace does not tell of the kill: ${reply.said}`,
      );
    }
  }

  #startWords(isStopped: boolean): string[] {
    const { program, adapter } = this.#rig.language;
    const beat = beatOf(this.#rig.language);
    // One that never holds is met at every round, and the program goes on.
    const isPassed = this.#kill.moment === "passing a breakpoint";
    const passed = isPassed ? ["--break", `${beat} if ${this.#rig.language.round} < 0`] : [];
    const how = isStopped ? ["--break", beat] : ["--no-wait", ...passed];
    return this.#attached
      ? ["attach", String(this.#attached.pid), "--name", this.#name, ...how]
      : ["start", program, "--name", this.#name, "--adapter", adapter, ...how, "--", this.#truth.file];
  }

  #ask(words: string[]): Promise<Reply> {
    return this.#rig.reply(words, this.#rig.language.folder());
  }

  #spawn(words: string[]) {
    const child = this.#rig.sonde.spawn(insertJson(words), { cwd: this.#rig.language.folder() });
    child.stdin?.on("error", () => {}).end();
    const started = performance.now();
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    /** A recording tells of its first. */
    const hits = new Promise<void>((resolve) =>
      child.stdout?.on("data", () => /\d hit/.test(stdout) && resolve()),
    );
    const ended = new Promise<RunResult>((resolve) => {
      child.once("close", (status, signal) =>
        resolve({ status, signal, stdout, stderr, ms: performance.now() - started }),
      );
    });
    return { pid: child.pid ?? 0, hits, ended };
  }

  /** A few commands that change nothing about who is where, some of them compared with the truth. */
  async #wander(isStopped: boolean): Promise<void> {
    const { language } = this.#rig;
    for (let left = this.#random.below(3); left > 0; left--) {
      if (!isStopped) {
        const words = this.#random.pick([
          ["status"],
          ["output", "--tail", "3"],
          ["breakpoint", "list"],
          ["sessions"],
        ]);
        const reply = await this.#ask(
          words[0] === "output" || words[0] === "breakpoint" ? [...words, "-s", this.#name] : words,
        );
        this.#verdict.holds(reply.ok, () => `before the kill: ${reply.said}`);
      } else if (this.#random.next() < 0.5) {
        const reply = await this.#ask(["continue", "-s", this.#name]);
        this.#verdict.holds(
          (reply.data as MoveResult)?.state === "stopped",
          () => `before the kill: ${reply.said}`,
        );
      } else await compare(this.#rig, this.#name, language, this.#truth, this.#verdict, "before the kill");
    }
  }

  /** Which process that is now; nobody if it is not there. */
  #victim(): number | undefined {
    const { victim } = this.#kill;
    if (victim === "daemon") return this.#rig.daemon;
    if (victim === "program" && this.#attached) return this.#attached.pid;
    const alive = this.#rig.sonde.processes();
    const commands = new Map(alive.map(({ pid, command }) => [pid, command]));
    // A process that was just made for another program (dlv runs lsb_release) is still called what its parent is.
    const isCopy = ({ pid, command }: { pid: number; command: string }) =>
      commands.get(statOf(pid)?.parent ?? 0) === command;
    const found = alive.filter((one) => !this.#before.has(one.pid) && !isCopy(one));
    if (victim === "program")
      return found.find(
        ({ command }) =>
          command.includes(this.#truth.file) &&
          !/ (start|attach|trace) |\/dlv |lldb-server|lldb-dap/.test(command),
      )?.pid;
    const debuggers = found.filter(({ command }) =>
      this.#rig.language.debugger.some((one) => one.test(command)),
    );
    const others = found.filter(({ command }) => /^\S*\/?(perf record|gdb) /.test(command));
    const candidates = [...debuggers, ...(this.#kill.moment === "in a trace" ? others : [])];
    return candidates.length === 0 ? undefined : this.#random.pick(candidates).pid;
  }

  async #victimThere(): Promise<void> {
    const deadline = performance.now() + 10_000;
    while (this.#victim() === undefined && performance.now() < deadline) await delay(3);
  }

  /** Returns when it was. */
  #strike(client?: number): number {
    const pid = this.#kill.victim === "client" ? client : this.#victim();
    if (pid === undefined) this.#verdict.notes.push("there was nobody to kill");
    else kill(pid);
    return performance.now();
  }

  /** The command that was under way when somebody else was killed. */
  #judgeUnderWay(reply: Reply, killed: number): void {
    const { victim, moment } = this.#kill;
    if (moment !== "starting")
      this.#verdict.answeredIn(
        performance.now() - killed - (victim === "daemon" ? this.#rig.coldMs : this.#rig.plainMs),
        "the command under way",
      );
    this.#verdict.holds(
      reply.result.status !== null && !/INTERNAL|TIMEOUT/.test(reply.code),
      () => `the command under way: ${reply.result.status} ${reply.said}`,
    );
    if (victim === "daemon" && !reply.ok)
      this.#verdict.holds(
        /daemon ended while|NO_SESSION|ended unexpectedly/.test(reply.said) || reply.result.stdout !== "",
        () => `the command under way does not tell of the daemon: ${reply.said}`,
      );
  }

  async #next(): Promise<void> {
    const { victim, moment } = this.#kill;
    if (victim === "daemon") return this.#nextAfterDaemon();
    if (victim === "client") return moment === "starting" ? this.#nextAfterStart() : this.#nextAfterClient();
    if (moment === "starting" && (await this.#isGone())) return;
    return this.#nextAfterEnd();
  }

  async #nextAfterDaemon(): Promise<void> {
    const reply = await this.#ask(["context", "-s", this.#name]);
    this.#verdict.answeredIn(reply.result.ms - this.#rig.coldMs, "the next command");
    const isThere = this.#isRepeated && (reply.ok || reply.code === "NOT_STOPPED");
    this.#verdict.holds(
      isThere || reply.code === "NO_SESSION",
      () => `after the daemon's end: ${reply.said}`,
    );
  }

  /** Whole, or not there. */
  async #nextAfterStart(): Promise<void> {
    const reply = await this.#ask(["sessions"]);
    this.#verdict.answeredIn(reply.result.ms - this.#rig.plainMs, "`sessions`");
    this.#verdict.holds(reply.ok, () => reply.said);
  }

  /** The session is as it was, or where the command that was sent has taken it. */
  async #nextAfterClient(): Promise<void> {
    const reply = await this.#ask(["status", "-s", this.#name]);
    this.#verdict.answeredIn(reply.result.ms - this.#rig.plainMs, "`status`");
    this.#verdict.holds(reply.ok, () => reply.said);
    const state = await this.#state();
    this.#verdict.holds(
      state === "running" || state === "stopped",
      () => `after the client's end it is ${state}`,
    );
    if (this.#kill.moment !== "stopped") return;
    // A step goes beyond the line at which all is written.
    const moved = await this.#ask([
      state === "running" ? "await" : "continue",
      "--timeout",
      "20",
      "-s",
      this.#name,
    ]);
    const isAtRest =
      (moved.data as MoveResult | undefined)?.state === "stopped" ||
      moved.code === "NOT_RUNNING" ||
      moved.code === "NOT_STOPPED";
    this.#verdict.holds(isAtRest, () => `after the client's end: ${moved.said}`);
    const again = await this.#ask(["continue", "--timeout", "20", "-s", this.#name]);
    this.#verdict.holds(
      (again.data as MoveResult | undefined)?.state === "stopped",
      () => `after the client's end: ${again.said}`,
    );
    await compare(
      this.#rig,
      this.#name,
      this.#rig.language,
      this.#truth,
      this.#verdict,
      "after the client's end",
    );
  }

  async #nextAfterEnd(): Promise<void> {
    const first = await this.#ask(["context", "-s", this.#name]);
    this.#verdict.answeredIn(first.result.ms - this.#rig.plainMs, "the next command");
    // Faster than the news, and then true of a living program: the one after it is not.
    let reply = first;
    const deadline = performance.now() + 1000;
    while ((reply.ok || reply.code === "NOT_STOPPED") && performance.now() < deadline)
      reply = await this.#ask(["context", "-s", this.#name]);
    const told = /SIGKILL|killed|lost|has ended|ended/;
    this.#verdict.holds(
      reply.code === "SESSION_ENDED" && told.test(reply.said),
      () => `after the ${this.#kill.victim}'s end: ${reply.said}`,
    );
    if (this.#attached === undefined) await this.#checkOutput();
  }

  /** What the program has written before its end is all there. */
  async #checkOutput(): Promise<void> {
    // Before it is asked: what a debugger leaves behind may go on for a moment, until it is ended too.
    const real = this.#truth.read().round;
    const reply = await this.#ask(["output", "--tail", "3", "-s", this.#name]);
    const output = reply.data as
      | { lines: { text: string }[]; earlierLines: number; droppedBytes: number }
      | undefined;
    if (output === undefined) return this.#verdict.holds(real === 0, () => `no output: ${reply.said}`);
    const numbers = output.lines.flatMap(({ text }) => /^round (\d+)$/.exec(text)?.[1] ?? []).map(Number);
    const last = numbers.at(-1) ?? 0;
    this.#verdict.lost(
      Math.max(0, real - last) * "round 1\n".length,
      `the program wrote ${real} rounds, the last shown is ${last}`,
    );
    this.#verdict.holds(
      output.earlierLines + output.lines.length === last,
      () =>
        `${output.earlierLines} + ${output.lines.length} lines for ${last} rounds: ${JSON.stringify(output.lines)}`,
    );
  }

  async #state(): Promise<string | undefined> {
    const { data } = await this.#ask(["sessions"]);
    const { sessions = [] } = (data ?? {}) as { sessions?: { name: string; state: string }[] };
    return sessions.find(({ name }) => name === this.#name)?.state;
  }

  async #isGone(): Promise<boolean> {
    return (await this.#state()) === undefined;
  }

  async #checkAttached(attached: Running): Promise<void> {
    const fault = await attached.fault();
    if (fault === undefined) return;
    // As it is attached to, its breakpoints are set, and it runs on.
    const meetsBreakpoint = this.#isMoving || /passing a breakpoint|starting/.test(this.#kill.moment);
    if (this.#kill.victim !== "debugger" || !meetsBreakpoint || isRunning(attached))
      return this.#verdict.holds(false, () => fault);
    // Nobody can take a dead debugger's breakpoint out before the program meets it; but that must be said.
    this.#verdict.notes.push(
      "the attached process met the breakpoint that the killed debugger had left, and died, which was told",
    );
    const reply = await this.#ask(["status"]);
    const { sessions = [] } = (reply.data ?? {}) as { sessions?: { name: string; ending?: string }[] };
    const { ending = this.#answered } = sessions.find(({ name }) => name === this.#name) ?? {};
    this.#verdict.holds(
      /ended too|was killed|killed by|lost/.test(ending) && !/keeps running/.test(ending),
      () => `it died, and its session says: ${ending}`,
    );
  }

  /** Ends what is still there by our own commands, and counts what that leaves. */
  async end(): Promise<void> {
    const { sonde } = this.#rig;
    const state = await this.#state();
    if (state !== undefined && state !== "terminated") {
      const words = [this.#attached ? "detach" : "stop", "-s", this.#name];
      const reply = await this.#ask(words);
      this.#verdict.holds(
        reply.ok || reply.code === "SESSION_ENDED" || reply.code === "NO_SESSION",
        () => `\`${words[0]}\`: ${reply.said}`,
      );
    }
    const isOurs = ({ pid, command }: { pid: number; command: string }) =>
      !this.#before.has(pid) && !/daemon\.[cm]js|all=/.test(command);
    const deadline = performance.now() + 5000;
    let left = sonde.processes().filter(isOurs);
    while (left.length > 0 && performance.now() < deadline) {
      await delay(25);
      left = sonde.processes().filter(isOurs);
    }
    this.#verdict.left(left.map(({ pid, command }) => `${pid} ${command.slice(0, 120)}`));
    for (const { pid } of left) kill(pid);
    if (this.#attached && this.#kill.victim !== "program") await this.#checkAttached(this.#attached);
    this.#attached?.child.kill("SIGKILL");
  }
}

/** The round that the last hit has recorded. */
function lastRecorded({ data }: Reply): number {
  const { trace } = (data ?? {}) as { trace?: { statistics?: { last?: string }[][] } };
  return Number(trace?.statistics?.[0]?.[0]?.last ?? 0);
}

function isRunning({ child }: Running): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
