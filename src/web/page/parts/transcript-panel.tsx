/** What was done on this page, as the lines that one would type; copied or saved as a script. */
import { copy } from "../state/say.ts";
import { asScript, isPanelOpen, lines } from "../state/transcript.ts";
import { clock, plain } from "./text.ts";

export function TranscriptPanel() {
  const all = lines.value;
  return (
    <aside class="panel" aria-label="transcript">
      <div class="panel-head">
        <h2>Transcript</h2>
        <button type="button" disabled={all.length === 0} onClick={() => void copy(asScript(), "transcript")}>
          copy
        </button>
        <button type="button" disabled={all.length === 0} onClick={save}>
          save
        </button>
        <button type="button" onClick={() => (isPanelOpen.value = false)} aria-label="close transcript">
          ×
        </button>
      </div>
      {all.length === 0 ? (
        <p class="note">
          Each click on this page is a command. They are listed here, for you to copy or share.
        </p>
      ) : (
        <ol class="transcript">
          {all.slice(-200).map(({ at, line, ok }, index) => (
            <li key={index} class={ok ? "" : "failed"}>
              <time>{clock(at)}</time>
              <code>{plain(line, 500)}</code>
              {ok ? "" : <span class="tag bad">failed</span>}
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}

function save(): void {
  const url = URL.createObjectURL(new Blob([`#!/bin/sh\n${asScript()}\n`], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "sonde-transcript.sh";
  link.click();
  URL.revokeObjectURL(url);
}
