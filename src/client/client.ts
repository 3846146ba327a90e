/** Typed calls to the daemon, for the MCP server and the library: arguments in, data out, failures as SondeError. */
import { SondeError } from "../errors.ts";
import { BUILD } from "./build.ts";
import { callerCwd, callerEnv } from "./environment.ts";
import { Link } from "./link.ts";
import { type Places, places } from "./paths.ts";
import type { Surface } from "./wire.ts";

export interface CallOptions {
  signal?: AbortSignal;
  cwd?: string;
  /** Without it the environment in which the client was made. */
  env?: Record<string, string>;
  /** Whose words are spoken. */
  surface?: Surface;
  /** Text that arrives before the end of the call (`output --follow`). */
  onChunk?: (text: string) => void;
}

export interface CallResult {
  data: unknown;
  text: string;
}

export interface Client {
  call(command: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  close(): void;
}

/** The daemon is started by the first call that needs it, and again after it has left for being idle. */
export async function connect(options: { places?: Places } = {}): Promise<Client> {
  const link = new Link({ places: options.places ?? places() });
  const env = callerEnv();
  let lastId = 0;
  return {
    call: (command, args = {}, callOptions = {}) =>
      call(link, ++lastId, command, args, { ...callOptions, env: callOptions.env ?? env }),
    close: () => link.close(),
  };
}

async function call(
  link: Link,
  id: number,
  command: string,
  args: Record<string, unknown>,
  { signal, cwd = callerCwd(), env = {}, onChunk, surface = {} }: CallOptions,
): Promise<CallResult> {
  const cancelled = () => new SondeError("CANCELLED", `${command} was cancelled`);
  if (signal?.aborted) throw cancelled();
  let stop = () => {};
  const aborted = new Promise<never>((_, fail) => {
    stop = () => {
      link.connection?.send({ id, cancel: true });
      fail(cancelled());
    };
  });
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const request = { id, build: BUILD, command, args, cwd, env, ...surface };
    const answer = link.ask(request, onChunk ? { chunk: onChunk } : {}, command, signal);
    const message = await Promise.race([answer, aborted]);
    if (!message || !("ok" in message)) throw new SondeError("INTERNAL", "unexpected reply from the daemon");
    if (message.ok) return { data: message.data, text: message.text };
    throw new SondeError(message.error.code, message.error.message, message.error);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
