/** Our debugger for Java: source files that a JDK compiles at `sonde setup java`, known by a hash of what they say. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Bridge {
  files: string[];
  version: string;
}

let known: Bridge | undefined;

/** Beside the bundle in the built product, beside this file otherwise. */
export function bridge(): Bridge {
  known ??= read();
  return known;
}

function read(): Bridge {
  const places = ["./java-bridge", "./bridge"].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = places.find((place) => existsSync(place));
  if (folder === undefined)
    throw new Error(`sonde's own files are missing: ${places[0]}; install sonde again`);
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
