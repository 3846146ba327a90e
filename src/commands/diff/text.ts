/** Where two runs part, in one look. Pure. */
import { advice, named } from "../../advice/advice.ts";
import { TIMES_RUN } from "../../trace/diff/further.ts";
import { comparable } from "../../trace/diff/same-text.ts";
import { cut, cutBytes, oneLine, plural } from "../../util/text.ts";
import { lines, noteLines, shortPath, type TextOptions } from "../answers/text.ts";
import { endText } from "../trace/text.ts";
import type { DiffResult } from "./shapes.ts";

const BUDGET = 2048;
const NAMES = 6;

type Divergence = NonNullable<DiffResult["first"]>;
type Side = NonNullable<Divergence["a"]>;

export function diffText(result: DiffResult, options: TextOptions): string {
  const { more, flaky, a, b, next } = result;
  const head = lines(
    flaky && `${flaky.runs} runs: ${flaky.passed} passed (A is one), ${flaky.failed} failed (B is one)`,
    result.unlike,
    headLines(result, options),
  );
  // Of many changes most tell nothing.
  const rows = result.call === undefined ? 5 : 2;
  const tail = lines(
    result.compared !== undefined &&
      options.say(
        advice`more was recorded than is kept: only the first ${plural(result.compared, "moment")} of each run were compared; ${named("maxHits")} keeps more, ${named("at")} or ${named("function")} record less`,
      ),
    ends(result),
    more.length > 0 && `further differences${result.compared === undefined ? "" : " in what was compared"}`,
    more.slice(0, rows).map((one) => `  ${furtherLine(one, options)}`),
    more.length > rows && `  … ${more.length - rows} more`,
    noiseLine(result),
    noteLines(result.notes.slice(0, 3), options),
    `runs: A ${a.id} ${oneLine(cut(a.title, 80))} · B ${b.id} ${oneLine(cut(b.title, 80))}`,
    next && oneLine(options.say(advice`next: ${next} shows it line by line`)),
  );
  return cutBytes(head, Math.max(400, BUDGET - Buffer.byteLength(tail)), "[cut]\n") + tail;
}

function headLines(result: DiffResult, options: TextOptions): string[] {
  const { first, split, a, b } = result;
  const empty = [a, b].flatMap((run, at) => (run.seen === 0 ? [["A", "B"][at] ?? ""] : []));
  if (empty.length > 0 && first !== undefined)
    return [`nothing was recorded in run ${empty.join(" and ")}: there is nothing to compare with`];
  if (first === undefined) {
    const recorded = empty.length === 2 ? "nothing was recorded in either run" : undefined;
    const none =
      recorded ?? `no difference in ${plural(result.matching, "recorded moment")}${partlyText(result)}`;
    const { unrecorded, endsDiffer } = result;
    const ends = endsDiffer ? `${none}, but the runs end differently` : none;
    const isOpen = endsDiffer || a.partial !== undefined || b.partial !== undefined;
    return [
      ...packageLines(result),
      ...(isOpen ? changedLines(result, options) : []),
      ends,
      ...(unrecorded === undefined ? [] : [oneLine(options.say(unrecorded))]),
    ];
  }
  return [
    ...packageLines(result),
    ...loadedOnlyLines(result),
    ...callLines(result, options),
    ...changedLines(result, options),
    ...divergence(result, first, options),
    ...showsLine(result, options),
    ...splitLines(result, split),
  ];
}

function partlyText({ partly }: DiffResult): string {
  return partly === undefined
    ? ""
    : `, ${partly} of them with a long value of which only the beginning was compared`;
}

function packageLines({ packages = [] }: DiffResult): string[] {
  if (packages.length === 0) return [];
  const shown = packages.slice(0, NAMES).map(packageText);
  const more = packages.length > NAMES ? ` and ${packages.length - NAMES} more` : "";
  return [oneLine(`installed code that differs, and was recorded too: ${shown.join(", ")}${more}`)];
}

function loadedOnlyLines({ loadedOnly = { a: [], b: [] } }: DiffResult): string[] {
  return (["a", "b"] as const).flatMap((side) => {
    const names = loadedOnly[side];
    if (names.length === 0) return [];
    const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : "";
    return [
      oneLine(
        `installed code loaded only by ${side.toUpperCase()}: ${names.slice(0, NAMES).join(", ")}${more}`,
      ),
    ];
  });
}

function packageText({ name, a, b }: NonNullable<DiffResult["packages"]>[number]): string {
  const [from, to] = [a.version ?? "?", b.version ?? "?"];
  return from === to
    ? `${name}${from === "?" ? " (other files)" : ` ${from} (the same version, other files)`}`
    : `${name} ${from} → ${to}`;
}

/** The first call that comes to something else, of versions that differ in many places. */
function callLines({ call }: DiffResult, options: TextOptions): string[] {
  if (call === undefined) return [];
  const { a, b } = call;
  const given = a.given.map(([name, value]) => `${name}=${cut(value, 30)}`).join(", ");
  const [x, y] = around(comparable(a.value ?? ""), comparable(b.value ?? ""), 80);
  const gives = (how: string | undefined, value: string) =>
    how === undefined
      ? "had not returned when the run ended"
      : how === "throw"
        ? `throws${value === "" ? "" : ` ${value}`}`
        : value;
  return [
    oneLine(
      `first call with the same arguments and a different result: ${a.function}(${cut(given, 120)}), called at ${placeText(a.site, options)}`,
    ),
    oneLine(`  A ${gives(a.how, x)}, B ${gives(b.how, y)}`),
  ];
}

