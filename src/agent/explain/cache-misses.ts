/** Why a call found less in the provider's cache than the call before had left there. */
import type { StoredBody, Usage } from "../events.ts";
import { Greatest, RecentMap } from "./bounded.ts";
import type { CacheMiss, Explanation, MissCause } from "./explanation.ts";
import { isStoredBlob, type ReadBody, wholeText } from "./fields.ts";
import { cacheMarks, changedParams, prefixChange } from "./prefix-change.ts";

/** A model call as far as the cache is concerned. */
export interface CachedCall {
  req: number;
  agent: string;
  wire: string;
  model: string;
  body: unknown;
  timeMs: number;
  usage: Usage;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
/** A provider counts in steps, and the last block may not be in the cache: less than this share missing is none. */
const MISSING_SHARE = 0.1;
/** Smaller ones are not cached at all by the providers that cache unasked. */
const LEAST_TOKENS = 1024;

export class CacheMisses {
  readonly #last = new RecentMap<string, CachedCall>(1000);
  readonly #compacted = new RecentMap<string, true>(1000);
  readonly #worst = new Greatest<CacheMiss>(5);
  readonly #byCause: Explanation["cache"]["byCause"] = {};
  readonly #readBody: ReadBody;
  #calls = 0;
  #hits = 0;
  #firstCalls = 0;
  #misses = 0;
  #lostTokens = 0;

  constructor(readBody: ReadBody) {
    this.#readBody = readBody;
  }

  compaction(agent: string): void {
    this.#compacted.set(agent, true);
  }

  async answered(call: CachedCall): Promise<void> {
    const before = this.#last.get(call.agent);
    this.#last.set(call.agent, call);
    const compacted = this.#compacted.take(call.agent) === true;
    if (before === undefined) {
      this.#firstCalls += 1;
      return;
    }
    this.#calls += 1;
    if (call.usage.cacheReadTokens > 0) this.#hits += 1;
    const lost = leftInCache(before) - call.usage.cacheReadTokens;
    if (lost <= leftInCache(before) * MISSING_SHARE || lost <= 0) return;
    const cause = await this.#cause(before, call, compacted);
    this.#misses += 1;
    this.#lostTokens += lost;
    this.#byCause[cause.kind] = (this.#byCause[cause.kind] ?? 0) + 1;
    this.#worst.add(lost, { req: call.req, agent: call.agent, lostTokens: lost, cause });
  }

  async #cause(before: CachedCall, call: CachedCall, compacted: boolean): Promise<MissCause> {
    if (before.model !== call.model)
      return { kind: "model_changed", before: before.model, after: call.model };
    if (compacted) return { kind: "compacted" };
    const texts = await this.#bodies(before.body, call.body);
    if (texts !== undefined) {
      const change = prefixChange(texts.before, texts.after);
      if (change !== undefined) return { kind: "prefix_changed", change };
    }
    const marks = cacheMarks(texts?.after ?? "");
    const limitMs = marks.hour ? HOUR : FIVE_MINUTES;
    const idleMs = call.timeMs - before.timeMs;
    if (idleMs > limitMs) return { kind: "expired", idleMs, limitMs };
    if (texts === undefined) return { kind: "unknown", why: "the bodies of the requests are not stored" };
    const names = changedParams(texts.before, texts.after);
    if (names.length > 0) return { kind: "params_changed", names };
    if (call.wire === "anthropic" && !marks.marked) return { kind: "not_marked" };
    return { kind: "unknown", why: "the request begins like the one before and came in time" };
  }

  async #bodies(before: unknown, after: unknown): Promise<{ before: string; after: string } | undefined> {
    if (!isBody(before) || !isBody(after)) return undefined;
    try {
      return {
        before: await wholeText(before, this.#readBody),
        after: await wholeText(after, this.#readBody),
      };
    } catch {
      return undefined; // taken away since: the explanation says that it is not stored
    }
  }

  summary(): Explanation["cache"] {
    return {
      calls: this.#calls,
      hits: this.#hits,
      firstCalls: this.#firstCalls,
      misses: this.#misses,
      lostTokens: this.#lostTokens,
      byCause: this.#byCause,
      worst: this.#worst.list(),
    };
  }
}

function isBody(value: unknown): value is StoredBody {
  return typeof value === "string" || isStoredBlob(value);
}

/** How much of a call its successor should find. */
function leftInCache({ wire, usage }: CachedCall): number {
  if (wire.startsWith("openai")) {
    return usage.inputTokens < LEAST_TOKENS ? 0 : Math.floor(usage.inputTokens / 128) * 128;
  }
  return usage.cacheReadTokens + usage.cacheCreationTokens;
}
