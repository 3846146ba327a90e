/** What the program printed, and a line for its standard input. */
import { oneLine } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { act, canAct } from "../../state/doing.ts";
import type { SessionState } from "../../state/sessions.ts";

export function Output({ state }: { state: SessionState }) {
  const lines = state.output.value;
  const isLive = state.phase.value === "running" || state.phase.value === "stopped";
  return (
    <div class="output">
      {state.dropped.value > 0 ? (
        <p class="note">{state.dropped.value} bytes of early output were not kept.</p>
      ) : (
        ""
      )}
      {lines.length === 0 ? (
        <p class="note">The program has printed nothing yet.</p>
      ) : (
        <VirtualList
          label="output of the program"
          role="list"
          class="output-lines"
          rowHeight={18}
          count={lines.length}
          follow
          row={(index) => {
            const line = lines[index];
            if (line === undefined) return "";
            if (line.stream === "mark") return <span class="run-mark">{line.text}</span>;
            return (
              <>
                <span class={`stream st-${line.stream}`}>
                  {line.stream === "stdout" ? "out" : line.stream === "stderr" ? "err" : "log"}
                </span>
                <span class="output-text">{oneLine(line.text, 1000)}</span>
              </>
            );
          }}
        />
      )}
      {isLive && canAct() ? (
        <form
          class="line-form"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget as HTMLFormElement;
            const field = form.elements.namedItem("text") as HTMLInputElement;
            void act("input", { text: field.value }, { session: state.name });
            field.value = "";
          }}
        >
          <input
            name="text"
            aria-label="line for the program's standard input"
            placeholder="a line for its standard input, then Enter"
            autocomplete="off"
            spellcheck={false}
          />
          <button type="button" onClick={() => void act("input", { eof: true }, { session: state.name })}>
            end of input
          </button>
        </form>
      ) : (
        ""
      )}
    </div>
  );
}