function showsLine({ shows }: DiffResult, options: TextOptions): string[] {
  if (shows === undefined) return [];
  return [oneLine(`in your code it shows at ${placeText(shows, options)}: ${cut(shows.what, 80)}`)];
}

type Change = NonNullable<DiffResult["changed"]>[number];

/** Whether the line that a side ran before they part is one of these. */
function isOf(change: Change, side: "a" | "b", { path, line }: Side["site"]): boolean {
  const lines = change[side];
  return (
    lines !== undefined && lines.path === path && line >= lines.line && line < lines.line + lines.texts.length
  );
}

/** Where they part, unless that says it: what was changed and ran before. */
function changedLines({ first, changed = [] }: DiffResult, options: TextOptions): string[] {
  const others = changed.filter((one) => !isSite(first, one));
  if (others.length < changed.length || others.length === 0) return [];
  const shown = others.slice(0, CHANGES).map((one) => `  ${changeText(one, options)}`);
  const what = others[0]?.after
    ? "changed between A and B, and ran only after the runs diverge: something else, perhaps chance, makes them diverge"
    : others[0]?.ran
      ? `changed between A and B, and ran${first === undefined ? "" : " before the runs diverge"}${others.length > 1 ? ", the latest first" : ""}`
      : "changed between A and B, in lines that have no code of their own";
  const rest = others.length > CHANGES ? [`  … ${others.length - CHANGES} more`] : [];
  return [what, ...shown, ...rest];
}

const CHANGES = 3;

function isSite(first: Divergence | undefined, change: Change): boolean {
  return (["a", "b"] as const).some((side) => {
    const site = first?.[side]?.site;
    return site !== undefined && isOf(change, side, site);
  });
}

function changeText({ a, b }: Change, { cwd }: TextOptions): string {
  const shown = (lines: NonNullable<Change["a"]>) => {
    const more = lines.texts.length > 1 ? ` (+${plural(lines.texts.length - 1, "line")})` : "";
    return `${shortPath(lines.path, cwd)}:${lines.line} | ${cut(lines.texts[0] ?? "", 90)}${more}`;
  };
  if (a === undefined || b === undefined) {
    const only = a ?? b;
    return oneLine(only === undefined ? "" : `${shown(only)}  (only in ${a === undefined ? "B" : "A"})`);
  }
  return oneLine(`A ${shown(a)}\n`.trimEnd()) + oneLine(`  →  B ${shown(b)}`);
}

function divergence(result: DiffResult, first: Divergence, options: TextOptions): string[] {
  const { changed = [] } = result;
  const { a, b } = first;
  const isChanged = (side: Side | undefined, name: "a" | "b") =>
    side !== undefined && changed.some((one) => isOf(one, name, side.site));
  const side = isChanged(b, "b") && !isChanged(a, "a") ? b : (a ?? b);
  const site = side?.site;
  const where = site === undefined ? "" : `: line ${placeText(site, options)} in ${oneLine(site.function)}`;
  const others = changed.filter((one) => one.ran && !one.after && !isSite(first, one)).length;
  const why =
    isChanged(a, "a") || isChanged(b, "b")
      ? [`on a changed line${others > 0 ? `; ${plural(others, "other changed place")} ran before` : ""}`]
      : [];
  const after =
    result.call === undefined ? [`after ${plural(result.before, "equal moment")}${partlyText(result)}`] : [];
  const notes = [...after, ...why].join(", ");
  const values = first.differing
    .slice(0, NAMES)
    .map((one) => ({ name: one.name, pair: around(comparable(one.a ?? ""), comparable(one.b ?? "")) }));
  const shown = (at: 0 | 1) =>
    values.map(({ name, pair }) => `      ${oneLine(name)} = ${oneLine(pair[at])}`);
  const same = first.equal.slice(0, NAMES).map(({ name, value }) => `${name} = ${cut(value, 40)}`);
  return [
    `${result.call === undefined ? "first divergence" : "the runs first diverge inside it"}${where}: ${oneLine(whatText(first))}${notes === "" ? "" : ` (${notes})`}`,
    ...sideLines("A", a, result, options),
    ...shown(0),
    ...sideLines("B", b, result, options),
    ...shown(1),
    ...(same.length > 0 ? [`  same: ${oneLine(cut(same.join(", "), 300))}`] : []),
    ...loadingLine(result, options),
  ];
}

function loadingLine({ loading }: DiffResult, { cwd }: TextOptions): string[] {
  if (loading === undefined) return [];
  const what = loading.what === "" ? "" : ` (${cut(loading.what, 60)})`;
  return [
    oneLine(
      `  while modules were loaded: ${plural(loading.count, "difference")}, first at ${shortPath(loading.place, cwd)}${what}`,
    ),
  ];
}

