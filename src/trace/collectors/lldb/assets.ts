/** Scripts of ours that run inside debuggers: beside the bundle in the built product, beside the file that asks otherwise. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function script(name: string, asker: string): string {
  const path = fileURLToPath(new URL(`./${name}`, asker));
  if (!existsSync(path)) throw new Error(`sonde's own file is missing: ${path}; install sonde again`);
  return path;
}
