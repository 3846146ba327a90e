/** Two requests of a run beside each other: what they share is counted, the first part that differs is named and open. */
import { useEffect, useState } from "preact/hooks";
import type { PageTold } from "../../protocol.ts";
import { Told } from "../parts/advice.tsx";
import { many, oneLine, plain } from "../parts/text.ts";
import { call } from "../state/link.ts";
import type { ViewProps } from "../views/view.ts";
import { compareRequests, type RequestPart } from "./compare-requests.ts";

type Loaded = { before: unknown; after: unknown } | { error: PageTold } | undefined;

export default function RequestDiff({ params: { run = "", m = "", n = "" } }: ViewProps) {
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  useEffect(() => {
    let over = false;
    void Promise.all([m, n].map((one) => requestOf(run, Number(one)))).then(([before, after]) => {
      if (over) return;
      const failed = [before, after].find((one) => one !== undefined && "error" in one);
      if (failed !== undefined && "error" in failed) setLoaded({ error: failed.error });
      else setLoaded({ before: before?.request, after: after?.request });
    });
    return () => {
      over = true;
    };
  }, [run, m, n]);
  return (
    <div class="page request-diff">
      <h1>
        Call {oneLine(m, 12)} and call {oneLine(n, 12)} of{" "}
        <a href={`/a/${encodeURIComponent(run)}`}>{oneLine(run, 60)}</a>
      </h1>
      {loaded === undefined ? <p class="note">Reading both …</p> : ""}
      {loaded !== undefined && "error" in loaded ? <Told told={loaded.error} /> : ""}
      {loaded !== undefined && "before" in loaded ? (
        <Parts before={loaded.before} after={loaded.after} m={m} n={n} />
      ) : (
        ""
      )}
    </div>
  );
}

async function requestOf(
  run: string,
  req: number,
): Promise<{ request: unknown } | { error: PageTold; request?: undefined }> {
  const args = { what: "request", call: req };
  const answer = await call<{ request?: unknown }>("agent inspect", args, { session: run, quiet: true });
  return answer.ok ? { request: answer.data.request } : { error: answer.error.message };
}

function Parts({ before, after, m, n }: { before: unknown; after: unknown; m: string; n: string }) {
  const parts = compareRequests(before, after);
  const changed = parts.filter(({ kind }) => kind !== "same");
  const same = parts.length - changed.length;
  const [first] = changed.filter(({ kind }) => kind !== "new");
  return (
    <>
      <p>
        {many(same, "part")} the same.{" "}
        {first === undefined
          ? changed.length === 0
            ? "Nothing differs."
            : `Call ${n} only adds to call ${m}: a provider's cache can serve all of the first.`
          : `First changed: ${first.path}. From there on a provider's cache cannot serve it.`}
      </p>
      {changed.map((part) => (
        <Part key={part.path} part={part} isOpen={part === (first ?? changed[0])} m={m} n={n} />
      ))}
    </>
  );
}

const LONGEST = 12_000;

function Part({ part, isOpen, m, n }: { part: RequestPart; isOpen: boolean; m: string; n: string }) {
  return (
    <details class={`part part-${part.kind}`} open={isOpen}>
      <summary>
        <b>{part.path}</b> <span class="tag">{part.kind}</span>{" "}
        <span class="quiet">{oneLine(part.title, 120)}</span>
      </summary>
      <div class="both">
        <section aria-label={`call ${m}`}>
          <h2>call {m}</h2>
          <pre>{part.before === undefined ? "not there" : plain(part.before, LONGEST)}</pre>
        </section>
        <section aria-label={`call ${n}`}>
          <h2>call {n}</h2>
          <pre>{part.after === undefined ? "not there" : plain(part.after, LONGEST)}</pre>
        </section>
      </div>
    </details>
  );
}
