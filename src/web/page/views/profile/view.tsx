/** A profile: the functions with the most of their own at the left, the flame graph at the right, in three orders. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Told, Typed } from "../../parts/advice.tsx";
import { Failed } from "../../parts/failed.tsx";
import { around, functionsOf, inTime, leftHeavy } from "../../parts/flame/boxes.ts";
import { Flame } from "../../parts/flame/flame.tsx";
import { many, oneLine } from "../../parts/text.ts";
import { useKeys } from "../../state/keys.ts";
import { type Answer, call } from "../../state/link.ts";
import { go, replaceQuery } from "../../state/router.ts";
import { now } from "../../state/sessions.ts";
import type { ViewProps } from "../view.ts";
import { amountIn, isLibrary, type ProfileAnswer, type Stacks } from "./data.ts";
import { FunctionTable } from "./functions.tsx";

const ORDERS = [
  { id: "time", title: "time order" },
  { id: "heavy", title: "left heavy" },
  { id: "sandwich", title: "sandwich" },
] as const;
type Order = (typeof ORDERS)[number]["id"];

export default function ProfileView({ params, query }: ViewProps) {
  const id = params.id ?? "";
  const stacks = useSignal<Answer<Stacks> | undefined>(undefined);
  const head = useSignal<ProfileAnswer | undefined>(undefined);
  useEffect(() => {
    void call<Stacks>("profile stacks", { id, time: true }, { quiet: true }).then((one) => {
      stacks.value = one;
    });
    void call<ProfileAnswer>("profile show", { id }, { quiet: true }).then((one) => {
      head.value = one.ok ? one.data : undefined;
    });
  }, [id]);
  const one = stacks.value;
  if (one === undefined) return <p class="boot">Reading {id} …</p>;
  if (!one.ok)
    return (
      <Failed title={`Profile ${id} cannot be shown`} error={one.error}>
        <Typed line="sonde profile cpu -- node app.js" />
      </Failed>
    );
  return <Shown stacks={one.data} head={head.value} query={query} />;
}

function Shown({
  stacks,
  head,
  query,
}: {
  stacks: Stacks;
  head: ProfileAnswer | undefined;
  query: Readonly<Record<string, string>>;
}) {
  const order = useSignal<Order>(ORDERS.find(({ id }) => id === query.order)?.id ?? "heavy");
  const search = useSignal(query.search ?? "");
  const chosen = useSignal<number | undefined>(undefined);
  const functions = useMemo(() => functionsOf(stacks), [stacks]);
  const timeline = stacks.timeline;
  const isDrawn = useDrawn();
  const boxes = useMemo(() => {
    if (!isDrawn) return undefined;
    return order.value === "time" && timeline !== undefined ? inTime(timeline) : leftHeavy(stacks);
  }, [stacks, order.value, isDrawn]);
  const frame = chosen.value ?? functions[0]?.frame;
  const sandwich = useMemo(
    () => (order.value === "sandwich" && frame !== undefined ? around(stacks, frame) : undefined),
    [stacks, order.value, frame],
  );
  const isTime = order.value === "time" && timeline !== undefined;
  const frames = isTime ? timeline.frames : stacks.frames;
  const marked = useComputed(() => {
    const text = search.value.toLowerCase();
    const all = new Set<number>();
    if (text === "") return all;
    for (const [index, one] of frames.entries())
      if (`${one.name} ${one.file ?? ""}`.toLowerCase().includes(text)) all.add(index);
    return all;
  }).value;
  const setOrder = (next: Order) => {
    if (next === "time" && timeline === undefined) return;
    order.value = next;
    replaceQuery({ order: next === "heavy" ? undefined : next });
  };
  useKeys(
    `profile ${stacks.id}`,
    ORDERS.map(({ id, title }, at) => ({ key: String(at + 1), does: title, run: () => setOrder(id) })),
  );
  const amount = amountIn(stacks.unit);
  const colouring = useMemo(() => {
    const library = frames.map(isLibrary);
    return (index: number) => ({
      token: library[index] ? "--flame-lib" : index % 2 === 0 ? "--flame-1" : "--flame-2",
    });
  }, [frames]);
  const found =
    search.value === ""
      ? undefined
      : functions.filter((row) => matches(stacks.frames[row.frame], search.value));
  const flame = { frames, marked, colouring, amount };
  const chosenName = frame === undefined ? "" : (stacks.frames[frame]?.name ?? "");
  return (
    <div class="record">
      <header class="record-head">
        <h1>
          profile {stacks.id} <span class="quiet">of</span> <code>{oneLine(head?.title ?? "", 200)}</code>
        </h1>
        {head === undefined ? (
          ""
        ) : (
          <p class="quiet">
            {head.kind} · {amount(head.busy)} busy{head.idle === 0 ? "" : `, ${amount(head.idle)} idle`} in{" "}
            {head.seconds.toFixed(2)} s · {many(head.samples, "sample")} by {oneLine(head.means, 100)}
          </p>
        )}
        {head?.notes.map((note, index) => (
          <p key={index} class="quiet">
            <Told told={note} />
          </p>
        ))}
        <div class="tools">
          <div class="orders" role="group" aria-label="order of the flame graph">
            {ORDERS.map(({ id, title }, at) => (
              <button
                key={id}
                type="button"
                aria-pressed={order.value === id}
                disabled={id === "time" && timeline === undefined}
                title={
                  id === "time" && timeline === undefined
                    ? "this profiler did not record the order in time"
                    : title
                }
                onClick={() => setOrder(id)}
              >
                {title}
                <kbd>{at + 1}</kbd>
              </button>
            ))}
          </div>
          <input
            type="search"
            aria-label="search functions and files"
            placeholder="search functions and files"
            value={search.value}
            onInput={(event) => {
              search.value = (event.currentTarget as HTMLInputElement).value;
            }}
          />
          {found === undefined ? "" : <span class="tag">{many(found.length, "function")}</span>}
          <Others id={stacks.id} />
        </div>
      </header>
      <div class="profile">
        <FunctionTable
          rows={found ?? functions}
          all={functions}
          frames={stacks.frames}
          amount={amount}
          chosen={frame}
          choose={(one) => (chosen.value = one)}
        />
        <div class="flames">
          {boxes === undefined ? (
            ""
          ) : sandwich === undefined ? (
            <Flame
              label={order.value === "time" ? "as it went in time" : "the heaviest first"}
              boxes={boxes}
              {...flame}
              onFrame={isTime ? () => undefined : (one) => (chosen.value = one)}
            />
          ) : (
            <>
              <h2 class="pane-head">who calls {oneLine(chosenName, 80)}</h2>
              <Flame label={`callers of ${chosenName}`} boxes={sandwich.callers} {...flame} isUp />
              <h2 class="pane-head">what {oneLine(chosenName, 80)} calls</h2>
              <Flame label={`callees of ${chosenName}`} boxes={sandwich.callees} {...flame} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** Whether the table has been seen: the graph beside it is work of its own, and keeps nobody waiting for the table. */
function useDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isDrawn;
}

function matches(frame: { name: string; file?: string } | undefined, text: string): boolean {
  return `${frame?.name ?? ""} ${frame?.file ?? ""}`.toLowerCase().includes(text.toLowerCase());
}

function Others({ id }: { id: string }) {
  const others = ((now.value?.profiles ?? []) as { id?: string; title?: string }[]).filter(
    (one) => one.id !== id,
  );
  if (others.length === 0) return null;
  return (
    <label class="compare">
      compare with{" "}
      <select
        onChange={(event) => {
          const other = (event.currentTarget as HTMLSelectElement).value;
          if (other !== "") go(`/p/${encodeURIComponent(other)}/${encodeURIComponent(id)}`);
        }}
      >
        <option value="">…</option>
        {others.slice(0, 50).map((one) => (
          <option key={one.id} value={one.id}>
            {one.id} {oneLine(one.title ?? "", 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
