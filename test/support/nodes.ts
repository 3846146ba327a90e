/** Versions of Node to debug with: the one that runs the tests and the newest long-term one, if `npm test` has installed it (test/node-lts). */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export interface NodeBinary {
  /** `v20.20.2` */
  version: string;
  path: string;
}

const candidates = [process.execPath, resolve(import.meta.dirname, "../node-lts/node_modules/node/bin/node")];

export const nodes: NodeBinary[] = candidates
  .filter((path) => existsSync(path))
  .map((path) => ({
    version: execFileSync(path, ["--version"], { encoding: "utf8" }).trim(),
    path,
  }));
