/** Each key of the log viewer, what it does, and how help lists it. */
import { entryText, LEVELS } from "../../util/log/entry.ts";
import type { LogFilter } from "../../util/log/reader.ts";
import { type Key, typeKey } from "../../util/terminal/typing.ts";
import { cut, plural } from "../../util/text.ts";
import { MOST_ENTRIES, selection, type View } from "./view.ts";

/** What somebody else has to do. */
export type Wish = Reading | Copying | { do: "leave" };
export type Reading = { do: "older" } | { do: "read"; filter: LogFilter };
export type Copying = { do: "copy"; text: string; what: string };

export interface Step {
  view: View;
  wish?: Wish;
}

interface Binding {
  keys: readonly string[];
  shown: string;
  about: string;
  act(view: View): Step;
}

const BINDINGS: readonly Binding[] = [
  {
    keys: ["up", "k"],
    shown: "k ↑",
    about: "back; at the top, load older entries",
    act: (view) => move(view, -1),
  },
  { keys: ["down", "j"], shown: "j ↓", about: "on", act: (view) => move(view, 1) },
  { keys: ["pageup"], shown: "PgUp", about: "back a page", act: (view) => move(view, -view.rows) },
  { keys: ["pagedown"], shown: "PgDn", about: "on a page", act: (view) => move(view, view.rows) },
  {
    keys: ["home", "g"],
    shown: "Home g",
    about: "the oldest entry that is loaded",
    act: (view) => move(view, -Infinity),
  },
  { keys: ["end", "G", "f"], shown: "End G f", about: "the newest, and follow", act: follow },
  { keys: ["o"], shown: "o", about: "load 50 older entries", act: older },
  { keys: ["v", " "], shown: "v Space", about: "start or end a selection", act: select },
  { keys: ["y", "c"], shown: "y c", about: "copy what is selected, or the entry", act: copy },
  { keys: ["return"], shown: "Enter", about: "the whole entry", act: expand },
  { keys: ["/"], shown: "/", about: "only entries with this text", act: startTyping },
  { keys: ["l"], shown: "l", about: "next level: all, info, warn, error", act: nextLevel },
  { keys: ["p"], shown: "p", about: "only one process; again: the next one", act: nextPid },
  { keys: ["escape"], shown: "Esc", about: "clear the selection, then the filter", act: letGo },
  { keys: ["?"], shown: "?", about: "this list", act: help },
  { keys: ["q"], shown: "q", about: "leave", act: (view) => ({ view, wish: { do: "leave" } }) },
];

export function pressed(before: View, key: Key): Step {
  const view = { ...before, message: "" };
  if (key.ctrl && key.name === "c") return { view, wish: { do: "leave" } };
  if (view.typing) return typed(view, view.typing, key);
  if (view.panel) return inPanel(view, view.panel, key);
  return bindingOf(key)?.act(view) ?? { view };
}

/** By what was typed first: `g` and `G` have the same name. */
function bindingOf({ name = "", sequence = "" }: Key): Binding | undefined {
  return (
    BINDINGS.find(({ keys }) => keys.includes(sequence)) ?? BINDINGS.find(({ keys }) => keys.includes(name))
  );
}

function move(view: View, by: number): Step {
  const last = view.entries.length - 1;
  if (last < 0) return by < 0 ? older(view) : { view };
  const now = view.mark ?? last;
  if (by < 0 && now === 0) return older(view);
  const mark = Math.min(last, Math.max(0, now + by));
  // Who goes on at the last one follows again, unless something is being selected.
  if (by > 0 && now === last && view.anchor === undefined) return follow(view);
  return { view: { ...view, mark, news: mark === last ? 0 : view.news } };
}

function follow(view: View): Step {
  return { view: { ...view, mark: undefined, anchor: undefined, news: 0 } };
}

