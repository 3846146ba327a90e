/**
 * Threads, workers and child processes. Looking at one changes nothing for others; choosing one makes it the session's, which steps move
 * and others see too: it is a command.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fileName, oneLine } from "../../parts/text.ts";
import type { ThreadRow } from "../../state/data.ts";
import { act, canAct } from "../../state/doing.ts";
import { call } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";
import type { Look } from "./look.ts";

export function Threads({ state, look }: { state: SessionState; look: Look }) {
  const rows = useSignal<readonly ThreadRow[] | undefined>(undefined);
  const { stops, phase } = state;
  const load = async () => {
    const answer = await call<{ threads: ThreadRow[] }>("threads", {}, { session: state.name, quiet: true });
    rows.value = answer.ok ? answer.data.threads : [];
  };
  useEffect(() => void load(), [stops.value, phase.value]);
  const choose = async (number: number) => {
    if ((await act("thread", { number }, { session: state.name })) === undefined) return;
    await Promise.all([look.again(), load()]);
  };
  if (rows.value === undefined) return <p class="note">Asking …</p>;
  if (rows.value.length === 0) return <p class="note">No threads to show now.</p>;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="threads">
      <table class="rows">
        <thead>
          <tr>
            <th>#</th>
            <th>thread</th>
            <th>process</th>
            <th>state</th>
            <th>where</th>
            <th>
              <span class="unseen">actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((row) => (
            <tr key={row.number} class={row.current ? "current" : ""}>
              <td>{row.number}</td>
              <td>{oneLine(row.name, 80)}</td>
              <td>{row.pid ?? ""}</td>
              <td>{row.state}</td>
              <td>
                {row.function === undefined ? "" : <code>{oneLine(row.function, 80)}</code>}{" "}
                {row.path === undefined ? "" : `${oneLine(fileName(row.path), 80)}:${row.line ?? ""}`}
              </td>
              <td class="actions">
                {row.state === "stopped" ? (
                  <button type="button" onClick={() => void look.thread(row.number)}>
                    look
                  </button>
                ) : (
                  ""
                )}
                {row.current ? (
                  <span class="tag">steps move it</span>
                ) : canAct() ? (
                  <button
                    type="button"
                    title="steps and other commands now use this thread"
                    onClick={() => void choose(row.number)}
                  >
                    choose
                  </button>
                ) : (
                  ""
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
