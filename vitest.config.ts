import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SecondTries } from "./test/support/second-tries.ts";

/**
 * How many seconds a file takes where no run before has shown it, by how its path under test/ begins: the first that fits. Only the order
 * follows from it, so that nothing long is left to wait for in the end. Vitest goes by the size of a file, and these are short.
 */
const USUAL_SECONDS: [beginning: string, seconds: number][] = [
  ["contract/", 60],
  ["cli/crash.", 50],
  ["agent/claude/interactive.", 50],
  ["daemon/memory.", 40],
  ["trace/native/property/", 40],
  ["web/page/long-run.", 35],
  ["trace/node/corpus.", 35],
  ["go/endings.", 35],
  ["faults/", 30],
  ["native/", 20],
  ["go/", 20],
  ["cli/test-", 15],
  ["mcp/protocol.", 15],
  ["trace/", 12],
  ["security/", 12],
  ["web/", 12],
  ["node-debug/", 10],
  ["python/", 10],
  ["skills/", 10],
  ["session/", 8],
  ["diagnostics/", 8],
  ["agent/", 6],
  ["cli/", 5],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = new Map(files.map((file) => [file, this.#secondsOf(file)]));
    const of = (file: TestSpecification) => seconds.get(file) ?? 0;
    return (await super.sort(files)).sort((one, other) => of(other) - of(one));
  }

  #secondsOf({ project, moduleId }: TestSpecification): number {
    const path = relative(this.ctx.config.root, moduleId);
    const before = this.ctx.cache.getFileTestResults(`${project.name}:${path}`);
    // One that was skipped, or of which only a test was run, shows too little.
    const usual = USUAL_SECONDS.find(([beginning]) => path.startsWith(`test/${beginning}`))?.[1] ?? 0;
    return Math.max(usual, (before?.duration ?? 0) / 1000);
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    // A test waits about half of its time for programs: more of them at once than there are processors is what keeps those busy.
    maxWorkers: Math.ceil(availableParallelism() * 2.5),
    // A worker keeps what it has loaded and the daemons that its tests borrow, from file to file: both cost more than most tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Only to tell a flaky test from a broken one: both fail the run (second-tries.ts).
    retry: 1,
    reporters: ["default", new SecondTries()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes at once where nothing else runs; a second, the usual limit, is not enough where much does.
    expect: { poll: { timeout: 10_000 } },
    // Builds what the tests run, tags every process they start, and fails the run if one is left.
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/tag.ts"],
  },
});
