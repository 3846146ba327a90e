/** What is held right now, above everything else: why, for how long, what holding costs, and what can be done. Each button is a command. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { count, oneLine, plain } from "../parts/text.ts";
import { act, canAct } from "../state/doing.ts";
import { BreakForm } from "./break-form.tsx";
import { DenyForm, EditForm, InjectForm } from "./hold-forms.tsx";
import { type HeldStop, placeOf, type RunData } from "./run-data.ts";
import { time } from "./spans.ts";

export type Form = { kind: "edit" | "deny"; stop: HeldStop } | { kind: "inject" | "breakpoints" };

export interface HoldForms {
  open: Signal<Form | undefined>;
  inject(): void;
}

export function useHoldForms(run: RunData): HoldForms {
  const open = useSignal<Form | undefined>(undefined);
  return {
    open,
    inject: () => {
      if (canAct() && run.state.peek()?.state !== "ended") open.value = { kind: "inject" };
    },
  };
}

/** `a` and `A`. */
export function release(run: RunData, all: boolean): void {
  const [first] = run.state.peek()?.held ?? [];
  if (first !== undefined && canAct())
    void act("agent resume", all ? {} : { stop: first.id }, { session: run.id });
}

export function HoldBar({ run, forms }: { run: RunData; forms: HoldForms }) {
  const state = run.state.value;
  const held = state?.held ?? [];
  const form = forms.open.value;
  const close = () => (forms.open.value = undefined);
  const over = state === undefined || state.state === "ended" || state.state === "unknown";
  return (
    <>
      {held.length === 0 ? (
        over || !canAct() ? (
          ""
        ) : (
          <section class="hold-bar idle" aria-label="hold">
            <span>
              {state.state === "pausing" ? "held at its next call to the model" : "nothing is held"}
            </span>
            <span class="hold-actions">
              <button
                type="button"
                disabled={state.state === "pausing"}
                onClick={() => void act("agent pause", {}, { session: run.id })}
              >
                Hold the next call
              </button>
              <Breakpoints forms={forms} />
              <button type="button" onClick={forms.inject}>
                Inject<kbd>i</kbd>
              </button>
            </span>
          </section>
        )
      ) : (
        <section class="hold-bar" aria-label={`held: ${held.length}`}>
          {held.map((stop) => (
            <Held key={stop.id} run={run} stop={stop} forms={forms} />
          ))}
          {canAct() && (held.length > 1 || held.some(({ reason }) => reason !== "breakpoint")) ? (
            <button
              type="button"
              class="run-on"
              title="lets the held calls go on, and holds nothing more until a breakpoint or a pause"
              onClick={() => release(run, true)}
            >
              {held.length > 1 ? `Release all ${held.length} and run on` : "Run on"}
              <kbd>A</kbd>
            </button>
          ) : (
            ""
          )}
        </section>
      )}
      {form?.kind === "edit" ? <EditForm run={run} stop={form.stop} close={close} /> : ""}
      {form?.kind === "deny" ? <DenyForm run={run} stop={form.stop} close={close} /> : ""}
      {form?.kind === "inject" ? <InjectForm run={run} close={close} /> : ""}
      {form?.kind === "breakpoints" ? <BreakForm run={run} close={close} /> : ""}
    </>
  );
}

function Breakpoints({ forms }: { forms: HoldForms }) {
  return (
    <button type="button" onClick={() => (forms.open.value = { kind: "breakpoints" })}>
      Breakpoints
    </button>
  );
}

function Held({ run, stop, forms }: { run: RunData; stop: HeldStop; forms: HoldForms }) {
  const session = { session: run.id };
  const isTool = stop.at === "tool";
  const why = stop.breakpoint === undefined ? stop.reason : `breakpoint ${stop.breakpoint}${hits(stop)}`;
  return (
    <div class="held">
      <div class="held-words">
        <strong>Held {placeOf(stop)}</strong>
        <span class="quiet">
          {oneLine(why, 60)}
          {stop.why === "" ? "" : `: ${oneLine(stop.why, 160)}`} · {oneLine(stop.agent.id, 40)} · stop{" "}
          {oneLine(stop.id, 10)}
        </span>
        <Waiting stop={stop} />
        {stop.orphaned ? <span class="warn">its client gave up waiting; a retry joins this stop</span> : ""}
        <About stop={stop} />
      </div>
      {canAct() ? (
        <div class="hold-actions">
          <button
            type="button"
            class="main-button"
            onClick={() => void act("agent resume", { stop: stop.id }, session)}
          >
            Release<kbd>a</kbd>
          </button>
          <button
            type="button"
            onClick={() => void act("agent step", { stop: stop.id, noWait: true }, session)}
            title="lets it go and holds the next call to the model"
          >
            Step
          </button>
          <button type="button" onClick={() => (forms.open.value = { kind: "edit", stop })}>
            Edit
          </button>
          {isTool ? (
            ""
          ) : (
            <button type="button" onClick={forms.inject}>
              Inject<kbd>i</kbd>
            </button>
          )}
          <button type="button" onClick={() => (forms.open.value = { kind: "deny", stop })}>
            {isTool ? "Deny" : "Do not send"}
          </button>
          <Breakpoints forms={forms} />
        </div>
      ) : (
        ""
      )}
    </div>
  );
}

function hits({ hits: times }: HeldStop): string {
  return times === undefined ? "" : `, hit ${times}`;
}

/** What is about to happen. */
function About({ stop: { tool, sends } }: { stop: HeldStop }) {
  if (tool !== undefined)
    return (
      <pre class="held-input">
        {tool.exact === undefined ? inputText(tool.input) : plain(tool.exact, 2000)}
      </pre>
    );
  if (sends === undefined) return null;
  const last = sends.recent.at(-1);
  return (
    <span class="quiet">
      {count(sends.messages)} messages{sends.model === undefined ? "" : ` to ${oneLine(sends.model, 60)}`}
      {last === undefined ? "" : `; the last, ${oneLine(last.role, 20)}: ${oneLine(last.preview, 200)}`}
    </span>
  );
}

export function inputText(input: unknown): string {
  if (typeof input === "string") return plain(input, 2000);
  if (typeof input !== "object" || input === null) return plain(String(input), 2000);
  return plain(
    Object.entries(input)
      .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n"),
    2000,
  );
}

/** For how long, until when it is worth it, and when it goes on by itself. */
function Waiting({ stop: { since, deadline, price } }: { stop: HeldStop }) {
  const now = useNow();
  const left = price === undefined ? 0 : Date.parse(price.until) - now;
  const more = price?.dollars === undefined ? "" : ` (about $${price.dollars.toFixed(2)} more)`;
  return (
    <span class="held-times">
      {since === undefined ? "" : <span>for {time(Math.max(0, now - Date.parse(since)))}</span>}
      {price === undefined ? (
        ""
      ) : left > 0 ? (
        <span>
          cache of {count(price.cachedTokens)} tokens: {time(left)} left, then the next call reads them again
          {more}
        </span>
      ) : (
        <span class="warn">
          the cache may have expired: the next call reads {count(price.cachedTokens)} tokens again{more}
        </span>
      )}
      {deadline === undefined ? (
        ""
      ) : (
        <span class="warn">
          goes on by itself in {time(Math.max(0, Date.parse(deadline.at) - now))} (
          {oneLine(deadline.outcome, 30)})
        </span>
      )}
    </span>
  );
}

/** Seconds are enough for who waits; a minute for who asked for less motion. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const every = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60_000 : 1000;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, []);
  return now;
}
