/** Node is its own debugger, so every version of it is an adapter to test. */
import { execPath } from "node:process";
import { type NodeBinary, nodes } from "../../support/nodes.ts";
import type { AdapterUnderTest } from "../adapter.ts";

function node({ version, path }: NodeBinary): AdapterUnderTest {
  const runtime = path === execPath ? [] : ["--arg-json", JSON.stringify({ runtimeExecutable: path })];
  return {
    name: `node ${version}`,
    title: path === execPath ? "Node 20" : "Node 26",
    adapter: "node",
    fixtures: "js",
    file: (program) => `${program}.js`,
    start: (program) => [`${program}.js`, ...runtime],
    run: (program) => ({ command: path, args: [`${program}.js`] }),
    uncaught: { type: "RangeError", message: "cannot read 9 characters", cause: "SyntaxError", exitCode: 1 },
    assign: (name, value) => `${name} = ${value}`,
    skip: {},
  };
}

export const nodeRows: AdapterUnderTest[] = nodes.map(node);
