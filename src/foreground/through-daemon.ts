/** A command line run by the daemon, as the client would, for what happens in the caller's terminal. */
import { BUILD } from "../client/build.ts";
import { Link } from "../client/link.ts";
import type { RawRequest } from "../client/wire.ts";
import { SondeError } from "../errors.ts";

interface Caller {
  cwd: string;
  env: Record<string, string>;
}

export interface DaemonAnswer {
  /** All of standard output, with what came before the answer unless `onChunk` took it. */
  text: string;
  stderr: string;
  exit: number;
}

/** `signal` cancels it: what there is by then is still an answer. What was not begun by then never is. */
export async function throughDaemon(
  argv: readonly string[],
  { cwd, env }: Caller,
  { signal, onChunk }: { signal?: AbortSignal; onChunk?: (text: string) => void } = {},
): Promise<DaemonAnswer> {
  const request: RawRequest = { id: 1, build: BUILD, argv: [...argv], cwd, env };
  let before = "";
  const chunk = (text: string) => {
    if (onChunk) onChunk(text);
    else before += text;
  };
  const link = new Link();
  const cancel = () => link.connection?.send({ id: request.id, cancel: true });
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const reply = await link.ask(
      request,
      { chunk, needStdin: () => {} },
      `\`sonde ${argv.slice(0, 2).join(" ")}\``,
      signal,
    );
    if (!reply || !("exit" in reply)) throw new SondeError("DAEMON_FAILED", "the daemon gave no answer");
    return { text: before + reply.text, stderr: reply.stderr ?? "", exit: reply.exit };
  } catch (thrown) {
    if (signal?.aborted && thrown === signal.reason)
      throw new SondeError("CANCELLED", "cancelled before it started");
    throw thrown;
  } finally {
    signal?.removeEventListener("abort", cancel);
    link.connection?.close();
  }
}
