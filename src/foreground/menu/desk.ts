/** Where the menu's rows do their work: each line is shown as one would type it, run, and its answer printed. Errors are shown, not thrown. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { places } from "../../client/paths.ts";
import { safeErrorText } from "../../commands/answers/text.ts";
import { asSondeError } from "../../errors.ts";
import { shellWord } from "../../util/shell-words.ts";
import { visible } from "../../util/text.ts";
import type { Terminal } from "../terminal.ts";
import { throughDaemon } from "../through-daemon.ts";
import { findTool } from "./opener.ts";

export interface DeskOptions {
  terminal: Terminal;
  /** Runs a line in the terminal if its command is a conversation there; undefined if it is none. */
  converse?(words: readonly string[]): Promise<number> | undefined;
  write(text: string): void;
  /** Undefined when there is nobody to answer. */
  ask(question: string): Promise<string | undefined>;
}

export class Desk {
  readonly #options: DeskOptions;
  readonly #session: readonly string[];

  constructor(options: DeskOptions) {
    this.#options = options;
    const { session } = options.terminal;
    this.#session = session === undefined ? [] : ["-s", session];
  }

  say(text: string): void {
    this.#options.write(`${visible(text)}\n`);
  }

  ask(question: string): Promise<string | undefined> {
    return this.#options.ask(question);
  }

  /** Whether it went well. */
  async line(words: readonly string[]): Promise<boolean> {
    this.#announce(words);
    return this.#trying(async () => {
      const status = await this.#options.converse?.(this.#all(words));
      return status ?? (await this.#print(words));
    });
  }

  /** Never as a conversation of its own: the menu asks. */
  async preview(words: readonly string[]): Promise<boolean> {
    this.#announce(words);
    return this.#trying(() => this.#print(words));
  }

  /** The data of its answer; nothing if there is none. */
  async data(words: readonly string[]): Promise<Record<string, unknown>> {
    try {
      const { text } = await throughDaemon([...this.#all(words), "--json"], this.#options.terminal);
      return (JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {};
    } catch {
      return {}; // the line itself, which is run next, says why
    }
  }

  async openArtifacts(): Promise<void> {
    const { env } = this.#options.terminal;
    const folder = dirname(places(env).logs);
    if (!existsSync(folder)) return this.say(`nothing is kept yet: ${folder} does not exist`);
    const opener = findTool(env);
    if (opener === undefined)
      return this.say(`there is no program here that can open a folder; it is ${folder}`);
    this.say(`$ ${[opener.name, folder].map(shellWord).join(" ")}`);
    await this.#trying(() => opened(opener.path, folder, env));
  }

  /** A command line has its own words after `--`. */
  #all(words: readonly string[]): string[] {
    return [...this.#session, ...words];
  }

  #announce(words: readonly string[]): void {
    this.say(`$ ${["sonde", ...this.#all(words)].map(shellWord).join(" ")}`);
  }

  /** Ctrl-C ends the line, not the menu. */
  async #print(words: readonly string[]): Promise<number> {
    const { terminal, write } = this.#options;
    const ended = new AbortController();
    const interrupted = () => ended.abort();
    process.on("SIGINT", interrupted);
    try {
      const onChunk = (text: string) => write(text);
      const answer = await throughDaemon(this.#all(words), terminal, { signal: ended.signal, onChunk });
      write(answer.text + answer.stderr);
      return answer.exit;
    } finally {
      process.off("SIGINT", interrupted);
    }
  }

  async #trying(action: () => Promise<number>): Promise<boolean> {
    try {
      return (await action()) === 0;
    } catch (thrown) {
      this.#options.write(safeErrorText(asSondeError(thrown)));
      return false;
    }
  }
}

/** It goes on by itself. */
function opened(opener: string, folder: string, env: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(opener, [folder], { stdio: "ignore", detached: true, env });
    child.once("error", fail);
    child.once("spawn", () => {
      child.unref();
      done(0);
    });
  });
}
