/** A recorded answer, sent again: its very bytes. */
import type { ServerResponse } from "node:http";
import { wait } from "../../util/wait.ts";
import { EventCutter } from "../wire/sse.ts";

export interface Pace {
  firstMs: number;
  durationMs: number;
  /** 2 is twice as fast. */
  speed: number;
}

export interface Recorded {
  status: number;
  contentType: string;
  bytes: Buffer;
}

/** At once, or at the pace of the recording: the first byte when it came, the rest spread over the time that it took. */
export async function playAnswer(
  answer: ServerResponse,
  recorded: Recorded,
  pace: Pace | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { status, contentType, bytes } = recorded;
  const head = {
    "content-type": contentType,
    ...(status >= 400 && { "content-length": String(bytes.length) }),
  };
  if (pace === undefined) {
    answer.writeHead(status, head);
    answer.end(bytes);
    return;
  }
  const start = performance.now();
  const gone = AbortSignal.any([signal, closed(answer)]);
  if (!(await passed(start + pace.firstMs / pace.speed, gone))) return;
  answer.writeHead(status, head);
  const pieces = contentType.includes("event-stream") ? eventsOf(bytes) : [bytes];
  const rest = Math.max(0, pace.durationMs - pace.firstMs) / pace.speed;
  const began = performance.now();
  for (const [at, piece] of pieces.entries()) {
    if (!(await passed(began + (rest * at) / pieces.length, gone))) return;
    answer.write(piece);
  }
  if (await passed(began + rest, gone)) answer.end();
}

function eventsOf(bytes: Buffer): Buffer[] {
  const cutter = new EventCutter();
  const events = cutter.push(bytes);
  const rest = cutter.rest();
  return rest.length === 0 ? events : [...events, rest];
}

function closed(answer: ServerResponse): AbortSignal {
  const gone = new AbortController();
  answer.on("close", () => gone.abort());
  return gone.signal;
}

async function passed(due: number, signal: AbortSignal): Promise<boolean> {
  for (let left = due - performance.now(); left >= 1; left = due - performance.now()) {
    const outcome = await wait(new Promise<never>(() => {}), { timeoutMs: Math.ceil(left), signal });
    if (!outcome.done && outcome.why === "aborted") return false;
  }
  return !signal.aborted;
}
