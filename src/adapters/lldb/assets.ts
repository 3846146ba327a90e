/** Files of ours that run elsewhere: beside the bundle in the built product, beside this file otherwise. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** By the names that it may have. */
export function asset(...names: string[]): string {
  const places = names.map((name) => fileURLToPath(new URL(`./${name}`, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  return found;
}
