/** The daemon of a row of kills, and in it a session that nobody touches; how commands are sent to it and their answers read. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import type { RunResult, Sonde } from "../../support/sonde.ts";
import { beatOf, LANGUAGES, type Language, Truth } from "./programs.ts";
import type { Verdict } from "./tally.ts";

export interface Reply {
  result: RunResult;
  ok: boolean;
  data: unknown;
  code: string;
  said: string;
}

/** What is known of a row's daemon from run to run. */
export class KillRig {
  readonly sonde: Sonde;
  readonly language: Language;
  /** What the first command of a new daemon takes. */
  coldMs = 0;
  /** What a command takes now, without a fault. */
  plainMs = 0;
  daemon = 0;
  /** The one before. */
  #lastDaemon = 0;
  #other: Truth | undefined;
  #otherName = "";
  #number = 0;

  constructor(sonde: Sonde, language: Language) {
    this.sonde = sonde;
    this.language = language;
  }

  async measureColdStart(): Promise<void> {
    await this.sonde.run("daemon stop");
    const { ms } = await this.sonde.run("status");
    this.coldMs = Math.max(this.coldMs, ms);
  }

  /** A daemon, and in it a session that nobody is going to touch, stopped. */
  async prepare(verdict: Verdict): Promise<void> {
    const { daemon } = await this.sonde.ask<{ daemon: { pid: number } }>("status");
    const isNew = daemon.pid !== this.daemon;
    if (isNew) this.#lastDaemon = this.daemon;
    this.daemon = daemon.pid;
    if (isNew || this.#other === undefined) {
      this.#other = new Truth(this.sonde);
      this.#otherName = `other${++this.#number}`;
      const { node } = LANGUAGES;
      await this.sonde.ask(
        ["start", node.program, "--name", this.#otherName, "--break", beatOf(node), "--", this.#other.file],
        { cwd: node.folder() },
      );
      // The first that needs a private folder removes those of daemons that are gone.
      if (this.#lastDaemon !== 0) verdict.left(foldersOf(this.#lastDaemon));
    }
    this.plainMs = (await this.sonde.run("sessions")).ms;
  }

  /** The other session shows what its program wrote, before and after it goes on. */
  async checkOther(verdict: Verdict): Promise<void> {
    if (this.#other === undefined) return;
    for (const move of [false, true]) {
      if (move) await this.sonde.ask(["continue", "-s", this.#otherName]);
      await compare(this, this.#otherName, LANGUAGES.node, this.#other, verdict, "in the untouched session");
    }
  }

  name(): string {
    return `t${++this.#number}`;
  }

  async reply(words: string[], cwd?: string): Promise<Reply> {
    return read(await this.sonde.run([...insertJson(words)], { ...(cwd ? { cwd } : {}), timeoutMs: 60_000 }));
  }
}

export function insertJson(words: string[]): string[] {
  const end = words.indexOf("--");
  return words.toSpliced(end < 0 ? words.length : end, 0, "--json");
}

export function read(result: RunResult): Reply {
  const said = `${result.stdout}${result.stderr}`.trim().slice(0, 600);
  try {
    const answer = JSON.parse(result.stdout.replace(/^….*\n/gm, ""));
    return { result, ok: answer.ok, data: answer.data, code: answer.error?.code ?? "", said };
  } catch {
    return { result, ok: false, data: undefined, code: /error (\w+)/.exec(result.stderr)?.[1] ?? "", said };
  }
}

export async function compare(
  rig: KillRig,
  session: string,
  language: Language,
  truth: Truth,
  verdict: Verdict,
  where: string,
): Promise<void> {
  for (const [name, key] of [
    [language.round, "round"],
    ["total", "total"],
  ] as const) {
    const reply = await rig.reply(["print", name, "-s", session]);
    const value = (reply.data as { value?: string } | undefined)?.value;
    const real = truth.read()[key];
    verdict.holds(
      reply.ok && Number(value) === real,
      () => `${where} ${name} is ${real}, and it says ${reply.said}`,
    );
  }
}

/** Private folders of a daemon. */
function foldersOf(daemon: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("sonde-") && name.includes(`-${daemon}-`));
}
