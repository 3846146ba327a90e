import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Builds what the tests run, tags every process they start, and fails the run if one is left.
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/tag.ts"],
  },
});
