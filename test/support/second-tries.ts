/**
 * A test that fails is tried once more, only to tell one that is flaky from one that is broken. Both fail the run: a test that passed at
 * its second try is named at the end, and the exit status is 1, unless the test is excused (excused.ts). A whole run (`npm test`) asks for
 * the names instead, and runs those tests alone several times: one that fails then fails the run. What only the load of all the others
 * brings about is a defect too, but no reason to hold up whoever has nothing to do with it.
 */
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { EXCUSED, EXCUSED_AT_MOST, EXCUSED_DAYS, type Excuse } from "./excused.ts";

export class SecondTries implements Reporter {
  readonly #excused: Excuse[];

  constructor(excused = EXCUSED) {
    this.#excused = excused;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = new Map<string, string>();
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky)
          flaky.set(
            `${module.relativeModuleId} > ${test.fullName}`,
            test.result().errors?.[0]?.message ?? "",
          );
    const { excused, failing } = judge([...flaky.keys()], this.#excused, new Date());
    if (excused.length > 0)
      console.log(`\nPassed only at the second try, and excused:\n${indented(excused)}\n`);
    if (failing.length === 0) return;
    const list = process.env.SONDE_SECOND_TRIES;
    if (list !== undefined) {
      console.error(`\nPassed only at the second try, to be run again alone:\n${indented(failing)}\n`);
      for (const [name, message] of flaky) console.error(`The first try of ${name}:\n${message}\n`);
      writeFileSync(list, JSON.stringify(failing));
      return;
    }
    console.error(`\nThe run fails, as these passed only at the second try:\n${indented(failing)}\n`);
    for (const [name, message] of flaky) console.error(`The first try of ${name}:\n${message}\n`);
    process.exitCode = 1; // vitest leaves it alone where all tests have passed
  }
}

export function judge(flaky: string[], list: Excuse[], now: Date): { excused: string[]; failing: string[] } {
  if (list.length > EXCUSED_AT_MOST)
    return { excused: [], failing: [...flaky, `excused.ts excuses more than ${EXCUSED_AT_MOST} tests`] };
  const excused: string[] = [];
  const failing: string[] = [];
  for (const name of flaky) {
    const excuse = list.find(({ test }) => test === name);
    if (excuse === undefined) failing.push(name);
    else if (daysSince(excuse.since, now) > EXCUSED_DAYS)
      failing.push(`${name} (excused since ${excuse.since}: longer than ${EXCUSED_DAYS} days)`);
    else excused.push(`${name} (since ${excuse.since}: ${excuse.reason})`);
  }
  return { excused, failing };
}

function daysSince(day: string, now: Date): number {
  const since = Date.parse(`${day}T00:00:00Z`);
  // What is no date excuses nothing.
  return Number.isNaN(since) ? Number.POSITIVE_INFINITY : (now.getTime() - since) / 86_400_000;
}

function indented(names: string[]): string {
  return names.map((name) => `  ${name}`).join("\n");
}
