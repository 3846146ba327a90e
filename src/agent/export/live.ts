/** Sends a run's spans while it goes on. The agent never waits for a collector, and what a collector does not take is counted, not kept for ever. */
import { wait } from "../../util/wait.ts";
import type { AgentEvent } from "../events.ts";
import { BATCH_SPANS, batchesOf, type ExportOptions } from "./export-run.ts";
import { sendSpans } from "./otlp.ts";
import type { Span } from "./span.ts";
import { SpanBuilder } from "./spans.ts";

export interface LiveOptions extends ExportOptions {
  /** How long spans wait for others; 5 s. */
  intervalMs?: number | undefined;
  onProblem?: ((message: string) => void) | undefined;
}

export interface LiveReport {
  spans: number;
  /** Because the collector did not take them in time. */
  dropped: number;
  problem: string | undefined;
}

export interface LiveExporter {
  report(): LiveReport;
  /** Sends what is left, for at most `timeoutMs` (10 s). */
  close(timeoutMs?: number): Promise<LiveReport>;
}

const MOST_WAITING = 10_000;

export function liveExporter(
  log: { onEvent(listener: (event: AgentEvent) => void): () => void },
  options: LiveOptions,
): LiveExporter {
  const { version, readBody, content = false, intervalMs = 5000 } = options;
  const builder = new SpanBuilder({ version, ...(content && { content: { readBody } }) });
  const cancel = new AbortController();
  const report: LiveReport = { spans: 0, dropped: 0, problem: undefined };
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  // Content is read from disk: events are still taken in their order.
  let taking: Promise<void> = Promise.resolve();

  const queue = (spans: readonly Span[]) => {
    waiting.push(...spans);
    if (waiting.length > MOST_WAITING)
      report.dropped += waiting.splice(0, waiting.length - MOST_WAITING).length;
    if (waiting.length >= BATCH_SPANS) flush();
    else if (waiting.length > 0 && timer === undefined) {
      timer = setTimeout(flush, intervalMs);
      timer.unref();
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const spans = waiting;
    waiting = [];
    if (spans.length > 0) sending = sending.then(() => send(spans));
  };
  const send = async (spans: readonly Span[]) => {
    for (const batch of batchesOf(spans, true)) {
      try {
        await sendSpans(builder.resource, batch, { ...options, signal: cancel.signal });
        report.spans += batch.length;
      } catch (error) {
        report.dropped += batch.length;
        const problem = error instanceof Error ? error.message : String(error);
        if (report.problem === undefined) options.onProblem?.(problem);
        report.problem = problem;
      }
    }
  };
  const unsubscribe = log.onEvent((event) => {
    if (!content) {
      builder.take(event);
      queue(builder.drain());
      return;
    }
    taking = taking.then(async () => {
      await builder.take(event);
      queue(builder.drain());
    });
  });
  return {
    report: () => ({ ...report }),
    async close(timeoutMs = 10_000) {
      unsubscribe();
      const finish = async () => {
        await taking;
        queue(builder.finish());
        flush();
        await sending;
      };
      const outcome = await wait(finish(), { timeoutMs });
      cancel.abort();
      clearTimeout(timer);
      if (!outcome.done) {
        await sending;
        report.problem ??= `the collector did not accept all spans within ${timeoutMs / 1000} s`;
      }
      return { ...report };
    },
  };
}
