/** An explanation on one screen. */
import { plural } from "../../util/text.ts";
import { endText } from "./ending.ts";
import type { AgentRow, CacheMiss, Explanation, MissCause, Repeat, SlowCall, Tokens } from "./explanation.ts";
import { duration, line, size } from "./fields.ts";

const MOST_LINES = 40;
const WIDTH = 150;

export function explanationText(run: Explanation): string {
  const lines = [
    ...head(run),
    ...models(run),
    ...cache(run),
    ...repeats(run),
    ...tools(run),
    ...slowCalls(run),
    ...errors(run),
    ...agents(run),
    ...touched(run),
  ].map((one) => line(one, WIDTH));
  if (lines.length <= MOST_LINES) return lines.join("\n");
  const shown = lines.slice(0, MOST_LINES - 1);
  return [...shown, `… ${plural(lines.length - shown.length, "line")} left out; --json has all`].join("\n");
}

function head(run: Explanation): string[] {
  const { calls } = run;
  const model = calls.main + calls.subagent + calls.compaction + calls.auxiliary;
  const kinds = [
    calls.subagent > 0 ? `${size(calls.subagent)} by sub-agents` : "",
    calls.compaction > 0 ? `${size(calls.compaction)} to compact` : "",
    calls.auxiliary > 0 ? `${size(calls.auxiliary)} auxiliary` : "",
    calls.retries > 0 ? plural(calls.retries, "retry", "retries") : "",
    calls.unanswered > 0 ? `${size(calls.unanswered)} without an answer` : "",
  ].filter((part) => part !== "");
  const turns = [
    plural(run.turns, "turn"),
    plural(run.iterations, "iteration"),
    plural(model, "model call"),
  ].join(", ");
  return [
    joined(
      `run ${run.session}`,
      run.client ?? "",
      duration(run.wallMs),
      ending(run),
      `${size(run.events)} events`,
    ),
    `${turns}${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}`,
    joined(`tokens: ${tokens(run.tokens)}`),
    `cost: ${cost(run)}`,
    `time: models ${modelTime(run)}, tools ${toolTime(run)}, held ${held(run)}`,
  ];
}

function ending({ end, live, held: { now } }: Explanation): string {
  if (live) return now > 0 ? "held now" : "still running";
  if (!end.known) return "not ended in this file";
  const said = endText(end);
  const isKnown = end.signal !== undefined || end.exit !== undefined || end.reason === undefined;
  return isKnown ? said : `${said}: ${end.reason}`;
}

function tokens({ input, cacheRead, cacheWritten, output }: Tokens): string {
  const share = input === 0 ? "" : ` (${Math.round((cacheRead / input) * 100)} %)`;
  return joined(
    `in ${size(input)}`,
    cacheRead === 0 ? "none from the cache" : `from the cache ${size(cacheRead)}${share}`,
    cacheWritten === 0 ? "" : `written to it ${size(cacheWritten)}`,
    `out ${size(output)}`,
  );
}

function cost({ dollars, unpriced, models }: Explanation): string {
  const missing = unpriced.length === 0 ? "" : `no price is known for ${named(unpriced)}`;
  if (models.length === 0) return "no usage was recorded";
  if (unpriced.length === models.length) return `unknown: ${missing}`;
  return joined(`about ${money(dollars)}, an estimate by list prices or those in the configuration`, missing);
}

/** Nothing is 0 ms that was not measured. */
function modelTime({ modelMs, iterations, slowCalls: timed }: Explanation): string {
  return iterations > 0 && timed.length === 0 ? "not recorded" : duration(modelMs);
}

function toolTime({ toolMs, tools: rows }: Explanation): string {
  return rows.length > 0 && rows.every(({ timed }) => timed === 0) ? "not recorded" : duration(toolMs);
}

function held({ held: { ms, stops, now, atEnd } }: Explanation): string {
  if (stops === 0) return "0 ms";
  const open = now > 0 ? `, ${now} of them held now` : atEnd > 0 ? `, ${atEnd} of them to the end` : "";
  return `${duration(ms)} in ${plural(stops, "stop")}${open}`;
}

