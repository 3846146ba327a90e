/** Which adapters the contract suite ran against, and what came of it. Written by a test run; `sonde adapters` reads it. */
import record from "./contract.json" with { type: "json" };

export interface ContractRow {
  /** Of the adapter, that the suite ran with. */
  versions: string[];
  /** Cases. */
  passed: number;
  /** …and those that this adapter cannot do, with its reason. */
  skipped: { case: string; reason: string }[];
}

/** By the adapter's name. */
export type ContractRecord = Record<string, ContractRow>;

export type Mark = "tested" | "experimental";

export function markOf(name: string): Mark {
  return ((record as ContractRecord)[name]?.passed ?? 0) > 0 ? "tested" : "experimental";
}
