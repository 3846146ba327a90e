/** A program is started from the page: what one would type in the folder where `sonde ui` was typed. */
import { useSignal } from "@preact/signals";
import { act } from "../state/doing.ts";
import { hello } from "../state/link.ts";
import { go } from "../state/router.ts";
import { oneLine } from "./text.ts";

interface Started {
  snapshot?: { session: string };
  session?: string;
}

export function StartForm() {
  const isStarting = useSignal(false);
  const start = async (event: Event) => {
    event.preventDefault();
    const { elements } = event.currentTarget as HTMLFormElement;
    const words = wordsOf((elements.namedItem("command") as HTMLInputElement).value);
    if (words.length === 0) return;
    const stopOnEntry = (elements.namedItem("entry") as HTMLInputElement).checked;
    isStarting.value = true;
    const done = await act<Started>("start", { args: words, ...(stopOnEntry ? { stopOnEntry } : {}) });
    isStarting.value = false;
    const session = done?.snapshot?.session ?? done?.session;
    if (session !== undefined) go(`/s/${encodeURIComponent(session)}`);
  };
  return (
    <form class="start-form" aria-label="start a program" onSubmit={(event) => void start(event)}>
      <input
        name="command"
        aria-label="program and its arguments"
        placeholder="node app.js, python3 app.py, ./a.out …"
        autocomplete="off"
        spellcheck={false}
      />
      <label class="check">
        <input type="checkbox" name="entry" defaultChecked /> stop at its first line
      </label>
      <button type="submit" class="main-button" disabled={isStarting.value}>
        {isStarting.value ? "starting …" : "debug it"}
      </button>
      <span class="quiet">in {oneLine(hello.value?.cwd ?? "", 120)}</span>
    </form>
  );
}

/** At spaces; what is in quotes is one word. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}
