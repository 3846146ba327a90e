/** Breakpoints: the list, setting one at a line, and its condition, hit count or message. */
import { useRef } from "preact/hooks";
import { Told } from "../../parts/advice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { fileName, many, oneLine, shortPath } from "../../parts/text.ts";
import type { BreakpointRow } from "../../state/data.ts";
import { act, canAct } from "../../state/doing.ts";
import { hello } from "../../state/link.ts";
import type { SessionState } from "../../state/sessions.ts";

interface Place {
  path: string;
  line: number;
}

function breakpointAt(state: SessionState, { path, line }: Place): BreakpointRow | undefined {
  return state.breakpoints.value.find(
    (row) => row.kind === "line" && row.path === path && (row.boundLine === line || row.line === line),
  );
}

export async function toggleBreakpoint(state: SessionState, place: Place): Promise<void> {
  const there = breakpointAt(state, place);
  const session = { session: state.name };
  if (there !== undefined) await act("breakpoint remove", { ids: [there.id] }, session);
  else await act("breakpoint add", { location: `${place.path}:${place.line}` }, session);
}

export function Breakpoints({ state, edit }: { state: SessionState; edit(place: Place): void }) {
  const rows = state.breakpoints.value;
  const session = { session: state.name };
  if (rows.length === 0)
    return (
      <p class="note">No breakpoints. Click left of a line number, or press Space on a line of the source.</p>
    );
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="breakpoints">
      <table class="rows">
        <thead>
          <tr>
            <th>#</th>
            <th>place</th>
            <th>state</th>
            <th class="end">hits</th>
            <th>stops when</th>
            <th>
              <span class="unseen">actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{row.id}</td>
              <td>
                <code>{oneLine(shortPath(row.at, hello.value?.cwd, hello.value?.home), 120)}</code>
              </td>
              <td>
                {row.state}
                {row.message === undefined ? (
                  ""
                ) : (
                  <>
                    {" "}
                    · <Told told={row.message} />
                  </>
                )}
              </td>
              <td class="end">{row.hits}</td>
              <td>
                <Terms row={row} />
              </td>
              <td class="actions">
                {canAct() ? (
                  <>
                    {row.path !== undefined && row.line !== undefined ? (
                      <button
                        type="button"
                        onClick={() => edit({ path: row.path ?? "", line: row.boundLine ?? row.line ?? 1 })}
                      >
                        edit
                      </button>
                    ) : (
                      ""
                    )}
                    <button
                      type="button"
                      onClick={() =>
                        void act(
                          row.state === "disabled" ? "breakpoint enable" : "breakpoint disable",
                          { ids: [row.id] },
                          session,
                        )
                      }
                    >
                      {row.state === "disabled" ? "enable" : "disable"}
                    </button>
                    <button
                      type="button"
                      onClick={() => void act("breakpoint remove", { ids: [row.id] }, session)}
                    >
                      remove
                    </button>
                  </>
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

function Terms({ row }: { row: BreakpointRow }) {
  const { condition, hitCondition, logMessage, once } = row;
  return (
    <>
      {condition === undefined ? "" : <code>{oneLine(condition, 200)}</code>}
      {hitCondition === undefined ? (
        ""
      ) : (
        <>
          {" "}
          hits <code>{oneLine(hitCondition, 60)}</code>
        </>
      )}
      {logMessage === undefined ? (
        ""
      ) : (
        <>
          {" "}
          logs <code>{oneLine(logMessage, 200)}</code>
        </>
      )}
      {once ? " once" : ""}
      {condition === undefined && hitCondition === undefined && logMessage === undefined && !once ? (
        <span class="quiet">always</span>
      ) : (
        ""
      )}
    </>
  );
}

export function EditBreakpoint({ state, at, close }: { state: SessionState; at: Place; close(): void }) {
  const form = useRef<HTMLFormElement>(null);
  const row = breakpointAt(state, at);
  const text = (name: string) =>
    (form.current?.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? "";
  const save = (event: Event) => {
    event.preventDefault();
    const given = { condition: text("condition"), hitCount: text("hitCount"), log: text("log") };
    const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
    close();
    const location = `${at.path}:${at.line}`;
    void act(
      "breakpoint add",
      { location, ...args, ...(row === undefined ? {} : { replace: true }) },
      { session: state.name },
    );
  };
  const field = (name: string, title: string, value: string | undefined, example: string) => (
    <label class="field">
      <span>{title}</span>
      <input
        name={name}
        defaultValue={value ?? ""}
        placeholder={example}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
  return (
    <Dialog title={`Breakpoint at ${fileName(at.path)}:${at.line}`} close={close}>
      <form ref={form} class="fields" onSubmit={save}>
        {field("condition", "stop only if", row?.condition, "total < 0")}
        {field("hitCount", "stop only at hit", row?.hitCondition, ">=5, %3")}
        {field("log", "do not stop, print", row?.logMessage, "total={total}")}
        <div class="field-end">
          <span class="quiet">{row === undefined ? "" : many(row.hits, "hit")}</span>
          <button type="submit" class="main-button">
            {row === undefined ? "set" : "save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
