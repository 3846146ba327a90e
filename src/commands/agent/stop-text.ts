/** Something that is held, as text: why and where, what is about to happen, what can be done about it. Pure. */
import { advice, type Call, joined, type Told } from "../../advice/advice.ts";
import { entriesOf, lastEntry } from "../../agent/wire/json-slices.ts";
import { cut, oneLine, plural, visible } from "../../util/text.ts";
import { lines, type TextOptions } from "../answers/text.ts";
import type { Scope } from "./choosing.ts";
import type { Changes, HeldStop, RunState } from "./shapes.ts";

/** Of a tool's input. */
const MOST_LINES = 12;
const LONGEST_LINE = 200;
/** Of stops that are held at once. */
const MOST_STOPS = 5;

export function stateText(run: RunState, options: TextOptions): string[] {
  const { session, held, state, ended } = run;
  const of = `session ${oneLine(session)}`;
  if (state === "ended") return [`ended: ${oneLine(ended ?? "it is over")} · ${of}`];
  if (state === "held" && held.length === 0) return [`held · ${of}`];
  if (held.length === 0)
    return [state === "pausing" ? `will be held at its next call to the model · ${of}` : `running · ${of}`];
  const rest = held.length - MOST_STOPS;
  return [
    ...held.slice(0, MOST_STOPS).flatMap((stop) => stopLines(stop, session, options)),
    ...(rest > 0 ? [`and ${rest} more: --json shows all`] : []),
  ];
}

/** `held: before tool Bash (breakpoint 1, hit 2) · main · turn 1 iteration 3 · stop s2 · session debug_…` */
function stopLines(stop: HeldStop, session: string, options: TextOptions): string[] {
  const { agent, turn, iteration, deadline } = stop;
  const who = agent.name === undefined || agent.id === "main" ? agent.id : `${agent.id} (${agent.name})`;
  const when = iteration === undefined ? undefined : `turn ${turn ?? "?"} iteration ${iteration}`;
  const parts = [`held: ${placeOf(stop)} (${reasonOf(stop)})`, who, when, `stop ${stop.id}`];
  return [
    `${parts.flatMap((part) => (part === undefined ? [] : oneLine(part))).join(" · ")} · session ${oneLine(session)}`,
    ...(stop.tool ? inputLines(stop.tool) : []),
    ...(stop.sends ? sendsLines(stop.sends) : []),
    ...(deadline ? [`  it goes on by itself at ${oneLine(deadline.at)} (${oneLine(deadline.outcome)})`] : []),
    ...(stop.price ? [`  ${priceText(stop.price)}`] : []),
    ...(stop.orphaned ? ["  its client gave up waiting; a retry of the same call joins this stop"] : []),
  ].map((line) => cut(line, options.limits.snapshotBytes));
}

/** `cache: 41,200 tokens kept until 10:05:00 at least; after that the next call costs about $0.24 more` */
function priceText({ cachedTokens, until, dollars }: NonNullable<HeldStop["price"]>): string {
  const more =
    dollars === undefined ? "" : `; after that the next call costs about $${dollars.toFixed(2)} more`;
  return `cache: ${plural(cachedTokens, "token")} kept until ${oneLine(until)} at least${more}`;
}

/** The same without its input: `held: before tool Bash (breakpoint 1) · stop s2` */
export function stopTitle(stop: HeldStop): string {
  return oneLine(`held: ${placeOf(stop)} (${reasonOf(stop)}) · stop ${stop.id}`);
}

function placeOf({ at, tool, req }: HeldStop): string {
  if (at === "tool") return `before tool ${tool?.name ?? "?"}`;
  if (at === "turn_end") return "at the end of the turn";
  return req === undefined ? "before a call to the model" : `before call ${req} to the model`;
}

function reasonOf({ reason, breakpoint, hits, why, tool }: HeldStop): string {
  if (breakpoint === undefined) return reason;
  const hit = hits === undefined ? "" : `, hit ${hits}`;
  const isSaid = why === "" || why === `tool ${tool?.name}`;
  return `breakpoint ${breakpoint}${hit}${isSaid ? "" : `: ${cut(why, 160)}`}`;
}

