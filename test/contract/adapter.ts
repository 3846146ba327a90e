/**
 * A debugger the contract holds for. Each has twins of the same small programs in test/fixtures/<folder>, with the same functions,
 * variables, output and markers; what cannot be the same is said in its row.
 */

export interface AdapterUnderTest {
  /** With its version; tests are called by it. */
  name: string;
  /** The same without what changes from machine to machine: its column in docs/adapters.md. */
  title: string;
  /** Its name in `sonde adapters`. */
  adapter: string;
  /** Under test/fixtures; copied into each case's project. */
  fixtures: string;
  /** Where compiled programs are, with their sources: the same for all cases, for it is in their debug information. */
  folder?(): string;
  /** `config.toml`: which of several versions is meant. */
  config?: string;
  /** The file in which a program's code is: `stats` → `stats.js`. */
  file(program: string): string;
  /** What follows `sonde start`, without its own arguments. */
  start(program: string): string[];
  /** The program without a debugger, to attach to. */
  run(program: string): { command: string; args: string[] };
  /** An expression of plain names and numbers in the language; as it stands unless said. */
  code?(expression: string): string;
  /** How the uncaught exception of `uncaught` looks. */
  uncaught: { type: string; message: string; cause?: string; exitCode: number };
  /** Assignment in the language, by eval. */
  assign(name: string, value: string): string;
  /** Why a case is not run, by its name. */
  skip: Record<string, string>;
}
