/**
 * The chunks of an answer, read on while earlier ones are being held: a provider whose connection is not read for minutes may close it. Up to a
 * limit, then it is left to wait.
 */
import type { IncomingMessage } from "node:http";

const MOST_AHEAD = 4 * 2 ** 20;

export async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
  const ahead: Buffer[] = [];
  let length = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  const awake = () => {
    wake?.();
    wake = undefined;
  };
  answer.on("data", (chunk: Buffer) => {
    ahead.push(chunk);
    length += chunk.length;
    if (length > MOST_AHEAD) answer.pause();
    awake();
  });
  answer.once("end", () => {
    ended = true;
    awake();
  });
  const fail = (error?: Error) => {
    if (!ended) failure ??= error ?? new Error("the provider closed the connection");
    awake();
  };
  answer.on("error", fail);
  answer.once("close", () => fail());
  try {
    for (;;) {
      const chunk = ahead.shift();
      if (chunk) {
        length -= chunk.length;
        if (length <= MOST_AHEAD / 2 && answer.isPaused()) answer.resume();
        yield chunk;
      } else if (ended) return;
      else if (failure) throw failure;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    if (!ended) answer.destroy();
  }
}
