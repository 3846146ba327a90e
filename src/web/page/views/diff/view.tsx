/** Two runs: where they first differ is open already, both sources beside each other; then what else differs. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageTold } from "../../../protocol.ts";
import { Told, Typed } from "../../parts/advice.tsx";
import { Failed } from "../../parts/failed.tsx";
import { SourceView } from "../../parts/source-view.tsx";
import { count, fileName, many, oneLine, plain } from "../../parts/text.ts";
import { fileAt } from "../../state/files.ts";
import { type Answer, call } from "../../state/link.ts";
import type { ViewProps } from "../view.ts";

interface Run {
  id: string;
  title: string;
  seen: number;
  dropped: number;
  end: { how: string; exitCode?: number; signal?: string; why?: string };
  output: string;
}

interface Side {
  path: string;
  line: number;
  function: string;
  kind: string;
  seq: number;
  hit?: number;
  /** The line whose running made the difference. */
  ran?: number;
}

interface Differing {
  name: string;
  a?: string;
  b?: string;
}

interface Comparison {
  a: Run;
  b: Run;
  before: number;
  matching: number;
  first?: {
    kind: string;
    a?: Side;
    b?: Side;
    extra?: { side: "a" | "b"; count: number };
    differing: Differing[];
    equal: { name: string; value: string }[];
  };
  more: { place: string; what: string; count: number; a?: string; b?: string }[];
  /** Left out, because two runs of A differ in it too. */
  noise?: string[];
  notes: PageTold[];
}

export default function DiffView({ params }: ViewProps) {
  const { a = "", b = "" } = params;
  const answer = useSignal<Answer<Comparison> | undefined>(undefined);
  useEffect(() => {
    void call<Comparison>("diff", { traces: [a, b] }, { quiet: true }).then((one) => {
      answer.value = one;
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
        <Typed line="sonde diff --a 'node old.js' --b 'node new.js'" />
      </Failed>
    );
  const { data } = one;
  const { first } = data;
  return (
    <div class="record diff">
      <header class="record-head">
        <h1>
          {first === undefined ? "Both runs did the same" : "The runs part here"}{" "}
          <span class="quiet">
            after {many(data.before, "equal event")}; {count(data.matching)} match in all
          </span>
        </h1>
        {data.noise === undefined ? "" : <p class="quiet">{noiseText(data.noise)}</p>}
        {data.notes.map((note, index) => (
          <p key={index} class="quiet">
            <Told told={note} />
          </p>
        ))}
      </header>
      {first === undefined ? "" : <Differences first={first} />}
      <div class="two">
        <RunSide name="A" run={data.a} side={first?.a} values={valuesOf(first?.differing, "a")} />
        <RunSide name="B" run={data.b} side={first?.b} values={valuesOf(first?.differing, "b")} />
      </div>
      {data.more.length === 0 ? "" : <More more={data.more} />}
    </div>
  );
}

function noiseText(noise: readonly string[]): string {
  const names = noise.length === 0 ? "the order of some lines" : noise.slice(0, 8).join(", ");
  const more = noise.length > 8 ? ` and ${count(noise.length - 8)} more` : "";
  return oneLine(`left out, because two runs of A differ in it too: ${names}${more}`, 400);
}

function valuesOf(differing: readonly Differing[] | undefined, side: "a" | "b") {
  return (differing ?? []).flatMap((one) => {
    const value = one[side];
    return value === undefined ? [] : [{ name: one.name, value, change: "changed" as const }];
  });
}

function Differences({ first }: { first: NonNullable<Comparison["first"]> }) {
  const { extra } = first;
  const said =
    first.kind === "values"
      ? "the values differ"
      : extra === undefined
        ? "they take different paths"
        : `run ${extra.side.toUpperCase()} goes on for ${many(extra.count, "moment")}`;
  return (
    <section class="differences" aria-label="first difference">
      <p>{said}</p>
      {first.differing.length === 0 ? (
        ""
      ) : (
        <table class="rows">
          <thead>
            <tr>
              <th>expression</th>
              <th>in A</th>
              <th>in B</th>
            </tr>
          </thead>
          <tbody>
            {first.differing.map((one) => (
              <tr key={one.name}>
                <td>
                  <code>{oneLine(one.name, 100)}</code>
                </td>
                <td>
                  <code class="was">{oneLine(one.a ?? "not there", 300)}</code>
                </td>
                <td>
                  <code class="is">{oneLine(one.b ?? "not there", 300)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {first.equal.length === 0 ? (
        ""
      ) : (
        <p class="quiet">
          equal: {first.equal.map((one) => `${oneLine(one.name, 60)} = ${oneLine(one.value, 60)}`).join(", ")}
        </p>
      )}
    </section>
  );
}

interface RunSideProps {
  name: string;
  run: Run;
  side: Side | undefined;
  values: { name: string; value: string; change: "changed" }[];
}

function RunSide({ name, run, side, values }: RunSideProps) {
  const file = side === undefined ? undefined : fileAt(side.path).value;
  const { end } = run;
  const line = side?.ran ?? side?.line;
  return (
    <section class="pane run-side" aria-label={`run ${name}`}>
      <h2 class="pane-head">
        <strong>{name}</strong> <a href={`/t/${encodeURIComponent(run.id)}`}>{run.id}</a>
        <code>{oneLine(run.title, 120)}</code>
        <span class="quiet">{end.how === "exited" ? `exit code ${end.exitCode ?? ""}` : end.how}</span>
      </h2>
      {side === undefined ? (
        <p class="note">It has nothing more here.</p>
      ) : (
        <p class="side-place">
          <code>
            {oneLine(fileName(side.path), 80)}:{line}
          </code>{" "}
          in <code>{oneLine(side.function, 80)}</code>
          {side.ran === undefined || side.ran === side.line || side.line === 0
            ? ""
            : `, then ${side.kind === "line" ? `line ${side.line}` : side.kind}`}
          {side.hit === undefined ? "" : ` · hit ${count(side.hit)}`}
        </p>
      )}
      {side === undefined || file === undefined ? (
        ""
      ) : file.lines === undefined ? (
        <p class="note">{file.missing === undefined ? "Reading …" : oneLine(file.missing, 200)}</p>
      ) : (
        <SourceView
          label={`source of run ${name}`}
          path={side.path}
          lines={file.lines}
          arrow={line}
          moment={side.seq}
          inline={new Map(values.length === 0 ? [] : [[line ?? side.line, values]])}
        />
      )}
      {run.output === "" ? (
        ""
      ) : (
        <div class="side-output" tabIndex={0} role="region" aria-label={`output of run ${name}`}>
          <pre>{plain(run.output)}</pre>
        </div>
      )}
    </section>
  );
}

function More({ more }: { more: Comparison["more"] }) {
  return (
    <section aria-label="what else differs">
      <h2 class="pane-head">what else differs</h2>
      <table class="rows">
        <thead>
          <tr>
            <th>place</th>
            <th>what</th>
            <th class="end">times</th>
            <th>in A</th>
            <th>in B</th>
          </tr>
        </thead>
        <tbody>
          {more.slice(0, 200).map((one) => (
            <tr key={`${one.place} ${one.what}`}>
              <td class="quiet">{oneLine(fileName(one.place), 100)}</td>
              <td>
                <code>{oneLine(one.what, 100)}</code>
              </td>
              <td class="end">{one.count}</td>
              <td>
                <code class="was">{oneLine(one.a ?? "", 200)}</code>
              </td>
              <td>
                <code class="is">{oneLine(one.b ?? "", 200)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
