/** What Sonde's own processes logged. New entries come by themselves; older ones and filters are asked with `logs`. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Typed } from "../parts/advice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { clock, oneLine, plain } from "../parts/text.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { call, watch } from "../state/link.ts";
import { replaceQuery } from "../state/router.ts";
import { tellError } from "../state/say.ts";
import type { ViewProps } from "./view.ts";

interface Entry {
  time: string;
  level: string;
  pid: number;
  kind: string;
  session?: string;
  message: string;
}

interface LogsAnswer {
  entries: Entry[];
  before?: string;
}

const TAIL = 1000;
const MOST = 20_000;
const SENT = 1000;
const LEVELS = ["debug", "info", "warn", "error"];

export default function LogsView({ query }: ViewProps) {
  const entries = useSignal<readonly Entry[] | undefined>(undefined);
  const opened = useSignal<Entry | undefined>(undefined);
  const selected = useSignal<number | undefined>(undefined);
  const { level = "", text = "" } = query;
  const fits = (one: Entry) =>
    LEVELS.indexOf(one.level) >= LEVELS.indexOf(level === "" ? "debug" : level) &&
    (text === "" || JSON.stringify(one).toLowerCase().includes(text.toLowerCase()));
  useEffect(() => {
    const args = {
      tail: TAIL,
      full: true,
      ...(level === "" ? {} : { level }),
      ...(text === "" ? {} : { grep: text }),
    };
    void call<LogsAnswer>("logs", args, { quiet: true }).then((answer) => {
      if (answer.ok) entries.value = answer.data.entries;
      else {
        entries.value = [];
        tellError(answer.error);
      }
    });
    return watch("logs", (event) => {
      const known = entries.value;
      if (known === undefined) return;
      // What is sent are the last ones, some of which are here already.
      const here = new Set(known.slice(-SENT).map(keyOf));
      const fresh = (event.entries as unknown as Entry[]).filter((one) => fits(one) && !here.has(keyOf(one)));
      if (fresh.length > 0) entries.value = [...known, ...fresh].slice(-MOST);
    });
  }, [level, text]);
  const all = entries.value;
  return (
    <div class="record logs">
      <header class="record-head">
        <h1>Logs</h1>
        <div class="tools">
          <select
            aria-label="level"
            onChange={(event) =>
              replaceQuery({ level: (event.currentTarget as HTMLSelectElement).value || undefined })
            }
          >
            {["", ...LEVELS].map((one) => (
              <option key={one} value={one} selected={one === level}>
                {one === "" ? "every level" : `${one} and above`}
              </option>
            ))}
          </select>
          <form
            class="tool-form"
            onSubmit={(event) => {
              event.preventDefault();
              const field = (event.currentTarget as HTMLFormElement).elements.namedItem(
                "text",
              ) as HTMLInputElement;
              replaceQuery({ text: field.value || undefined });
            }}
          >
            <input
              type="search"
              name="text"
              aria-label="only entries with this text"
              placeholder="only entries with this text, then Enter"
              defaultValue={text}
              autocomplete="off"
            />
          </form>
        </div>
      </header>
      {all === undefined ? (
        <p class="note">Reading …</p>
      ) : all.length === 0 ? (
        <div class="empty">
          <p>Nothing was logged{level === "" && text === "" ? " yet" : " that fits"}.</p>
          <Typed line="sonde status" />
        </div>
      ) : (
        <VirtualList
          label="log entries"
          role="grid"
          class="log-entries"
          count={all.length}
          follow
          selected={selected.value}
          onSelect={(index) => {
            selected.value = index;
          }}
          onOpen={(index) => {
            opened.value = all[index];
          }}
          onClick={(event, index) => {
            if (event.detail > 1) opened.value = all[index];
          }}
          row={(index) => {
            const one = all[index];
            if (one === undefined) return "";
            return (
              <>
                <span class="cell" role="gridcell">
                  <time>{clock(one.time)}</time>
                </span>
                <span class={`cell level l-${oneLine(one.level, 10)}`} role="gridcell">
                  {oneLine(one.level, 10)}
                </span>
                <span class="cell quiet log-who" role="gridcell">
                  {oneLine(one.kind, 20)} {one.pid}
                </span>
                <span class="cell" role="gridcell">
                  {one.session === undefined ? (
                    ""
                  ) : (
                    <a href={`/s/${encodeURIComponent(one.session)}`} tabIndex={-1}>
                      {oneLine(one.session, 40)}
                    </a>
                  )}{" "}
                  {oneLine(one.message, 600)}
                </span>
              </>
            );
          }}
        />
      )}
      {opened.value === undefined ? (
        ""
      ) : (
        <Dialog
          title={`${opened.value.level} of ${opened.value.kind} ${opened.value.pid}, ${clock(opened.value.time)}`}
          close={() => (opened.value = undefined)}
        >
          <div class="log-whole" tabIndex={0} role="region" aria-label="message">
            <pre>{plain(opened.value.message, 100_000)}</pre>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function keyOf({ time, pid, message }: Entry): string {
  return JSON.stringify([time, pid, message]);
}
