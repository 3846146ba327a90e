/**
 * The debuggers the contract holds for. Each has twins of the same small programs in test/fixtures/<folder>, with the
 * same functions, variables, output and markers; what cannot be the same is said here.
 */
import { execPath } from "node:process";
import { type NodeBinary, nodes } from "../support/nodes.ts";

export interface AdapterUnderTest {
  name: string;
  /** Under test/fixtures. */
  fixtures: string;
  /** The file in which a program's code is: `stats` → `stats.js`. */
  file(program: string): string;
  /** What follows `sonde start`, without its own arguments. */
  start(program: string): string[];
  /** The program without a debugger, to attach to. */
  run(program: string): { command: string; args: string[] };
  /** How the uncaught exception of `uncaught` looks. */
  uncaught: { type: string; message: string; cause?: string; exitCode: number };
  /** Assignment in the language, by eval. */
  assign(name: string, value: string): string;
  /** Why a case is not run, by its name. */
  skip: Record<string, string>;
}

/** Node is its own debugger, so every version of it is an adapter to test. */
function node({ version, path }: NodeBinary): AdapterUnderTest {
  const runtime = path === execPath ? [] : ["--arg-json", JSON.stringify({ runtimeExecutable: path })];
  return {
    name: `node ${version}`,
    fixtures: "js",
    file: (program) => `${program}.js`,
    start: (program) => [`${program}.js`, ...runtime],
    run: (program) => ({ command: path, args: [`${program}.js`] }),
    uncaught: { type: "RangeError", message: "cannot read 9 characters", cause: "SyntaxError", exitCode: 1 },
    assign: (name, value) => `${name} = ${value}`,
    skip: {},
  };
}

export const adapters: AdapterUnderTest[] = nodes.map(node);
