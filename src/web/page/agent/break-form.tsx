/** Where the run is held: its breakpoints, and one more. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { many, oneLine } from "../parts/text.ts";
import { act } from "../state/doing.ts";
import { call } from "../state/link.ts";
import { quiet, type RunData } from "./run-data.ts";

interface Row {
  id: number | string;
  about: string;
  enabled: boolean;
  hits: number;
}

/** What can be held at, in the order of how often it is wanted, with what is typed for it. */
const KINDS: readonly [on: string, title: string, example?: string][] = [
  ["tool", "before a tool", "Bash, or mcp__*"],
  ["pattern", "before a tool whose input matches", "rm -rf|DROP TABLE"],
  ["error", "after an error"],
  ["repeat", "when the same call is repeated this many times", "3"],
  ["iteration", "at an iteration of the turn", "20"],
  ["tokens", "when this many tokens are used", "100000"],
  ["cost", "when it has cost this many dollars", "1.50"],
  ["subagent", "before a sub-agent"],
];

export function BreakForm({ run, close }: { run: RunData; close(): void }) {
  const session = { session: run.id };
  const rows = useSignal<readonly Row[] | undefined>(undefined);
  const on = useSignal("tool");
  const value = useSignal("");
  const look = async () => {
    const answer = await call<{ breakpoints: Row[] }>("agent break list", {}, { ...session, ...quiet });
    if (answer.ok) rows.value = answer.data.breakpoints;
  };
  useEffect(() => void look(), []);
  const example = KINDS.find(([kind]) => kind === on.value)?.[2];
  const add = async (event: Event) => {
    event.preventDefault();
    const given = example === undefined ? {} : { value: value.value.trim() };
    if ((await act("agent break add", { on: on.value, ...given }, session)) === undefined) return;
    value.value = "";
    await look();
  };
  const remove = async ({ id }: Row) => {
    await act("agent break clear", { id: String(id) }, session);
    await look();
  };
  return (
    <Dialog title="Breakpoints of the run" close={close}>
      <div class="fields wide">
        {rows.value?.length === 0 ? <p class="quiet">none yet</p> : ""}
        <ul class="breaks">
          {rows.value?.map((row) => (
            <li key={row.id}>
              <span>
                {row.id}: {oneLine(row.about, 160)}
              </span>
              <span class="quiet">
                {row.enabled ? "" : "disabled, "}
                {many(row.hits, "hit")}
              </span>
              <button type="button" onClick={() => void remove(row)}>
                remove
              </button>
            </li>
          ))}
        </ul>
        <form class="break-add" onSubmit={(event) => void add(event)}>
          <select
            aria-label="hold"
            value={on.value}
            onChange={({ currentTarget }) => (on.value = currentTarget.value)}
          >
            {KINDS.map(([kind, title]) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
          {example === undefined ? (
            ""
          ) : (
            <input
              aria-label="which"
              required
              placeholder={`for example ${example}`}
              autocomplete="off"
              spellcheck={false}
              value={value.value}
              onInput={({ currentTarget }) => (value.value = currentTarget.value)}
            />
          )}
          <button type="submit" class="main-button">
            hold there
          </button>
        </form>
      </div>
    </Dialog>
  );
}
