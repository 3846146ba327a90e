/** Each key of the view, what it does, and how help lists it. */
import { type Key, typeKey } from "../../util/terminal/typing.ts";
import type { Stop } from "../core/model.ts";
import { shownEvents, type ViewState } from "./state.ts";

/** What somebody else has to do. */
export type Wish =
  | { do: "run"; words: string[] }
  | { do: "line"; text: string }
  | { do: "open"; index: number }
  | { do: "leave" };

export interface Step {
  state: ViewState;
  wish?: Wish;
}

interface Binding {
  keys: readonly string[];
  shown: string;
  about: string;
  act(state: ViewState): Step;
}

const run =
  (...words: string[]) =>
  (state: ViewState): Step => ({ state, wish: { do: "run", words } });
const type =
  (text: (state: ViewState) => string) =>
  (state: ViewState): Step => {
    const line = text(state);
    return { state: { ...state, typing: { purpose: "command", text: line, at: line.length } } };
  };

const BINDINGS: readonly Binding[] = [
  { keys: ["a"], shown: "a", about: "let go what is held", act: run("resume") },
  { keys: ["p"], shown: "p", about: "hold the next model call", act: run("pause") },
  { keys: ["s"], shown: "s", about: "one iteration", act: run("step") },
  { keys: ["t"], shown: "t", about: "to the next tool call", act: run("step", "tool") },
  { keys: ["e"], shown: "e", about: "edit the held tool call", act: type(editLine) },
  { keys: ["c"], shown: "c", about: "cancel the held tool call", act: type(cancelLine) },
  { keys: ["i"], shown: "i", about: "put a message into the conversation", act: type(() => "inject user ") },
  { keys: ["b"], shown: "b", about: "add a breakpoint", act: type(() => "break add tool ") },
  { keys: ["m"], shown: "m", about: "the messages", act: run("inspect", "messages") },
  { keys: ["x"], shown: "x", about: "explain the run so far", act: run("explain") },
  { keys: [":"], shown: ":", about: "any command of `sonde agent`", act: type(() => "") },
  { keys: ["/"], shown: "/", about: "show only events with this text", act: startFilter },
  { keys: ["up", "k"], shown: "k ↑", about: "back", act: (state) => move(state, -1) },
  { keys: ["down", "j"], shown: "j ↓", about: "on", act: (state) => move(state, 1) },
  { keys: ["pageup"], shown: "PgUp", about: "back a page", act: (state) => move(state, -PAGE) },
  { keys: ["pagedown"], shown: "PgDn", about: "on a page", act: (state) => move(state, PAGE) },
  { keys: ["g"], shown: "g", about: "the first event", act: (state) => move(state, -Infinity) },
  { keys: ["G"], shown: "G", about: "the newest, and follow", act: (state) => follow(state) },
  { keys: ["return"], shown: "Enter", about: "the whole event", act: openMarked },
  { keys: ["?"], shown: "?", about: "this list", act: showHelp },
  {
    keys: ["q"],
    shown: "q",
    about: "leave; the agent goes on",
    act: (state) => ({ state, wish: { do: "leave" } }),
  },
];

const PAGE = 20;

export function pressed(state: ViewState, key: Key): Step {
  if (key.ctrl && key.name === "c") return { state, wish: { do: "leave" } };
  if (state.typing) return typed(state, state.typing, key);
  if (state.panel) return inPanel(state, state.panel, key);
  return bindingOf(key)?.act(state) ?? { state };
}

/** By what was typed first: `g` and `G` have the same name. */
function bindingOf({ name = "", sequence = "" }: Key): Binding | undefined {
  return (
    BINDINGS.find(({ keys }) => keys.includes(sequence)) ?? BINDINGS.find(({ keys }) => keys.includes(name))
  );
}

type Panel = NonNullable<ViewState["panel"]>;

function inPanel(state: ViewState, panel: Panel, key: Key): Step {
  const { name, sequence } = key;
  const by = { up: -1, k: -1, down: 1, j: 1, pageup: -PAGE, pagedown: PAGE }[name ?? ""];
  if (by !== undefined) return { state: { ...state, panel: { ...panel, top: Math.max(0, panel.top + by) } } };
  if (name === "escape" || name === "return" || sequence === "q" || sequence === " ")
    return { state: { ...state, panel: undefined } };
  // Anything else is meant for what lies under it.
  return bindingOf(key)?.act({ ...state, panel: undefined }) ?? { state };
}

type Typing = NonNullable<ViewState["typing"]>;

function typed(state: ViewState, typing: Typing, key: Key): Step {
  const { purpose } = typing;
  if (key.name === "escape")
    return { state: { ...state, typing: undefined, ...(purpose === "filter" ? { filter: "" } : {}) } };
  if (key.name === "return") return finish(state, typing);
  if (key.name === "up") return recall(state, typing);
  const line = typeKey(typing, key);
  if (line === undefined) return { state };
  return {
    state: {
      ...state,
      typing: { purpose, ...line },
      ...(purpose === "filter" ? { filter: line.text } : {}),
    },
  };
}

function finish(state: ViewState, { purpose, text }: Typing): Step {
  const done = { ...state, typing: undefined };
  if (purpose === "filter" || text.trim() === "") return { state: done };
  const history = [text, ...state.history.filter((one) => one !== text)].slice(0, 50);
  return { state: { ...done, history }, wish: { do: "line", text } };
}

function recall(state: ViewState, typing: Typing): Step {
  const { history } = state;
  if (typing.purpose === "filter" || history.length === 0) return { state };
  const text = history[(history.indexOf(typing.text) + 1) % history.length] ?? "";
  return { state: { ...state, typing: { ...typing, text, at: text.length } } };
}

function startFilter(state: ViewState): Step {
  return { state: { ...state, typing: { purpose: "filter", text: state.filter, at: state.filter.length } } };
}

function move(state: ViewState, by: number): Step {
  const shown = shownEvents(state);
  if (shown.length === 0) return { state };
  const now =
    state.marked === undefined
      ? shown.length - 1
      : shown.findIndex(({ index }) => index >= (state.marked ?? 0));
  const next = Math.min(shown.length - 1, Math.max(0, (now === -1 ? shown.length - 1 : now) + by));
  // Who goes to the last one follows again.
  if (by > 0 && next === shown.length - 1) return follow(state);
  return { state: { ...state, marked: shown[next]?.index } };
}

function follow(state: ViewState): Step {
  return { state: { ...state, marked: undefined } };
}

function openMarked(state: ViewState): Step {
  const index = state.marked ?? shownEvents(state).at(-1)?.index;
  return index === undefined ? { state } : { state, wish: { do: "open", index } };
}

function heldTool({ stops }: ViewState): NonNullable<Stop["tool"]> | undefined {
  return stops.find(({ tool }) => tool !== undefined)?.tool;
}

function editLine(state: ViewState): string {
  const tool = heldTool(state);
  if (!tool) return "edit ";
  const input = tool.input;
  const [first] = typeof input === "object" && input !== null ? Object.entries(input) : [];
  return first && typeof first[1] === "string"
    ? `edit ${tool.id} ${first[0]}=${quoted(first[1])}`
    : `edit ${tool.id} --input ${quoted(JSON.stringify(input) ?? "null")}`;
}

function cancelLine(state: ViewState): string {
  const tool = heldTool(state);
  return tool ? `cancel ${tool.id}` : "cancel ";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function showHelp(state: ViewState): Step {
  const text = BINDINGS.map(({ shown, about }) => `${shown.padEnd(8)}${about}`).join("\n");
  return { state: { ...state, panel: { title: "keys", text, top: 0 } } };
}
