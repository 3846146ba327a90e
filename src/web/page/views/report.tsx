/** A report: all that it would contain, and what was removed from it, before anything is written. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageTold } from "../../protocol.ts";
import { Told } from "../parts/advice.tsx";
import { Failed } from "../parts/failed.tsx";
import { bytes, many, oneLine } from "../parts/text.ts";
import { act, canAct } from "../state/doing.ts";
import { type Answer, call } from "../state/link.ts";
import { copy } from "../state/say.ts";

interface Part {
  name: string;
  kind: string;
  bytes: number;
  removed: Record<string, number>;
}

interface ReportAnswer {
  parts: Part[];
  file?: string;
  notes?: PageTold[];
  left?: PageTold[];
}

export default function ReportView() {
  const manifest = useSignal<Answer<ReportAnswer> | undefined>(undefined);
  const written = useSignal<ReportAnswer | undefined>(undefined);
  const isWriting = useSignal(false);
  useEffect(() => {
    void call<ReportAnswer>("report", {}, { quiet: true }).then((one) => {
      manifest.value = one;
    });
  }, []);
  const one = manifest.value;
  if (one === undefined) return <p class="boot">Looking for what to include …</p>;
  if (!one.ok) return <Failed title="A report cannot be made" error={one.error} />;
  const { parts, notes = [] } = one.data;
  const removed = parts.reduce(
    (sum, part) => sum + Object.values(part.removed).reduce((a, b) => a + b, 0),
    0,
  );
  const write = async () => {
    isWriting.value = true;
    written.value = await act<ReportAnswer>("report", { yes: true });
    isWriting.value = false;
  };
  const file = written.value?.file;
  return (
    <div class="record">
      <header class="record-head">
        <h1>Report</h1>
        <p>
          {many(parts.length, "part")}, {bytes(parts.reduce((sum, part) => sum + part.bytes, 0))} before
          packing; {many(removed, "secret or private name was", "secrets and private names were")} removed. It
          is written to a file on this machine and sent nowhere.
        </p>
        {notes.map((note, index) => (
          <p key={index} class="quiet">
            <Told told={note} />
          </p>
        ))}
        <div class="tools">
          {file === undefined ? (
            <button
              type="button"
              class="main-button"
              disabled={!canAct() || isWriting.value}
              onClick={() => void write()}
            >
              {isWriting.value ? "writing …" : "write the report"}
            </button>
          ) : (
            <p>
              written to <code>{oneLine(file, 300)}</code>{" "}
              <button type="button" onClick={() => void copy(file, "path")}>
                copy the path
              </button>
            </p>
          )}
        </div>
      </header>
      <div class="table-box" tabIndex={0} role="region" aria-label="parts of the report">
        <table class="rows">
          <thead>
            <tr>
              <th>part</th>
              <th class="end">size</th>
              <th>removed</th>
            </tr>
          </thead>
          <tbody>
            {parts.slice(0, 500).map((part) => (
              <tr key={part.name}>
                <td>
                  <code>{oneLine(part.name, 200)}</code>
                </td>
                <td class="end">{bytes(part.bytes)}</td>
                <td class="quiet">
                  {Object.entries(part.removed)
                    .map(([what, times]) => `${oneLine(what, 60)} ${times}×`)
                    .join(", ") || "nothing"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
