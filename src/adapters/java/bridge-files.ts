/** Our debugger for Java: source files that a JDK compiles at `sonde setup java`, known by a hash of what they say. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFile } from "../../util/own-file.ts";

interface Bridge {
  files: string[];
  version: string;
}

let known: Bridge | undefined;

export function bridge(): Bridge {
  known ??= read();
  return known;
}

function read(): Bridge {
  const folder = ownFile("adapters/java/bridge");
  const names = readdirSync(folder).filter((name) => name.endsWith(".java"));
  const files = names.sort().map((name) => join(folder, name));
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return { files, version: hash.digest("hex").slice(0, 12) };
}

/** Where it is compiled to, below the adapter's folder: another version of sonde finds its own. */
export function classesIn(folder: string): string {
  return join(folder, `classes-${bridge().version}`);
}
