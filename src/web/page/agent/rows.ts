/** Which events are listed. Pure, but for the words that are known so far. */
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import { OWN, type RunData } from "./run-data.ts";
import { agentLane } from "./spans.ts";

export interface Filter {
  /** Looked for in types, tools and in the words that were seen. */
  text: string;
  /** Types that are not shown, and lanes of agents. */
  muted: readonly string[];
  /** Only what failed. */
  failed: boolean;
}

export function rowsOf(run: RunData, columns: Columns, { text, muted, failed }: Filter): number[] {
  const { names, type, agent, tool, seq } = columns;
  const wanted = text.trim().toLowerCase();
  const typeShown = names.types.map((name) => !OWN.has(name) && !muted.includes(name));
  const agentShown = names.agents.map((_, at) => !muted.includes(agentLane(columns, at) ?? ""));
  const typeFound = names.types.map((name) => name.includes(wanted));
  const toolFound = names.tools.map((name) => name.toLowerCase().includes(wanted));
  const bad = failed ? new Set(columns.failed) : undefined;
  const rows: number[] = [];
  for (let row = 0; row < type.length; row++) {
    const kind = type[row] ?? 0;
    if (!typeShown[kind] || !agentShown[agent[row] ?? 0] || (bad !== undefined && !bad.has(seq[row] ?? 0)))
      continue;
    if (wanted === "" || typeFound[kind] || toolFound[(tool[row] ?? 0) - 1]) rows.push(row);
    else if (
      run.words
        .get(seq[row] ?? 0)
        ?.toLowerCase()
        .includes(wanted)
    )
      rows.push(row);
  }
  return rows;
}