function older(view: View): Step {
  if (view.dropped > 0)
    return say(
      view,
      `${plural(view.dropped, "entry", "entries")} were dropped: a filter (/ l p) reads the file again`,
    );
  if (view.older === undefined) return say(view, "there is nothing older");
  if (view.entries.length >= MOST_ENTRIES)
    return say(view, `${MOST_ENTRIES} entries are loaded: filter them (/ l p)`);
  // Who asks for older ones wants to see them.
  return {
    view: { ...view, mark: view.entries.length === 0 ? undefined : (view.mark ?? 0) },
    wish: { do: "older" },
  };
}

function say(view: View, message: string): Step {
  return { view: { ...view, message } };
}

function select(view: View): Step {
  if (view.anchor !== undefined) return { view: { ...view, anchor: undefined } };
  const at = view.mark ?? view.entries.length - 1;
  if (at < 0) return { view };
  return { view: { ...view, mark: at, anchor: at, message: "selecting: move, then y copies; Esc ends it" } };
}

function copy(view: View): Step {
  const range = selection(view);
  if (range === undefined) return say(view, "there is nothing to copy");
  const chosen = view.entries.slice(range.first, range.last + 1);
  const text = chosen.map((entry) => `${entryText(entry)}\n`).join("");
  return {
    view: { ...view, anchor: undefined },
    wish: { do: "copy", text, what: plural(chosen.length, "entry", "entries") },
  };
}

/** Of one entry. */
const MOST_SHOWN = 200_000;

function expand(view: View): Step {
  const entry = view.entries[view.mark ?? view.entries.length - 1];
  if (entry === undefined) return { view };
  const { message, ...facts } = entry;
  const title = Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(" · ");
  return { view: { ...view, panel: { title, text: cut(message, MOST_SHOWN), top: 0 } } };
}

type Panel = NonNullable<View["panel"]>;

function inPanel(view: View, panel: Panel, { name, sequence }: Key): Step {
  const by = { up: -1, k: -1, down: 1, j: 1, pageup: -view.rows, pagedown: view.rows, home: -Infinity }[
    name ?? ""
  ];
  if (by !== undefined) return { view: { ...view, panel: { ...panel, top: Math.max(0, panel.top + by) } } };
  if (sequence === "y" || sequence === "c")
    return { view, wish: { do: "copy", text: `${panel.text}\n`, what: "this" } };
  if (name === "escape" || name === "return" || sequence === "q" || sequence === " " || sequence === "?")
    return { view: { ...view, panel: undefined } };
  return { view };
}

function startTyping(view: View): Step {
  const text = view.filter.grep ?? "";
  return { view: { ...view, typing: { text, at: text.length } } };
}

function typed(view: View, typing: NonNullable<View["typing"]>, key: Key): Step {
  if (key.name === "escape") return { view: { ...view, typing: undefined } };
  if (key.name !== "return") return { view: { ...view, typing: typeKey(typing, key) ?? typing } };
  return read({ ...view, typing: undefined }, { grep: typing.text === "" ? undefined : typing.text });
}

function read(view: View, change: Partial<LogFilter>): Step {
  return { view, wish: { do: "read", filter: { ...view.filter, ...change } } };
}

/** Nothing is below `debug`. */
const OFFERED = [undefined, ...LEVELS.slice(1)];

function nextLevel(view: View): Step {
  return read(view, { level: OFFERED[(OFFERED.indexOf(view.filter.level) + 1) % OFFERED.length] });
}

function nextPid(view: View): Step {
  const { pids, filter } = view;
  const at = filter.pid === undefined ? -1 : pids.indexOf(filter.pid);
  if (pids.length === 0) return say(view, "no entry names a process");
  return read(view, { pid: pids[at + 1] });
}

function letGo(view: View): Step {
  if (view.anchor !== undefined) return { view: { ...view, anchor: undefined } };
  const { since, session } = view.filter;
  return isFiltered(view.filter) ? { view, wish: { do: "read", filter: { since, session } } } : { view };
}

export function isFiltered({ level, pid, grep }: LogFilter): boolean {
  return level !== undefined || pid !== undefined || grep !== undefined;
}

function help(view: View): Step {
  const text = BINDINGS.map(({ shown, about }) => `${shown.padEnd(9)}${about}`).join("\n");
  return { view: { ...view, panel: { title: "keys", text, top: 0 } } };
}