function noiseLine({ noise }: DiffResult): string | undefined {
  if (noise === undefined) return undefined;
  const names = noise.length === 0 ? "the order of some lines" : noise.slice(0, 4).join(", ");
  const more = noise.length > 4 ? ` and ${noise.length - 4} more` : "";
  return oneLine(`ignored, because two runs of A differ in it too: ${names}${more}`);
}

export function whatText({ kind, differing, extra, a, b }: Divergence): string {
  if (kind === "values") {
    const names = differing.slice(0, 4).map(({ name }) => name);
    const what = `${names.join(", ")} ${differing.length > 1 ? "differ" : "differs"}`;
    return a?.kind === "call" ? `${a.function} is given other values: ${what}` : what;
  }
  if (extra === undefined || a === undefined || b === undefined) return "the runs take different paths";
  return `${extra.side.toUpperCase()} runs ${plural(extra.count, "moment")} longer`;
}

/** Two ways from one line of a function, told by what each goes on to. */
function splitLines(result: DiffResult, split: Divergence | undefined): string[] {
  const { a, b } = split ?? {};
  if (a?.kind !== "line" || b?.kind !== "line" || a.function !== b.function || a.text === b.text) return [];
  if (a.site.function !== a.function || a.text === undefined || b.text === undefined) return [];
  const shown = (side: Side) => `${side.line} | ${cut(side.text ?? "", 60)}`;
  const unsure = result.compared === undefined ? "" : " in what was compared";
  return [
    oneLine(
      `the paths diverge later${unsure}: after line ${a.site.line} A goes on to ${shown(a)}, B to ${shown(b)}`,
    ),
  ];
}

function placeText({ path, line }: Pick<Side["site"], "path" | "line">, { cwd }: TextOptions): string {
  return `${shortPath(path, cwd)}:${line}`;
}

function sideLines(
  name: "A" | "B",
  side: Side | undefined,
  result: DiffResult,
  options: TextOptions,
): string[] {
  const key = name === "A" ? "a" : "b";
  if (side === undefined) {
    const { partial } = result[key];
    return [`  ${name}: ${partial === undefined ? "had already ended" : `went no further: ${partial}`}`];
  }
  const { site } = side;
  const text = (line: number) =>
    oneLine(cut((result.source[key].find(({ number }) => number === line)?.text ?? "").trim(), 90));
  return [`  ${name}: ${placeText(site, options)} | ${text(site.line)}${goesOn(side, text)}`];
}

/** What the side does after its line. */
function goesOn(side: Side, text: (line: number) => string): string {
  const { kind, line, site, given = [] } = side;
  if (kind === "call") {
    const values = given.map(([name, value]) => `${name}=${cut(value, 30)}`).join(", ");
    return oneLine(`, calls ${side.function}(${cut(values, 120)})`);
  }
  if (kind === "throw") return ", throws";
  if (kind === "return") return ", returns";
  if (kind !== "line" || line === site.line || line === 0) return "";
  return side.path === site.path ? `, then ${line} | ${cut(text(line), 60)}` : "";
}

function furtherLine({ place, what, count, a, b }: DiffResult["more"][number], { cwd }: TextOptions): string {
  const [, path = place, line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
  const short = `${shortPath(path, cwd)}${line === "" ? "" : `:${line}`}`;
  if (what === TIMES_RUN) return `${oneLine(short)} ran ${a === "1" ? "once" : `${a} times`} in A, ${b} in B`;
  const [x, y] = around(comparable(a ?? ""), comparable(b ?? ""), 50);
  return oneLine(`${short} ${what}: A ${x}, B ${y}${count > 1 ? ` (${count}×)` : ""}`);
}

/** Two texts cut to where they differ: two equal beginnings tell nothing. */
export function around(a: string, b: string, width = 120): [string, string] {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const start = at > width / 2 ? at - Math.floor(width / 3) : 0;
  const part = (text: string) => `${start > 0 ? "…" : ""}${cut(text.slice(start), width)}`;
  return [part(a), part(b)];
}

function ends({ a, b }: DiffResult): string[] {
  const how = (run: DiffResult["a"]) =>
    run.partial === undefined ? endText(run.end) : `partial: ${run.partial}`;
  const failed = (a.end.exitCode ?? 0) !== 0 || a.end.signal !== undefined;
  const endings = how(a) === how(b) ? (failed ? [`  both: ${how(a)}`] : []) : [`  A ${how(a)}; B ${how(b)}`];
  const all = [...endings, ...outputs(a.output, b.output)];
  return all.length === 0 ? [] : ["in the end", ...all];
}

/** The first line that differs. */
function outputs(a: string, b: string): string[] {
  if (a === b) return [];
  const [x, y] = [a.split("\n"), b.split("\n")];
  let at = 0;
  while (at < x.length && x[at] === y[at]) at++;
  const shown = (text: string | undefined) =>
    text === undefined || text === "" ? "nothing" : JSON.stringify(text);
  const [left, right] = around(shown(x[at]), shown(y[at]), 80);
  return [`  output, line ${at + 1}: A ${left}, B ${right}`];
}
