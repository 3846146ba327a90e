/**
 * A test that fails is tried once more, only to tell one that is flaky from one that is broken. Both fail the run: a test that passed at
 * its second try is named at the end, and the exit status is 1, unless the test is excused (excused.ts). A whole run (`npm test`) asks for
 * the names instead, and runs those tests alone several times: one that fails then fails the run. What only the load of all the others
 * brings about is a defect too, but no reason to hold up whoever has nothing to do with it. The same is done for a test or two that failed
 * at both tries, if nothing else went wrong: more of them are no chance.
 */
import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { EXCUSED, EXCUSED_AT_MOST, EXCUSED_DAYS, type Excuse } from "./excused.ts";

/** How many tests may fail at both tries beside the others, and be tried alone. */
const FAILED_AT_MOST = 2;

export class SecondTries implements Reporter {
  readonly #excused: Excuse[];

  constructor(excused = EXCUSED) {
    this.#excused = excused;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const flaky = new Map<string, string>();
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky) flaky.set(nameOf(module, test), firstError(test));
    const { excused, failing } = judge([...flaky.keys()], this.#excused, new Date());
    if (excused.length > 0)
      console.log(`\nPassed only at the second try, and excused:\n${indented(excused)}\n`);
    const list = process.env.SONDE_SECOND_TRIES;
    const failed = list === undefined ? [] : failedBesideOthers(modules, unhandled);
    if (failed.length > 0) console.error(`\nFailed, to be run again alone:\n${indented(failed)}\n`);
    if (list !== undefined && failing.length + failed.length > 0)
      writeFileSync(list, JSON.stringify({ again: [...failing, ...failed], failed: failed.length }));
    if (failing.length === 0) return;
    console.error(
      list === undefined
        ? `\nThe run fails, as these passed only at the second try:\n${indented(failing)}\n`
        : `\nPassed only at the second try, to be run again alone:\n${indented(failing)}\n`,
    );
    for (const [name, message] of flaky) console.error(`The first try of ${name}:\n${message}\n`);
    if (list === undefined) process.exitCode = 1; // vitest leaves it alone where all tests have passed
  }
}

/** All that went wrong, if that is a test or two and nothing else. */
function failedBesideOthers(modules: readonly TestModule[], unhandled: readonly unknown[]): string[] {
  const failed: string[] = [];
  let others = unhandled.length;
  for (const module of modules) {
    others += module.errors().length;
    for (const suite of module.children.allSuites()) others += suite.errors().length;
    for (const test of module.children.allTests("failed")) failed.push(nameOf(module, test));
  }
  return others > 0 || failed.length > FAILED_AT_MOST ? [] : failed;
}

function nameOf(module: TestModule, test: TestCase): string {
  return `${module.relativeModuleId} > ${test.fullName}`;
}

/** An error that was thrown while another was on its way hides that one, and has no words of its own. */
function firstError(test: TestCase): string {
  const first = test.result().errors?.[0] as (Error & { error?: Error; suppressed?: Error }) | undefined;
  const words = [first?.message, first?.suppressed?.message, first?.error?.message];
  return words.filter(Boolean).join("\n");
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
