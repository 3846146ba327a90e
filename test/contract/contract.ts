/** What every debugger must do, through the real binary. A case that an adapter cannot pass is skipped with its reason. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { AdapterUnderTest } from "./adapter.ts";
import { breakpoints } from "./cases/breakpoints.ts";
import { running } from "./cases/running.ts";
import { stopping } from "./cases/stopping.ts";
import { values } from "./cases/values.ts";
import { Outcomes } from "./record.ts";
import { Rig } from "./rig.ts";

/** What this machine lacks the tools for, by title (scripts/test-adapters.mjs). */
function leftOut(): Record<string, string> {
  const file = resolve(import.meta.dirname, "../../.adapters/skipped.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
}

const groups = { stopping, breakpoints, values, running };
const names = Object.values(groups).flatMap((cases) => cases.map(({ name }) => name));

/**
 * A family of debuggers is a file of its own, so that families are run side by side. `expected` are the rows' titles: one that is
 * not there must have been left out by the set-up, with its reason.
 */
export function contract(expected: readonly string[], rows: readonly AdapterUnderTest[]): void {
  test.for(expected)("%s is run", (title, { skip }) => {
    if (rows.some((row) => row.title === title)) return;
    const reason = leftOut()[title];
    if (reason !== undefined) skip(reason);
    throw new Error(`no debugger for "${title}": \`npm test\` installs them`);
  });

  describe.each(rows)("$name", (adapter) => {
    const outcomes = new Outcomes(adapter, names);
    afterAll(() => outcomes.write());

    test("skips only cases that exist", () => {
      expect(Object.keys(adapter.skip).filter((name) => !names.includes(name))).toEqual([]);
    });

    describe.each(Object.entries(groups))("%s", (_group, cases) => {
      const named = cases.map(({ name, run }) => [name, run] as const);
      test.for(named)("%s", { timeout: 60_000 }, async ([name, run], { skip }) => {
        const reason = adapter.skip[name];
        if (reason !== undefined) {
          outcomes.skipped(name, reason);
          skip(reason);
        }
        await run(new Rig(adapter));
        outcomes.passed(name);
      });
    });
  });
}
