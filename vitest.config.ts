import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SecondTries } from "./test/support/second-tries.ts";

/** Folders whose files take long, those that take longest first: debuggers that are slow to start, many programs, whole recordings. */
const LONG = [
  "contract",
  "property",
  "faults",
  "native",
  "go",
  "trace",
  "security",
  "node-debug",
  "python",
  "diagnostics",
  "agent",
];

/** What takes longest goes first, so that nothing is left to wait for in the end. Vitest goes by the size of a file, and these are short. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
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