function models({ models: rows }: Explanation): string[] {
  if (rows.length < 2) return rows.map(({ model }) => `model: ${model}`);
  const shown = rows.slice(0, 4).map(({ model, calls, tokens: of, dollars }) => {
    return `  ${joined(model, plural(calls, "call"), `in ${size(of.input)}`, `out ${size(of.output)}`, dollars === undefined ? "no price" : money(dollars))}`;
  });
  return [`models: ${rows.length}${more(rows.length, 4)}`, ...shown];
}

function cache({ cache: found }: Explanation): string[] {
  const { calls, hits, misses, firstCalls, lostTokens, byCause, worst } = found;
  if (calls === 0) return firstCalls === 0 ? [] : ["cache: no second call that could have used it"];
  const causes = Object.entries(byCause).map(
    ([kind, count]) => `${count} ${CAUSES[kind as MissCause["kind"]]}`,
  );
  // Who read nothing and missed nothing found nothing there to read.
  if (hits === 0 && misses === 0)
    return [
      `cache: not used: no call left anything in it for ${calls === 1 ? "the one after it" : `the ${calls} later calls`}`,
    ];
  const missed =
    misses === 0
      ? hits === calls
        ? "no miss"
        : "no miss: there was nothing in it for the others"
      : `${plural(misses, "miss", "misses")} (${causes.join(", ")}), ${size(lostTokens)} tokens read anew`;
  return [
    joined(`cache: ${hits} of ${plural(calls, "later call")} read from it`, missed),
    ...worst.slice(0, 4).map((miss) => `  ${missText(miss)}`),
  ];
}

const CAUSES: Record<MissCause["kind"], string> = {
  model_changed: "model changed",
  compacted: "compacted",
  prefix_changed: "prefix changed",
  params_changed: "parameters changed",
  expired: "too old",
  not_marked: "not marked",
  unknown: "unexplained",
};

function missText({ req, agent, lostTokens, cause }: CacheMiss): string {
  return joined(
    `call ${req}${agent === "main" ? "" : ` [${agent}]`}`,
    why(cause),
    `${size(lostTokens)} tokens`,
  );
}

function why(cause: MissCause): string {
  switch (cause.kind) {
    case "model_changed":
      return `model changed from ${cause.before} to ${cause.after}`;
    case "compacted":
      return "the conversation was compacted before it";
    case "prefix_changed": {
      const { holder, bytes, before, after } = cause.change;
      return `${holder} changed, bytes ${size(bytes.from)}–${size(bytes.to)} of ${size(bytes.of)}: "${before}" → "${after}"`;
    }
    case "params_changed":
      return `parameters changed: ${named(cause.names)}`;
    case "expired":
      return `${duration(cause.idleMs)} after the call before; the cache keeps ${duration(cause.limitMs)}`;
    case "not_marked":
      return "nothing in the request is marked to be cached";
    case "unknown":
      return `unexplained: ${cause.why}`;
  }
}

function repeats({ repeats: { calls, worst } }: Explanation): string[] {
  if (calls === 0) return [];
  const said = `repeats: ${plural(calls, "tool call was", "tool calls were")} made before with the same input${more(worst.length, 4)}`;
  return [said, ...worst.slice(0, 4).map((one) => `  ${repeatText(one)}`)];
}

function repeatText(repeat: Repeat): string {
  const { tool, agent, input, count, inRow } = repeat;
  return joined(
    `${tool}${agent === "main" ? "" : ` [${agent}]`} ${count} times${inRow > 1 ? `, ${inRow} in a row` : ""}`,
    whereOf(repeat),
    line(input, 70),
  );
}

/** `after calls 2, 3, 4 … 19`: the calls to the model that asked for it. */
function whereOf({ reqs, lastReq }: Repeat): string {
  if (reqs.length === 0) return "";
  const more = lastReq !== undefined && !reqs.includes(lastReq) ? ` … ${lastReq}` : "";
  return `asked for by model call${reqs.length > 1 ? "s" : ""} ${reqs.join(", ")}${more}`;
}

