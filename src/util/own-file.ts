/** Sonde's own files that run elsewhere (in the program, in a debugger): in the product they have the paths that they have in src/. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** `adapters/ruby/boot/boot.rb`; a folder too. */
export function ownFile(path: string): string {
  const places = [join(import.meta.dirname, path), join(import.meta.dirname, "..", path)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  // As it appears on the stacks of programs.
  return realpathSync(found);
}
