/** Locals of the frame, changed ones first, and expressions that are looked at at every stop. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { oneLine } from "../../parts/text.ts";
import { type TreeMemory, treeMemory, ValueTree } from "../../parts/value-tree.tsx";
import { ROW } from "../../parts/virtual-list.tsx";
import type { Snapshot, ValueLine } from "../../state/data.ts";
import { act, canAct } from "../../state/doing.ts";
import { call } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";

/** So many are seen without scrolling, however many values there are. */
const MOST_WATCHES = 3;

/** Kept while the tab lives: a view that is opened again finds its tree as it was. */
const memories = new Map<string, TreeMemory>();

function memoryOf(session: string): TreeMemory {
  const known = memories.get(session) ?? treeMemory();
  memories.set(session, known);
  return known;
}

interface ValuesProps {
  state: SessionState;
  snapshot: Snapshot | undefined;
  moment: number;
}

export function Values({ state, snapshot, moment }: ValuesProps) {
  const memory = memoryOf(state.name);
  const watchMemory = memoryOf(`${state.name} watches`);
  const all = useSignal<{ moment: number; values: ValueLine[] } | undefined>(undefined);
  const edited = useSignal<ValueLine | undefined>(undefined);
  // While it runs, what it had at the last stop stays, and is seen to be old.
  const isStale = state.phase.value !== "stopped";
  const [watches, results] = useWatches(state, isStale ? undefined : snapshot, moment);
  const values = all.value?.moment === moment ? all.value.values : (snapshot?.values ?? []);
  const sorted = useMemo(() => changedFirst(values), [values]);
  const frame = snapshot?.frame?.index ?? 0;

  const showAll = async () => {
    const answer = await call<{ scopes: { values: ValueLine[] }[] }>(
      "locals",
      { frame },
      { session: state.name, quiet: true },
    );
    if (answer.ok) all.value = { moment, values: answer.data.scopes.flatMap((scope) => scope.values) };
  };
  const more = all.value?.moment === moment ? 0 : (snapshot?.moreValues ?? 0);
  return (
    <section class={`pane values-pane ${isStale ? "stale" : ""}`} aria-label="values">
      <h2 class="pane-head">
        values
        {more === 0 ? (
          ""
        ) : (
          <button type="button" class="link" onClick={() => void showAll()}>
            {more} more
          </button>
        )}
      </h2>
      {snapshot === undefined ? <p class="note">Values are shown where the program stops.</p> : ""}
      {snapshot !== undefined && sorted.length === 0 ? <p class="note">No values in this frame.</p> : ""}
      {sorted.length === 0 ? (
        ""
      ) : (
        <ValueTree
          label="values"
          session={state.name}
          values={sorted}
          moment={moment}
          stop={state.stops.value}
          memory={memory}
          {...(canAct() ? { onEdit: (value: ValueLine) => (edited.value = value) } : {})}
        />
      )}
      {edited.value === undefined ? (
        ""
      ) : (
        <EditValue
          value={edited.value}
          state={state}
          frame={frame}
          close={() => (edited.value = undefined)}
        />
      )}
      <div class="watches" style={{ minHeight: `${62 + ROW * Math.min(results.length, MOST_WATCHES)}px` }}>
        <h3 class="pane-head">watch</h3>
        {results.length === 0 ? (
          ""
        ) : (
          <ValueTree
            label="watches"
            session={state.name}
            values={results}
            moment={moment}
            stop={state.stops.value}
            memory={watchMemory}
            after={(value) => (
              <button
                type="button"
                class="small"
                tabIndex={-1}
                aria-label={`remove ${value.name}`}
                onClick={() => watches.remove(value.name)}
              >
                ×
              </button>
            )}
          />
        )}
        <form
          class="line-form"
          onSubmit={(event) => {
            event.preventDefault();
            const field = (event.currentTarget as HTMLFormElement).elements.namedItem(
              "expression",
            ) as HTMLInputElement;
            watches.add(field.value);
            field.value = "";
          }}
        >
          <input
            name="expression"
            aria-label="expression to watch"
            placeholder="expression, then Enter"
            autocomplete="off"
            spellcheck={false}
          />
        </form>
      </div>
    </section>
  );
}

function changedFirst(values: readonly ValueLine[]): readonly ValueLine[] {
  return [
    ...values.filter(({ change }) => change !== undefined),
    ...values.filter(({ change }) => change === undefined),
  ];
}

function EditValue({
  value,
  state,
  frame,
  close,
}: {
  value: ValueLine;
  state: SessionState;
  frame: number;
  close(): void;
}) {
  const field = useRef<HTMLInputElement>(null);
  // At once: the next key is meant for it.
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        const text = field.current?.value ?? "";
        close();
        void act(
          "set",
          { target: value.name, value: text, ...(frame === 0 ? {} : { frame }) },
          { session: state.name },
        );
      }}
    >
      <label>
        {oneLine(value.name, 40)} ={" "}
        <input
          ref={field}
          defaultValue={value.value}
          autocomplete="off"
          spellcheck={false}
          onKeyDown={(event) => {
            if (event.key === "Escape") close();
          }}
        />
      </label>
    </form>
  );
}

/** Expressions are the browser's; their values are asked with `print` at every stop. */
function useWatches(state: SessionState, snapshot: Snapshot | undefined, moment: number) {
  const key = `sonde-watch ${state.name}`;
  const expressions = useSignal<readonly string[]>(saved(key));
  const results = useSignal<ReadonlyMap<string, ValueLine>>(new Map());
  const frame = snapshot?.frame?.index ?? 0;
  const isStopped = snapshot !== undefined;
  useEffect(() => {
    if (!isStopped) return;
    for (const expression of expressions.value)
      void call<ValueLine>("print", { expression, frame }, { session: state.name, quiet: true }).then(
        (answer) => {
          const was = results.peek().get(expression);
          const next: ValueLine = answer.ok
            ? {
                ...answer.data,
                name: expression,
                ...(was !== undefined && was.value !== answer.data.value
                  ? { change: "changed", was: was.value }
                  : {}),
              }
            : {
                name: expression,
                value: typeof answer.error.message === "string" ? answer.error.message : answer.error.code,
                type: "error",
              };
          results.value = new Map(results.peek()).set(expression, next);
        },
      );
  }, [moment, expressions.value, isStopped]);
  const save = (next: readonly string[]) => {
    expressions.value = next;
    localStorage.setItem(key, JSON.stringify(next));
  };
  const change = {
    add: (text: string) => {
      const expression = text.trim();
      if (expression !== "" && !expressions.value.includes(expression))
        save([...expressions.value, expression]);
    },
    remove: (expression: string) => save(expressions.value.filter((one) => one !== expression)),
  };
  const shown = expressions.value.map(
    (name) => (isStopped ? results.value.get(name) : undefined) ?? { name, value: isStopped ? "…" : "" },
  );
  return [change, shown] as const;
}

function saved(key: string): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