/** The agent's words, each behind a bar: nothing in them can pass for ours. */
export function inputLines({ input, exact }: { input?: unknown; exact?: string }): string[] {
  const all = exact === undefined ? fieldLines(input) : exactLines(input, exact);
  const left = all.length - MOST_LINES;
  return [
    ...all.slice(0, MOST_LINES).map((line) => `  | ${cut(line, LONGEST_LINE)}`),
    ...(left > 0 ? [`  (${left} more lines: --json shows all)`] : []),
  ];
}

function fieldLines(input: unknown): string[] {
  if (typeof input === "string") return visible(input).split("\n");
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return [oneLine(JSON.stringify(input) ?? "")];
  return Object.entries(input).flatMap(([key, value]) => {
    const text = typeof value === "string" ? visible(value) : oneLine(JSON.stringify(value) ?? "");
    const [first = "", ...more] = text.split("\n");
    return [`${oneLine(key)}: ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

/** Numbers as they are written. */
function exactLines(input: unknown, exact: string): string[] {
  const entries = entriesOf(exact);
  if (typeof input !== "object" || input === null || entries === undefined) return [oneLine(exact)];
  return Object.entries(input).flatMap(([key, value]) => {
    const span = lastEntry(entries, key)?.value;
    if (span === undefined || typeof value === "string") return fieldLines({ [key]: value });
    return [`${oneLine(key)}: ${oneLine(exact.slice(span.start, span.end))}`];
  });
}

function sendsLines({ model, messages, recent, changes }: NonNullable<HeldStop["sends"]>): string[] {
  const what = `  about to send ${plural(messages, "message")}${model === undefined ? "" : ` to ${oneLine(model)}`}; the last of them:`;
  return [
    what,
    ...recent.map(({ role, preview }) => `  | ${oneLine(role)}: ${cut(oneLine(preview), 160)}`),
    ...changesLines(changes).map((line) => `  ${line}`),
  ];
}

/** `changed before it is sent: 1 injected message, temperature = 0.5` */
export function changesLines(changes: Changes | undefined): string[] {
  if (changes === undefined) return [];
  const { injected, set, replaced } = changes;
  const said = [
    ...(replaced ? ["another request in its place"] : []),
    ...(injected.length > 0 ? [plural(injected.length, "injected message")] : []),
    ...Object.entries(set).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ];
  return said.length === 0 ? [] : [cut(oneLine(`changed before it is sent: ${said.join(", ")}`), 400)];
}

/** The calls that help most, in the words of whoever reads. */
export function nextSteps(held: readonly HeldStop[], scope: Scope): Told[] {
  const [stop] = held;
  if (!stop) return [];
  const one = held.length > 1 ? { stop: stop.id } : {};
  const go = advice`${scope.call("agent resume", one)} lets it go on`;
  if (stop.at === "tool") {
    const tool = held.length > 1 && stop.tool ? { tool: stop.tool.id } : {};
    return [
      advice`${scope.call("agent edit", { fields: { [editable(stop.tool?.input)]: "…" }, ...tool })} changes it`,
      advice`${scope.call("agent cancel", tool)} forbids it`,
      advice`${scope.call("agent step", one)} lets it run and holds the next call to the model`,
      go,
    ];
  }
  const look = advice`${scope.call("agent inspect", { what: "messages" })} shows what it is about to send`;
  const step = advice`${scope.call("agent step")} lets it do one more iteration`;
  return stop.at === "model" ? [look, step, go] : [go];
}

/** The field that one most likely wants to change: the first text. */
function editable(input: unknown): string {
  if (typeof input !== "object" || input === null) return "key";
  const [found] = Object.entries(input).filter(([, value]) => typeof value === "string");
  return found?.[0] ?? Object.keys(input)[0] ?? "key";
}

export function nextLine(next: readonly (Told | Call)[], { say }: TextOptions): string[] {
  return next.length === 0 ? [] : [`next: ${say(joined(next, "; "))}`];
}

/** What was done, how the run stands now, what to do next. */
export function controlText(
  result: RunState & { did: string; next: readonly Told[] },
  options: TextOptions,
): string {
  return lines(
    oneLine(result.did),
    result.state === "unknown" ? [] : stateText(result, options),
    nextLine(result.next, options),
  );
}
