/** A whole recording, sent to a collector. */
import type { ReadBody } from "../explain/fields.ts";
import type { EventBatches } from "../explain/range.ts";
import { type OtlpOptions, sendSpans } from "./otlp.ts";
import type { Span } from "./span.ts";
import { SpanBuilder } from "./spans.ts";

export interface ExportOptions extends OtlpOptions {
  version: string;
  readBody: ReadBody;
  /** What was said and done goes along. */
  content?: boolean | undefined;
}

export interface Exported {
  traceId: string | undefined;
  spans: number;
  batches: number;
  rejected: number;
  warning: string | undefined;
}

export const BATCH_SPANS = 512;
/** With content a span may be large; collectors take a few megabytes at once. */
export const BATCH_CHARACTERS = 2_000_000;

export async function exportRun(events: EventBatches, options: ExportOptions): Promise<Exported> {
  const { version, readBody, content = false } = options;
  const builder = new SpanBuilder({ version, ...(content && { content: { readBody } }) });
  const done: Exported = { traceId: undefined, spans: 0, batches: 0, rejected: 0, warning: undefined };
  let waiting: Span[] = [];
  const send = async (all: boolean) => {
    for (const batch of batchesOf(waiting, all)) {
      const { rejected, warning } = await sendSpans(builder.resource, batch, options);
      done.traceId ??= batch[0]?.traceId;
      done.spans += batch.length;
      done.batches += 1;
      done.rejected += rejected;
      done.warning ??= warning;
      waiting = waiting.slice(batch.length);
    }
  };
  for await (const batch of events) {
    options.signal?.throwIfAborted();
    for (const event of batch) {
      const later = builder.take(event);
      if (later !== undefined) await later;
    }
    waiting.push(...builder.drain());
    await send(false);
  }
  waiting.push(...builder.finish());
  await send(true);
  return done;
}

/** Full batches; what is left over only if `all`. */
export function* batchesOf(spans: readonly Span[], all: boolean): Generator<Span[]> {
  let batch: Span[] = [];
  let size = 0;
  for (const span of spans) {
    batch.push(span);
    size += 500;
    for (const value of Object.values(span.attributes)) if (typeof value === "string") size += value.length;
    if (batch.length < BATCH_SPANS && size < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (all && batch.length > 0) yield batch;
}
