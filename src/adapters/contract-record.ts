/** Which adapters the contract suite ran against, and what came of it. Written from a test run; `sonde adapters` reads it. */
import record from "./contract.json" with { type: "json" };

/** One debugger, in one version and language. */
export interface ContractRow {
  /** The adapter's name. */
  adapter: string;
  title: string;
  /** Those with a reason were not run: what the adapter cannot do. */
  cases: { name: string; reason?: string }[];
}

export const CONTRACT: readonly ContractRow[] = record;

export type Mark = "tested" | "experimental";

export function markOf(name: string): Mark {
  return CONTRACT.some((row) => row.adapter === name && row.cases.some(({ reason }) => reason === undefined))
    ? "tested"
    : "experimental";
}
