/** The daemon, as the page's server asks it: one connection for all tabs, any number of requests. */
import { BUILD } from "../../client/build.ts";
import { callerEnv } from "../../client/environment.ts";
import { Link } from "../../client/link.ts";
import type { Places } from "../../client/paths.ts";
import type { DaemonMessage } from "../../client/wire.ts";
import { asSondeError } from "../../errors.ts";
import type { PageError } from "../protocol.ts";

export interface Asked {
  command: string;
  args?: Record<string, unknown> | undefined;
  session?: string | undefined;
  cwd: string;
  /** The environment of whoever asks; else that of the page's server. */
  env?: Record<string, string>;
  readOnly: boolean;
  signal?: AbortSignal;
  onChunk?: (text: string) => void;
}

export type Answered =
  | { ok: true; data: unknown; text: string; line: string }
  | { ok: false; error: PageError; line?: string };

/** Whose they are: a person's clicks are no part of the agent's run or shell that the server was started from. */
const NOT_THE_PAGES = ["SONDE_AGENT_RUN", "SONDE_AGENT_ROOT", "SONDE_SESSION"];

export function pageEnv(): Record<string, string> {
  const env = callerEnv();
  for (const name of NOT_THE_PAGES) delete env[name];
  return env;
}

export class Daemon {
  readonly #link: Link;
  readonly #env: Record<string, string>;
  #lastId = 0;

  /** `start`: whether a daemon is started where there is none. */
  constructor(places: Places, start: boolean) {
    this.#link = new Link({ places, start });
    this.#env = pageEnv();
  }

  /** Never throws. Undefined where there is no daemon and none is started. */
  async ask(asked: Asked): Promise<Answered | undefined> {
    try {
      return await this.reach(asked);
    } catch (thrown) {
      const { code, message, hint } = asSondeError(thrown);
      return { ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } };
    }
  }

  /** The same, but throws where a daemon is there and does not answer. */
  async reach({
    command,
    args,
    session,
    cwd,
    env = this.#env,
    readOnly,
    signal,
    onChunk,
  }: Asked): Promise<Answered | undefined> {
    const id = ++this.#lastId;
    const request = {
      id,
      build: BUILD,
      as: "page" as const,
      command,
      args: { ...args, ...(session === undefined ? {} : { session }) },
      cwd,
      env,
      ...(readOnly ? { readOnly } : {}),
    };
    const cancel = () => this.#link.connection?.send({ id, cancel: true });
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const message = await this.#link.ask(request, onChunk ? { chunk: onChunk } : {}, command, signal);
      return message && answered(message);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  close(): void {
    this.#link.close();
  }
}

function answered(message: DaemonMessage): Answered {
  if (!("ok" in message))
    return { ok: false, error: { code: "INTERNAL", message: "unexpected reply from the daemon" } };
  const { line } = message;
  if (message.ok) return { ok: true, data: message.data, text: message.text, line: line ?? "" };
  const { code, details } = message.error;
  return {
    ok: false,
    error: { code, ...(message.told ?? message.error), ...(details === undefined ? {} : { details }) },
    ...(line === undefined ? {} : { line }),
  };
}
