import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    // Tests mostly wait for programs to start: more of them at once than there are processors is what keeps those busy.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Builds what the tests run, tags every process they start, and fails the run if one is left.
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/tag.ts"],
  },
});
