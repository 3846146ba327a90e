/** How large a conversation is and what it has cost, in rows that one can read. Pure. */
import { size, usageOf } from "../../agent/explain/fields.ts";
import { cut, oneLine, plural } from "../../util/text.ts";

type Fields = Readonly<Record<string, unknown>>;

const LONGEST = 400;

/** What agents of other makes say besides is shown as it is. */
export function contextRows(context: Fields): string[] {
  const {
    tokenEstimate,
    lastUsage,
    usage,
    costEstimate,
    hasSummary,
    summaryPreview,
    injected,
    waitingToBeInjected: waiting,
    set,
    ...others
  } = context;
  return [
    ...row("the request", tokenEstimate, (count) => `about ${size(count)} tokens, by its length`),
    ...usageRow("the last answered call", lastUsage),
    ...usageRow("all calls", usage),
    ...row("cost so far", costEstimate, (dollars) => `about ${money(dollars)}`),
    ...(hasSummary === true
      ? [`  compacted: it begins with a summary: ${JSON.stringify(summaryPreview ?? "")}`]
      : []),
    ...row("injected", Number(injected ?? 0) || undefined, (count) => plural(count, "message")),
    ...row("to be injected", Number(waiting ?? 0) || undefined, (count) => plural(count, "message")),
    ...settings(set),
    ...Object.entries(others).map(
      ([key, value]) => `  ${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  ].map((line) => cut(oneLine(line), LONGEST));
}

function row(title: string, value: unknown, say: (value: number) => string): string[] {
  return typeof value === "number" ? [`  ${title}: ${say(value)}`] : [];
}

function usageRow(title: string, value: unknown): string[] {
  const usage = usageOf({ usage: value });
  if (usage === undefined) return [];
  const { inputTokens, outputTokens, cacheReadTokens: read, cacheCreationTokens: written } = usage;
  const cached = [
    ...(read > 0 ? [`${size(read)} from the cache`] : []),
    ...(written > 0 ? [`${size(written)} written to it`] : []),
  ];
  const inside = cached.length === 0 ? "" : ` (${cached.join(", ")})`;
  return [`  ${title}: ${size(inputTokens)} tokens in${inside}, ${size(outputTokens)} out`];
}

function settings(set: unknown): string[] {
  const entries = Object.entries(typeof set === "object" && set !== null ? set : {});
  if (entries.length === 0) return [];
  return [`  set by hand: ${entries.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(", ")}`];
}

/** $0.0123, $1.25 */
export function money(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`;
}
