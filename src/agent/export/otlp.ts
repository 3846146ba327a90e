/** Sends spans to a collector, by OTLP over HTTP. */
import { SondeError } from "../../errors.ts";
import { timeoutSignal } from "../../util/timeout-signal.ts";
import { wait } from "../../util/wait.ts";
import { line, record, text } from "../explain/fields.ts";
import { otlpJson, type Resource, type Span } from "./span.ts";

export interface OtlpOptions {
  /** A collector's base URL, or the whole one with /v1/traces. */
  endpoint: string;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
  /** Of one attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How often a batch is tried in all. */
  attempts?: number | undefined;
}

export interface Sent {
  /** What the collector said it left out, and why. */
  rejected: number;
  warning: string | undefined;
}

const RETRIED = new Set([408, 429, 502, 503, 504]);
const LONGEST_WAIT = 60_000;

export function tracesUrl(endpoint: string): URL {
  let url: URL;
  try {
    url = new URL(endpoint);
  } catch {
    throw new SondeError("BAD_ARGUMENT", `"${line(endpoint, 100)}" is not the address of a collector`, {
      hint: "Give a URL such as http://127.0.0.1:4318.",
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new SondeError("BAD_ARGUMENT", `a collector cannot be reached by ${url.protocol}`, {
      hint: "OTLP goes over http: or https:; port 4318 is the usual one. Port 4317 is for gRPC and does not take it.",
    });
  }
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url;
}

/** `a=1,b=2`, as OTEL_EXPORTER_OTLP_HEADERS has it. */
export function parseHeaders(list: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of list.split(",")) {
    const at = pair.indexOf("=");
    if (at > 0) headers[pair.slice(0, at).trim()] = decoded(pair.slice(at + 1).trim());
  }
  return headers;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not encoded, as many write it
  }
}

/** One batch. Tries again what a collector may take later. */
export async function sendSpans(
  resource: Resource,
  spans: readonly Span[],
  options: OtlpOptions,
): Promise<Sent> {
  const { attempts = 5 } = options;
  const url = tracesUrl(options.endpoint);
  const body = otlpJson(resource, spans);
  for (let attempt = 1; ; attempt++) {
    const answer = await post(url, body, options);
    if (answer.ok) return accepted(answer.body);
    if (!answer.retry || attempt >= attempts) throw refused(url, answer, attempt);
    const pauseMs = Math.min(
      answer.afterMs ?? 500 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2),
      LONGEST_WAIT,
    );
    const outcome = await wait(new Promise<never>(() => {}), { timeoutMs: pauseMs, signal: options.signal });
    if (!outcome.done && outcome.why === "aborted") throw refused(url, answer, attempt);
  }
}

interface Answer {
  ok: boolean;
  status: number | undefined;
  body: string;
  retry: boolean;
  afterMs: number | undefined;
}

async function post(
  url: URL,
  body: string,
  { headers = {}, signal, timeoutMs = 10_000 }: OtlpOptions,
): Promise<Answer> {
  const limit = timeoutSignal(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { ...headers, "content-type": "application/json" },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const { status } = response;
    return {
      ok: response.ok,
      status,
      body: await response.text(),
      retry: RETRIED.has(status),
      afterMs: retryAfter(response.headers.get("retry-after")),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
    const said = error instanceof Error ? error.message : String(error);
    const why = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : cause || said;
    return { ok: false, status: undefined, body: why, retry: signal?.aborted !== true, afterMs: undefined };
  }
}

/** Seconds, or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function accepted(body: string): Sent {
  try {
    const partial = record(record(JSON.parse(body)).partialSuccess);
    const message = text(partial.errorMessage);
    return {
      rejected: Number(partial.rejectedSpans ?? 0) || 0,
      warning: message === "" ? undefined : message,
    };
  } catch {
    return { rejected: 0, warning: undefined }; // some answer nothing, or not in JSON
  }
}

function refused(url: URL, { status, body }: Answer, attempts: number): SondeError {
  const said = status === undefined ? body : `status ${status}${body === "" ? "" : `: ${line(body, 400)}`}`;
  const tried = attempts === 1 ? "" : ` (tried ${attempts} times)`;
  const hint =
    status === 415 || status === 400
      ? "The collector must take OTLP over HTTP in JSON."
      : status === 401 || status === 403
        ? "The collector requires an authorization header."
        : "";
  return new SondeError(
    "REQUEST_FAILED",
    `the collector at ${url.origin}${url.pathname} did not accept the spans${tried}: ${said}`,
    hint === "" ? {} : { hint },
  );
}
