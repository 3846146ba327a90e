/** What a run of the contract showed, kept beside the tests; scripts/contract.mjs makes the record and the docs' table of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ContractRow } from "../../src/adapters/contract-record.ts";
import type { AdapterUnderTest } from "./adapter.ts";

const RESULTS = resolve(import.meta.dirname, "../../.adapters/contract");

/** Collects one row's outcomes; a run of some cases only leaves the last whole run's results as they are. */
export class Outcomes {
  readonly #row: AdapterUnderTest;
  readonly #cases: readonly string[];
  readonly #seen = new Map<string, { reason?: string }>();

  constructor(row: AdapterUnderTest, cases: readonly string[]) {
    this.#row = row;
    this.#cases = cases;
  }

  passed(name: string): void {
    this.#seen.set(name, {});
  }

  skipped(name: string, reason: string): void {
    this.#seen.set(name, { reason });
  }

  write(): void {
    if (!this.#cases.every((name) => this.#seen.has(name))) return;
    const { adapter, title } = this.#row;
    const result: ContractRow = {
      adapter,
      title,
      cases: this.#cases.map((name) => ({ name, ...this.#seen.get(name) })),
    };
    mkdirSync(RESULTS, { recursive: true });
    const file = `${title.replace(/[^\w+.-]+/g, "-")}.json`;
    writeFileSync(join(RESULTS, file), `${JSON.stringify(result, null, 2)}\n`);
  }
}
