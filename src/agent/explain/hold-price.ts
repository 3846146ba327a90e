/** What holding an agent costs: until when the provider keeps what it has read, and what reading it again would add to the next call. */
import type { AgentEvent } from "../events.ts";
import {
  agentOf,
  isRecord,
  isStoredBlob,
  number,
  type ReadBody,
  text,
  usageOf,
  wholeText,
} from "./fields.ts";
import { cacheMarks } from "./prefix-change.ts";
import type { PriceOf } from "./prices.ts";

export interface HoldPrice {
  /** Tokens that the provider kept when the last call was answered. */
  cachedTokens: number;
  /** ISO 8601: kept until then at least, if nothing else uses them. */
  until: string;
  /** What the next call costs more if it comes later, in dollars; left out where the model has no known price. */
  dollars?: number;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

/**
 * By the last answered call of this agent. Undefined where nothing was cached, or where the provider does not say how long it keeps it:
 * only Anthropic's promise is a time.
 */
export async function holdPrice(
  events: readonly AgentEvent[],
  agent: string,
  { priceOf, readBody }: { priceOf: PriceOf; readBody: ReadBody },
): Promise<HoldPrice | undefined> {
  const answered = events.findLast(({ type, data }) => {
    return (
      type === "api_response" && isRecord(data) && agentOf(data) === agent && usageOf(data) !== undefined
    );
  });
  const usage = answered && usageOf(answered.data);
  if (answered === undefined || usage === undefined) return undefined;
  const req = number(answered.data.req);
  const sent = events.findLast(({ type, data }) => type === "api_request" && data.req === req);
  const body = sent?.data.sent ?? sent?.data.body;
  const cachedTokens = usage.cacheReadTokens + usage.cacheCreationTokens;
  if (sent?.data.wire !== "anthropic" || cachedTokens === 0) return undefined;
  const { hour } = cacheMarks(await bodyText(body, readBody));
  // From when it was asked: the provider counts from a little later.
  const until = Date.parse(sent.timestamp) + (hour ? HOUR : FIVE_MINUTES);
  const price = priceOf(text(answered.data.model) ?? text(sent.data.model) ?? "");
  const { input = 0, cacheRead = input / 10, cacheWrite = input } = price ?? {};
  const dollars = (cachedTokens * (cacheWrite - cacheRead)) / 1_000_000;
  return {
    cachedTokens,
    until: new Date(until).toISOString(),
    ...(price === undefined ? {} : { dollars: Number(dollars.toFixed(6)) }),
  };
}

async function bodyText(body: unknown, readBody: ReadBody): Promise<string> {
  if (typeof body !== "string" && !isStoredBlob(body)) return "";
  try {
    return await wholeText(body, readBody);
  } catch {
    return ""; // taken away since: then the shorter time counts
  }
}
