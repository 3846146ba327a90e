/** Who did what in this session: commands of the page, the command line, tools and programs, in the order they came. */
import { clock, oneLine } from "../../parts/text.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import type { SessionState } from "../../state/sessions.ts";

const NAMES = { page: "you, here", cli: "command line", mcp: "agent, tools", library: "program" };

export function Done({ state }: { state: SessionState }) {
  const entries = state.transcript.value;
  if (entries.length === 0) return <p class="note">Nothing was done yet.</p>;
  return (
    <VirtualList
      label="who did what"
      role="list"
      class="done"
      count={entries.length}
      follow
      row={(index) => {
        const entry = entries[index];
        if (entry === undefined) return "";
        return (
          <>
            <time>{clock(entry.at)}</time>
            <span class={`by by-${entry.by}`}>{NAMES[entry.by]}</span>
            <code class="done-line">{oneLine(entry.line, 300)}</code>
            {entry.ok ? "" : <span class="tag bad">{oneLine(entry.code ?? "failed", 40)}</span>}
          </>
        );
      }}
    />
  );
}
