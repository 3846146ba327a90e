/** The state in a sentence: where it stands and why, who has it, and what to do about either. */

import { Told } from "../../parts/advice.tsx";
import { OwnerTag } from "../../parts/owner.tsx";
import { clock, fileName, many, oneLine, plain, shortPath } from "../../parts/text.ts";
import type { BreakpointRow, Snapshot } from "../../state/data.ts";
import { act, canAct } from "../../state/doing.ts";
import { hello } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";

export function StateLine({ state }: { state: SessionState }) {
  const phase = state.phase.value;
  const snapshot = state.snapshot.value;
  const row = state.row.value;
  return (
    <header class={`state-line p-${phase}`}>
      <div class="state-words">
        <h1>
          <span class="session-name">{oneLine(state.name, 60)}</span>{" "}
          <span class="state-sentence">
            {phase === "stopped" && snapshot !== undefined ? (
              <StoppedSentence snapshot={snapshot} />
            ) : phase === "running" ? (
              <>runs</>
            ) : (
              <>has ended{row?.ending === undefined ? "" : `: ${oneLine(row.ending, 200)}`}</>
            )}
          </span>
        </h1>
        <Ownership state={state} />
      </div>
      {phase === "stopped" && snapshot !== undefined ? (
        <Why snapshot={snapshot} breakpoints={state.breakpoints.value} />
      ) : (
        ""
      )}
    </header>
  );
}

function StoppedSentence({ snapshot }: { snapshot: Snapshot }) {
  const { frame } = snapshot;
  const place = frame?.path === undefined ? "" : `${fileName(frame.path)}:${frame.line}`;
  return (
    <>
      stopped{" "}
      {place === "" ? (
        ""
      ) : (
        <>
          at <code>{oneLine(place, 120)}</code>
        </>
      )}
      {frame === undefined ? (
        ""
      ) : (
        <>
          {" "}
          in <code>{oneLine(frame.function, 80)}</code>
        </>
      )}
    </>
  );
}

/** Breakpoint and its hit, exception, watch or step; what a condition says; notes that came with the stop. */
function Why({ snapshot, breakpoints }: { snapshot: Snapshot; breakpoints: readonly BreakpointRow[] }) {
  const { exception, watches = [], notes, unbound } = snapshot;
  return (
    <div class="why">
      {exception === undefined ? (
        ""
      ) : (
        <p class="why-exception">
          <span class="tag bad">{exception.uncaught ? "uncaught" : "thrown"}</span>{" "}
          <strong>{oneLine(exception.type ?? "exception", 80)}</strong> {oneLine(exception.message, 500)}
          {exception.causes.map((cause) => (
            <span key={cause} class="cause">
              because of {oneLine(cause, 300)}
            </span>
          ))}
        </p>
      )}
      {snapshot.breakpoints.map(({ id, hit, at }) => {
        const row = breakpoints.find((one) => one.id === id);
        return (
          <p key={id}>
            why here: breakpoint {id} at <code>{oneLine(short(at), 120)}</code>, hit {hit}
            {row?.condition === undefined ? (
              ""
            ) : (
              <>
                , because <code>{oneLine(row.condition, 200)}</code> holds{valuesIn(row.condition, snapshot)}
              </>
            )}
            {row?.hitCondition === undefined ? (
              ""
            ) : (
              <>
                , at hits <code>{oneLine(row.hitCondition, 60)}</code>
              </>
            )}
          </p>
        );
      })}
      {watches.map((watch) => (
        <p key={watch.id}>
          why here: <code>{oneLine(watch.expression, 120)}</code> was{" "}
          {watch.access === "read" ? "read" : "written"}
          {watch.old === undefined ? (
            ""
          ) : (
            <>
              , from <code>{oneLine(watch.old, 120)}</code>
            </>
          )}
          {watch.new === undefined ? (
            ""
          ) : (
            <>
              {" "}
              to <code>{oneLine(watch.new, 120)}</code>
            </>
          )}
        </p>
      ))}
      {exception === undefined && snapshot.breakpoints.length === 0 && watches.length === 0 ? (
        <p>why here: {oneLine(snapshot.description ?? snapshot.reason, 200)}</p>
      ) : (
        ""
      )}
      {snapshot.agent === undefined ? (
        ""
      ) : (
        <p>
          started by the agent's run{" "}
          <a href={`/a/${encodeURIComponent(snapshot.agent)}`}>{oneLine(snapshot.agent, 60)}</a>
        </p>
      )}
      {unbound.map(({ id, at, why }) => (
        <p key={id} class="warn">
          breakpoint {id} at <code>{oneLine(short(at), 120)}</code> is not bound: <Told told={why} />
        </p>
      ))}
      {notes.map((note, index) => (
        <p key={index} class="note">
          <Told told={note} />
        </p>
      ))}
    </div>
  );
}

function short(place: string): string {
  return shortPath(place, hello.value?.cwd, hello.value?.home);
}

/** What the names in a condition are worth at this stop. */
function valuesIn(condition: string, { values }: Snapshot): string {
  const names = new Set(condition.match(/[A-Za-z_$][\w$]*/g));
  const found = values.filter(({ name }) => names.has(name)).slice(0, 4);
  return found.length === 0
    ? ""
    : ` (${found.map(({ name, value }) => `${name} = ${oneLine(value, 60)}`).join(", ")})`;
}

function Ownership({ state }: { state: SessionState }) {
  const owner = state.owner.value;
  if (owner === undefined) return null;
  const isYours = owner.who === "person";
  const command = isYours ? "handover give" : "handover take";
  return (
    <div class="ownership">
      <OwnerTag owner={owner} />
      <span class="quiet">
        {isYours
          ? `you have had it since ${clock(owner.since)}`
          : `the command line or an agent has had it since ${clock(owner.since)}`}
      </span>
      {canAct() && state.phase.value !== "ended" ? (
        <button type="button" onClick={() => void act(command, {}, { session: state.name })}>
          {isYours ? "give back" : "take over"}
        </button>
      ) : (
        ""
      )}
      {owner.asked === undefined ? (
        ""
      ) : (
        <span class="asked">
          asked for at {clock(owner.asked.at)}
          {owner.asked.why === undefined ? "" : `: ${plain(owner.asked.why, 200)}`}
        </span>
      )}
      {state.row.value === undefined || state.row.value.children === 0 ? (
        ""
      ) : (
        <span class="quiet">{many(state.row.value.children, "child session")}</span>
      )}
    </div>
  );
}
