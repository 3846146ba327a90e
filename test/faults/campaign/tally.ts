/**
 * What came of the faults of one row of the table: each run is judged by what it noted, and counted. `npm run faults` sets how many
 * runs and where the counts go; without it a row is short, and part of the ordinary tests.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Chance, chance } from "./random.ts";

export interface Count {
  fault: string;
  adapter: string;
  seed: string;
  /** Of the sources. */
  version: string;
  runs: number;
  right: number;
  late: number;
  wrong: number;
  leftovers: number;
  bytesLost: number;
  /** Answers after a fault, in milliseconds beyond what the same costs without one. */
  answersMs: number[];
  /** What was measured besides. */
  notes: string[];
  /** What went wrong, with what repeats it. */
  findings: string[];
}

export const CAMPAIGN = {
  /** The folder for counts; a whole campaign is run if there is one. */
  results: process.env.SONDE_FAULTS_RESULTS,
  seed: process.env.SONDE_FAULTS_SEED ?? "1",
  version: process.env.SONDE_FAULTS_VERSION ?? "unknown",
  only: process.env.SONDE_FAULTS_ONLY,
  /** Multiplies the runs of each row. */
  factor: Number(process.env.SONDE_FAULTS_FACTOR ?? 1),
};
export const isWhole = CAMPAIGN.results !== undefined;

/** What one fault brought. */
export class Verdict {
  readonly findings: string[] = [];
  readonly notes: string[] = [];
  readonly answersMs: number[] = [];
  late = 0;
  wrong = 0;
  leftovers = 0;
  bytesLost = 0;

  /** An answer that must be true. */
  holds(isTrue: boolean, otherwise: () => string): void {
    if (isTrue) return;
    this.wrong += 1;
    this.findings.push(`wrong: ${otherwise()}`);
  }

  /** An answer that must come within a second of the fault, beyond what it costs without one. */
  answeredIn(ms: number, what: string): void {
    this.answersMs.push(Math.max(0, Math.round(ms)));
    if (ms <= LATE_MS) return;
    this.late += 1;
    this.findings.push(`late: ${what} took ${Math.round(ms)} ms more than without the fault`);
  }

  left(processes: readonly string[]): void {
    if (processes.length === 0) return;
    this.leftovers += processes.length;
    this.findings.push(`left: ${processes.join(" | ")}`);
  }

  lost(bytes: number, what: string): void {
    if (bytes === 0) return;
    this.bytesLost += bytes;
    this.findings.push(`lost unsaid: ${bytes} bytes, ${what}`);
  }
}

const LATE_MS = 1000;

export interface RowOptions {
  adapter?: string;
  /** In a whole campaign. */
  runs: number;
  /** Among the ordinary tests; none by default. */
  short?: number;
  /** For one run. */
  timeoutMs?: number;
}

export type Run = (verdict: Verdict, random: Chance, number: number) => Promise<void>;

/** A row: that fault, so many times. */
export function row(
  fault: string,
  { adapter = "–", runs, short = 0, timeoutMs = 60_000 }: RowOptions,
  run: Run,
): void {
  const name = `${fault} · ${adapter}`;
  const count = isWhole ? Math.max(1, Math.round(runs * CAMPAIGN.factor)) : short;
  const wanted = CAMPAIGN.only === undefined || new RegExp(CAMPAIGN.only).test(name);
  test.runIf(count > 0 && wanted)(name, { timeout: timeoutMs * count, retry: 0 }, async () => {
    const verdicts: Verdict[] = [];
    for (let number = 0; number < count; number++) {
      const verdict = new Verdict();
      verdicts.push(verdict);
      try {
        await run(verdict, chance(CAMPAIGN.seed, name, number), number);
      } catch (error) {
        verdict.holds(false, () => (error instanceof Error ? error.message : String(error)));
      }
    }
    const counted = summed(fault, adapter, verdicts);
    if (CAMPAIGN.results !== undefined) save(CAMPAIGN.results, counted);
    // How long answers take is judged over all of them (scripts/faults.mjs): it depends on what else the machine does.
    expect(counted.findings.filter((one) => !/^run \d+: late/.test(one))).toEqual([]);
  });
}

function summed(fault: string, adapter: string, verdicts: readonly Verdict[]): Count {
  const sum = (of: (verdict: Verdict) => number) => verdicts.reduce((all, one) => all + of(one), 0);
  return {
    fault,
    adapter,
    seed: CAMPAIGN.seed,
    version: CAMPAIGN.version,
    runs: verdicts.length,
    right: verdicts.filter(({ wrong }) => wrong === 0).length,
    late: verdicts.filter(({ late }) => late > 0).length,
    wrong: verdicts.filter(({ wrong }) => wrong > 0).length,
    leftovers: sum(({ leftovers }) => leftovers),
    bytesLost: sum(({ bytesLost }) => bytesLost),
    answersMs: verdicts.flatMap(({ answersMs }) => answersMs),
    notes: verdicts.flatMap(({ notes }) => notes),
    findings: verdicts.flatMap(({ findings }, number) => findings.map((one) => `run ${number}: ${one}`)),
  };
}

function save(folder: string, count: Count): void {
  mkdirSync(folder, { recursive: true });
  const file = `${count.fault} ${count.adapter}`.replace(/\W+/g, "-");
  writeFileSync(join(folder, `${file}.json`), JSON.stringify(count));
}
