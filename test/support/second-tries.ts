/**
 * Tests that passed only at their second try, by name, at the end of a run. Real debuggers on a machine with more work than processors
 * now and then lose a race that a person would not notice; one such test must not hide the result of four thousand others, and must
 * not be forgotten either.
 */
import type { Reporter, TestModule } from "vitest/node";

export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const named = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (named.length > 0)
      console.log(`\nPassed only at the second try, which is a defect:\n${named.join("\n")}\n`);
  }
}
