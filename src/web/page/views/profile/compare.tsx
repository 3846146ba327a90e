/** Two profiles: which functions take more in the second and which less, and the second's flame graph coloured by that. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Typed } from "../../parts/advice.tsx";
import { Failed } from "../../parts/failed.tsx";
import { leftHeavy } from "../../parts/flame/boxes.ts";
import { Flame } from "../../parts/flame/flame.tsx";
import { fileName, many, oneLine, percent } from "../../parts/text.ts";
import { type Answer, call } from "../../state/link.ts";
import type { ViewProps } from "../view.ts";
import { amountIn, type Stacks, type Unit } from "./data.ts";

interface Measure {
  self: number;
  selfShare: number;
}

interface Change {
  name: string;
  file?: string;
  line?: number;
  a?: Measure;
  b?: Measure;
  delta: number;
  deltaShare: number;
  error: number;
}

interface Comparison {
  per: "run" | "second";
  unit: Unit;
  a: { title: string; busy: number; samples: number };
  b: { title: string; busy: number; samples: number };
  slower: Change[];
  faster: Change[];
  moreSlower: number;
  moreFaster: number;
  unsure: number;
}

const NONE: ReadonlySet<number> = new Set();

export default function CompareView({ params }: ViewProps) {
  const { id: a = "", other: b = "" } = params;
  const answer = useSignal<Answer<Comparison> | undefined>(undefined);
  const stacks = useSignal<Stacks | undefined>(undefined);
  useEffect(() => {
    void call<Comparison>("profile diff", { a, b }, { quiet: true }).then((one) => {
      answer.value = one;
    });
    void call<Stacks>("profile stacks", { id: b }, { quiet: true }).then((one) => {
      stacks.value = one.ok ? one.data : undefined;
    });
  }, [a, b]);
  const one = answer.value;
  if (one === undefined)
    return (
      <p class="boot">
        Comparing {a} and {b} …
      </p>
    );
  if (!one.ok)
    return (
      <Failed title={`${a} and ${b} cannot be compared`} error={one.error}>
        <Typed line="sonde profile cpu -- node app.js" />
      </Failed>
    );
  const { data } = one;
  const amount = amountIn(data.unit);
  const part = data.per === "second" ? " a second" : "";
  return (
    <div class="record">
      <header class="record-head">
        <h1>
          {data.b.busy > data.a.busy ? "Slower" : "Faster"}: {amount(data.a.busy)}
          {part} in <a href={`/p/${a}`}>{a}</a>, {amount(data.b.busy)}
          {part} in <a href={`/p/${b}`}>{b}</a>
        </h1>
        <p class="quiet">
          <code>{oneLine(data.a.title, 100)}</code> ({many(data.a.samples, "sample")}) and{" "}
          <code>{oneLine(data.b.title, 100)}</code> ({many(data.b.samples, "sample")}) ·{" "}
          {many(data.unsure, "function differs", "functions differ")} by less than sampling can tell
        </p>
      </header>
      <div class="compared">
        <Changes title="slower" rows={data.slower} more={data.moreSlower} amount={amount} />
        <Changes title="faster" rows={data.faster} more={data.moreFaster} amount={amount} />
      </div>
      {stacks.value === undefined ? (
        ""
      ) : (
        <Coloured stacks={stacks.value} data={data} label={`${b}, marked by what changed`} />
      )}
    </div>
  );
}

function Changes({
  title,
  rows,
  more,
  amount,
}: {
  title: string;
  rows: readonly Change[];
  more: number;
  amount(weight: number): string;
}) {
  return (
    <section class="pane" aria-label={title}>
      <h2 class="pane-head">
        {title} {rows.length === 0 ? "" : `(${rows.length + more})`}
      </h2>
      {rows.length === 0 ? (
        <p class="note">None that sampling can tell.</p>
      ) : (
        <table class="rows">
          <thead>
            <tr>
              <th class="end">change</th>
              <th class="end">A</th>
              <th class="end">B</th>
              <th>function</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.name} ${row.file} ${row.line}`}>
                <td class="end">
                  {row.delta > 0 ? "+" : "−"}
                  {amount(Math.abs(row.delta))}
                </td>
                <td class="end quiet">{row.a === undefined ? "new" : percent(row.a.selfShare)}</td>
                <td class="end quiet">{row.b === undefined ? "gone" : percent(row.b.selfShare)}</td>
                <td>
                  <code>{oneLine(row.name, 100)}</code>{" "}
                  <span class="quiet">
                    {row.file === undefined ? "" : `${oneLine(fileName(row.file), 80)}:${row.line ?? ""}`}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more === 0 ? "" : <p class="note">and {more} more</p>}
    </section>
  );
}

function Coloured({ stacks, data, label }: { stacks: Stacks; data: Comparison; label: string }) {
  const boxes = useMemo(() => leftHeavy(stacks), [stacks]);
  const colouring = useMemo(() => {
    const key = ({ name, file }: { name: string; file?: string }) => JSON.stringify([name, file]);
    const slower = new Set(data.slower.map(key));
    const faster = new Set(data.faster.map(key));
    return (index: number) => {
      const frame = stacks.frames[index];
      const one = frame === undefined ? "" : key(frame);
      if (slower.has(one)) return { token: "--flame-slower", sign: "▲ " };
      return faster.has(one) ? { token: "--flame-faster", sign: "▼ " } : { token: "--flame-lib" };
    };
  }, [stacks, data]);
  return (
    <Flame
      label={label}
      boxes={boxes}
      frames={stacks.frames}
      marked={NONE}
      colouring={colouring}
      amount={amountIn(stacks.unit)}
    />
  );
}
