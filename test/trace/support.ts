/** Real sessions on real debuggers, prepared as the engine prepares them, for collectors to run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LaunchPlan, Opening } from "../../src/adapters/adapter.ts";
import { ADAPTERS } from "../../src/adapters/registry.ts";
import { Launch } from "../../src/session/launch.ts";
import { Guard } from "../../src/session/processes/guard.ts";
import type { Plan, Point } from "../../src/trace/plan.ts";
import type { PointHit } from "../../src/trace/record.ts";
import { type Traced, trace } from "../../src/trace/trace.ts";
import { TEST_ADAPTERS } from "../support/sonde.ts";

/** Nothing here waits for these: they end what hangs. */
const BOUNDS = { first: 120, quiet: 120, total: 240 };

/** A folder of the test's own. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "sonde-trace-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** What to run, with the rest of a launch as it usually is. */
export function launching(
  plan: Partial<LaunchPlan> & { cwd: string },
): Extract<Opening, { request: "launch" }> {
  return {
    request: "launch",
    plan: { args: [], env: environment(), stopOnEntry: false, extra: {}, ...plan },
  };
}

export async function prepared(adapterName: string, opening: Opening): Promise<Launch> {
  const adapter = ADAPTERS.find(({ name }) => name === adapterName);
  if (!adapter) throw new Error(`no adapter called ${adapterName}`);
  const where = { env: environment(), cwd: opening.plan.cwd, adapters: TEST_ADAPTERS };
  const found = await adapter.find(where);
  if (!found.ok) throw new Error(`${adapterName}: ${found.reason}`);
  const guard = new Guard();
  const launch = new Launch({
    name: "traced",
    adapter,
    found,
    where,
    opening,
    guard,
    timeouts: { initializeMs: 30_000, launchMs: 60_000, requestMs: 30_000, endMs: 2_000 },
    output: { maxEvents: 10_000, maxBytes: 1_000_000 },
    log: () => {},
  });
  onTestFinished(async () => {
    await launch.end();
    guard.close();
  });
  return launch;
}

export function planOf(points: (Omit<Point, "key"> & { key?: string })[], more: Partial<Plan> = {}): Plan {
  return {
    points: points.map((one) => ({ ...one, key: one.key ?? `${one.path}:${one.line}` })),
    frames: 10,
    valueChars: 200,
    maxHits: 100_000,
    ...more,
  };
}

export interface Recorded extends Traced {
  points: PointHit[];
  stdout: string;
  stderr: string;
}

/** One run by the collector named, in a session of its own. */
export async function recorded(
  adapter: string,
  opening: Opening,
  plan: Plan,
  more: { collector: string; stdin?: Buffer; signal?: AbortSignal; progress?(seen: number): void },
): Promise<Recorded> {
  const launch = await prepared(adapter, opening);
  const { signal = new AbortController().signal, ...rest } = more;
  const record = await trace({ title: "test", plan, launch, bounds: BOUNDS, signal, ...rest });
  await launch.end();
  const said = (category: string) =>
    launch.output
      .read(0, new Set([category]))
      .events.map(({ text }) => text)
      .join("");
  return {
    ...record,
    points: record.hits.flatMap((one) => (one.kind === "point" ? [one] : [])),
    stdout: said("stdout"),
    stderr: said("stderr"),
  };
}
