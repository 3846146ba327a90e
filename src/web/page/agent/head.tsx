/** What the run comes to: state, turns, tokens, cost, cache; loops and misses behind a click. */
import { useSignal } from "@preact/signals";
import { count, many, oneLine, percent } from "../parts/text.ts";
import { act, canAct } from "../state/doing.ts";
import { replaceQuery } from "../state/router.ts";
import { now } from "../state/sessions.ts";
import { useHeldUntil } from "./held-clock.ts";
import type { Explanation, MissCause, RunData } from "./run-data.ts";
import { time } from "./spans.ts";

export function Head({ run }: { run: RunData }) {
  const isOpen = useSignal(false);
  const known = run.explanation.value;
  const name = now.value?.agents.find(({ id }) => id === run.id)?.name as string | undefined;
  const { state = "", ended } = run.state.value ?? {};
  return (
    <header class="run-head">
      <h1>
        <span class={`state s-${state === "held" ? "stopped" : state}`}>{oneLine(ended ?? state, 60)}</span>{" "}
        {name === undefined ? oneLine(run.id, 60) : oneLine(name, 60)}
        {name === undefined ? "" : <span class="quiet run-id">{oneLine(run.id, 60)}</span>}
      </h1>
      {known === undefined ? "" : <Numbers run={run} known={known} />}
      {known === undefined ? (
        ""
      ) : (
        <button type="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          loops, cache, failures
        </button>
      )}
      {isOpen.value && known !== undefined ? <Findings run={run} known={known} /> : ""}
    </header>
  );
}

function Numbers({ run, known }: { run: RunData; known: Explanation }) {
  const { tokens, cache, calls } = known;
  const until = useHeldUntil(run, run.columns.value);
  const all = calls.main + calls.subagent + calls.compaction + calls.auxiliary;
  const figures: [string, string][] = [
    ["turns", count(known.turns)],
    ["calls", count(all)],
    // Whole seconds are enough beside what moves already.
    ["time", time(Math.max(known.wallMs, Math.floor((until ?? 0) / 1000) * 1000))],
    ["in", count(tokens.input)],
    ["out", count(tokens.output)],
    ["from the cache", tokens.input === 0 ? "–" : percent(tokens.cacheRead / tokens.input)],
    ["cost", costText(known)],
    ["cache misses", count(cache.misses)],
    ["failures", count(known.errors.reduce((sum, one) => sum + one.count, 0))],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Nothing is said to be free because its price is not known. */
function costText({ dollars, unpriced }: Explanation): string {
  if (unpriced.length > 0) return dollars === 0 ? "not known" : `≥ $${dollars.toFixed(2)}`;
  return dollars > 0 && dollars < 0.005 ? "< $0.01" : `≈ $${dollars.toFixed(2)}`;
}

function Findings({ run, known }: { run: RunData; known: Explanation }) {
  const { repeats } = run.columns.value ?? { repeats: [] };
  const { worst } = known.cache;
  return (
    <div class="findings">
      <section aria-label="repeated calls">
        <h2>The same call again</h2>
        {repeats.length === 0 ? <p class="quiet">no tool was called twice with the same input</p> : ""}
        <ul>
          {repeats.slice(0, 8).map((one) => (
            <li key={`${one.agent} ${one.tool} ${one.input}`}>
              {count(one.count)} × <b>{oneLine(one.tool, 40)}</b> <code>{oneLine(one.input, 120)}</code>{" "}
              <Places seqs={one.seq} />
            </li>
          ))}
        </ul>
        {canAct() && known.live ? (
          <button type="button" onClick={() => void hold(run.id)}>
            hold the next repeat
          </button>
        ) : (
          ""
        )}
      </section>
      <section aria-label="cache misses">
        <h2>Cache misses</h2>
        {worst.length === 0 ? <p class="quiet">none</p> : ""}
        <ul>
          {worst.map((miss) => (
            <li key={miss.req}>
              call {miss.req}: {many(miss.lostTokens, "token")} read again: {causeText(miss.cause)}{" "}
              {miss.req > 1 ? (
                <a href={`/a/${encodeURIComponent(run.id)}/diff/${miss.req - 1}/${miss.req}`}>what changed</a>
              ) : (
                ""
              )}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="failures">
        <h2>Failures</h2>
        {known.errors.length === 0 ? <p class="quiet">none</p> : ""}
        <ul>
          {known.errors.slice(0, 8).map((one) => (
            <li key={`${one.of} ${one.what}`}>
              {count(one.count)} × {one.of} <b>{oneLine(one.what, 60)}</b> {oneLine(one.message, 160)}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function hold(session: string): Promise<unknown> {
  return act("agent break add", { on: "repeat", value: "2" }, { session });
}

function Places({ seqs }: { seqs: readonly number[] }) {
  return (
    <span class="places">
      {seqs.slice(0, 6).map((seq) => (
        <button key={seq} type="button" class="link" onClick={() => replaceQuery({ seq: String(seq) })}>
          {seq}
        </button>
      ))}
      {seqs.length > 6 ? <span class="quiet">and {count(seqs.length - 6)} more</span> : ""}
    </span>
  );
}

function causeText({ kind, change, before, after, idleMs, limitMs, names, why }: MissCause): string {
  switch (kind) {
    case "model_changed":
      return `another model (${oneLine(before ?? "", 40)} → ${oneLine(after ?? "", 40)})`;
    case "compacted":
      return "the conversation was compacted";
    case "prefix_changed":
      return `${oneLine(change?.holder ?? "", 60)} changed: ${oneLine(change?.before ?? "", 60)} → ${oneLine(change?.after ?? "", 60)}`;
    case "expired":
      return `it came ${time(idleMs ?? 0)} after the last call; the cache keeps ${time(limitMs ?? 0)}`;
    case "params_changed":
      return `settings changed: ${oneLine((names ?? []).join(", "), 80)}`;
    case "not_marked":
      return "the request does not ask for the cache";
    default:
      return oneLine(why ?? "the reason is not known", 120);
  }
}
