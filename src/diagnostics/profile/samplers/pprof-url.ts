/** A program that offers its profiles itself, as Go's net/http/pprof does. */
import { advice, named } from "../../../advice/advice.ts";
import { SondeError } from "../../../errors.ts";
import { fromPprof } from "../formats/pprof/read.ts";
import { MOST_BYTES, TooLarge } from "../limits.ts";
import { merged, type Profile } from "../profile.ts";
import type { Taken, Taking } from "../sampler.ts";

/** It answers at the end of each: what is ended early has those before. */
const SLICE_SECONDS = 5;
const SLACK_MS = 15_000;
const CPU_PERIOD_NS = 10_000_000;
const HEAP_PERIOD_BYTES = 512 * 1024;

export async function samplePprof(
  url: string,
  { kind, seconds, signal, begun }: Pick<Taking, "kind" | "seconds" | "signal" | "begun">,
): Promise<Taken> {
  const base = addressOf(url);
  const start = performance.now();
  begun();
  const parts: Profile[] = [];
  if (kind === "heap") parts.push(await fetched(new URL("heap", base), 0, signal));
  else
    for (let left = seconds; left > 0.01 && !signal.aborted; left -= SLICE_SECONDS) {
      // It takes whole seconds only.
      const slice = Math.max(1, Math.round(Math.min(left, SLICE_SECONDS)));
      const part = await fetched(new URL(`profile?seconds=${slice}`, base), slice, signal).catch(
        (error: unknown) => {
          if (signal.aborted && parts.length > 0) return undefined;
          throw error;
        },
      );
      if (part) parts.push(part);
    }
  const passed = (performance.now() - start) / 1000;
  return {
    profile: merged(
      kind === "cpu" ? "ns" : "bytes",
      parts.map((profile) => ({ profile })),
    ),
    means:
      kind === "cpu"
        ? "the program's own pprof"
        : "the program's own pprof: what was in use at its last collection",
    period: kind === "cpu" ? CPU_PERIOD_NS : HEAP_PERIOD_BYTES,
    seconds: passed,
    end: { how: signal.aborted ? "early" : "time" },
    files: [],
    notes: signal.aborted
      ? [`it answers every ${SLICE_SECONDS} s: what came after the last answer is lost`]
      : [],
  };
}

/** `http://127.0.0.1:6060`, or with the path that the program has it under. */
function addressOf(url: string): URL {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new SondeError("BAD_ARGUMENT", advice`${named("url")} is not an address: ${url}`);
  }
  if (!/^https?:$/.test(parsed.protocol))
    throw new SondeError("BAD_ARGUMENT", advice`${named("url")} must begin with http:// or https://`);
  if (parsed.pathname === "/") parsed.pathname = "/debug/pprof/";
  if (!parsed.pathname.endsWith("/")) parsed.pathname += "/";
  parsed.search = "";
  return parsed;
}

async function fetched(url: URL, seconds: number, signal: AbortSignal): Promise<Profile> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000 + SLACK_MS)]);
  const bytes = await bytesOf(url, limit).catch((error: unknown) => {
    if (error instanceof SondeError) throw error;
    if (error instanceof TooLarge) throw tooLarge(url, error);
    if (signal.aborted) throw new SondeError("CANCELLED", "cancelled before the program had answered");
    const why =
      error instanceof Error
        ? String((error.cause as Error | undefined)?.message ?? error.message)
        : String(error);
    throw new SondeError("REQUEST_FAILED", `${url.origin} does not answer: ${why}`);
  });
  try {
    return await fromPprof(bytes);
  } catch (cause) {
    if (cause instanceof TooLarge) throw tooLarge(url, cause);
    throw new SondeError("REQUEST_FAILED", `the answer of ${url.origin} is not a profile`, {
      hint: "the program must import net/http/pprof and serve it there",
      cause,
    });
  }
}

function tooLarge(url: URL, cause: TooLarge): SondeError {
  return new SondeError(
    "REQUEST_FAILED",
    `the profile that ${url.origin} sent is too large: ${cause.message}`,
    {
      hint: "check that the address is that of the program's own pprof",
      cause,
    },
  );
}

async function bytesOf(url: URL, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { signal, redirect: "error" });
  if (!response.ok)
    throw new SondeError("REQUEST_FAILED", `${url.href} answered ${response.status}`, {
      hint: "the program must import net/http/pprof and serve it there",
    });
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw TooLarge.bytes();
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
