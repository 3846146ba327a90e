/** A span, and how OTLP writes it as JSON. */
import { createHash } from "node:crypto";

export type AttributeValue = string | number | boolean | readonly string[];

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  kind: "internal" | "client";
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Record<string, AttributeValue | undefined>;
  /** What went wrong; undefined if nothing did. */
  error?: string | undefined;
}

/** The same for the same thing of the same session: a run that is sent twice is still one run. */
export function traceIdOf(sessionId: string): string {
  return hash(`trace\0${sessionId}`).slice(0, 32);
}

export function spanIdOf(sessionId: string, what: string): string {
  return hash(`span\0${sessionId}\0${what}`).slice(0, 16);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const KINDS = { internal: 1, client: 3 } as const;
const FAILED = 2;

export interface Resource {
  attributes: Record<string, AttributeValue | undefined>;
  version: string;
}

/** The body of an export request. */
export function otlpJson(resource: Resource, spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource.attributes) },
        scopeSpans: [{ scope: { name: "sonde", version: resource.version }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

function spanJson(span: Span): Record<string, unknown> {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: wellFormed(span.name),
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
    attributes: keyValues(span.attributes),
    ...(span.error !== undefined && { status: { code: FAILED, message: wellFormed(span.error) } }),
  };
}

function keyValues(attributes: Record<string, AttributeValue | undefined>): unknown[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

/** 64-bit numbers are text in protobuf's JSON. */
function anyValue(value: AttributeValue): Record<string, unknown> {
  if (typeof value === "string") return { stringValue: wellFormed(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(anyValue) } };
}

/** Half a surrogate pair is no text to a collector, and would cost the whole batch. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