function tools({ tools: rows }: Explanation): string[] {
  if (rows.length === 0) return [];
  const shown = rows
    .slice(0, 4)
    .map(({ name, count, timed, totalMs, maxMs, heldMs, errors: bad, cancelled }) => {
      const times =
        timed === 0 ? "no times recorded" : `${duration(totalMs)} in all, longest ${duration(maxMs)}`;
      const notes = [
        heldMs === 0 ? "" : `held ${duration(heldMs)} before that`,
        bad === 0 ? "" : `${bad} failed`,
        cancelled === 0 ? "" : `${cancelled} cancelled by hand`,
      ];
      return `  ${joined(name, plural(count, "call"), times, ...notes)}`;
    });
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  return [`tools: ${plural(all, "call")}, slowest first${more(rows.length, 4)}`, ...shown];
}

function slowCalls({ slowCalls: rows }: Explanation): string[] {
  if (rows.length === 0) return [];
  return ["slowest model calls", ...rows.map((row) => `  ${slowText(row)}`)];
}

function slowText({ req, agent, model, firstMs, durationMs }: SlowCall): string {
  const first = firstMs === undefined ? "" : `first byte after ${duration(firstMs)}`;
  return joined(`call ${req}${agent === "main" ? "" : ` [${agent}]`}`, model, duration(durationMs), first);
}

function errors({ errors: rows }: Explanation): string[] {
  if (rows.length === 0) return ["errors: none"];
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  return [
    `errors: ${size(all)}${more(rows.length, 4)}`,
    ...rows
      .slice(0, 4)
      .map(({ of, what, count, message }) => `  ${joined(`${of} ${what}`, `${size(count)}×`, message)}`),
  ];
}

function agents({ agents: rows }: Explanation): string[] {
  const others = rows.filter(({ id }) => id !== "main");
  if (others.length === 0) return [];
  return [
    `sub-agents: ${size(others.length)}${more(others.length, 3)}`,
    ...others.slice(0, 3).map((row) => `  ${agentText(row)}`),
  ];
}

function agentText({ id, name, parent, calls, toolCalls, tokens: of, dollars }: AgentRow): string {
  return joined(
    name === undefined ? id : `${name} ${id}`,
    parent === undefined || parent === "main" ? "" : `under ${parent}`,
    plural(calls, "model call"),
    plural(toolCalls, "tool call"),
    `in ${size(of.input)}, out ${size(of.output)}`,
    dollars === 0 ? "" : money(dollars),
  );
}

function touched({ touched: by, compactions }: Explanation): string[] {
  const said = [
    by.injected > 0 ? plural(by.injected, "injected message") : "",
    by.settings > 0 ? plural(by.settings, "changed setting") : "",
    by.requestsEdited > 0 ? plural(by.requestsEdited, "edited request") : "",
    by.callsKilled > 0
      ? plural(by.callsKilled, "model call that was not sent", "model calls that were not sent")
      : "",
    by.toolsEdited > 0 ? plural(by.toolsEdited, "edited tool call") : "",
    by.toolsCancelled > 0 ? plural(by.toolsCancelled, "cancelled tool call") : "",
    by.anchorsLost > 0 ? plural(by.anchorsLost, "injection that was lost", "injections that were lost") : "",
  ].filter((part) => part !== "");
  const { count, last } = compactions;
  const lines = said.length === 0 ? [] : [`by hand: ${said.join(", ")}`];
  if (count === 0) return lines;
  const sizes =
    last === undefined ? "" : `the last from ${size(last.before)} messages to ${size(last.after)}`;
  const where = last?.req === undefined ? "" : `before call ${last.req}`;
  return [...lines, joined(`compactions: ${size(count)}`, sizes, where)];
}

function more(total: number, shown: number): string {
  return total > shown ? ` (${shown} of ${size(total)} shown)` : "";
}

function named(names: readonly string[]): string {
  const shown = names
    .slice(0, 3)
    .map((name) => line(name, 40))
    .join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function money(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
