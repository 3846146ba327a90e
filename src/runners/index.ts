/** The test runners that are known, and which of them a command line means. */
import { borp } from "./borp.ts";
import { cargoTest } from "./cargo-test.ts";
import { ctest } from "./ctest.ts";
import { goTest } from "./go-test.ts";
import { gradle } from "./gradle.ts";
import { jest } from "./jest.ts";
import { junitConsole } from "./junit-console.ts";
import { maven } from "./maven.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import type { Runner } from "./runner.ts";
import { nodeTap } from "./tap/node-tap.ts";
import { prove } from "./tap/prove.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** Those with a word of their own before those known by the file they are given. */
export const RUNNERS: readonly Runner[] = [
  pytest,
  vitest,
  jest,
  mocha,
  nodeTap,
  borp,
  prove,
  goTest,
  cargoTest,
  ctest,
  junitConsole,
  maven,
  gradle,
  nodeTest,
  unittest,
];

export interface Recognised {
  runner: Runner;
  head: string[];
  rest: string[];
}

export function recognise(words: readonly string[]): Recognised | undefined {
  for (const runner of RUNNERS) {
    const found = runner.recognise(words);
    if (found) return { runner, ...found };
  }
  return undefined;
}
