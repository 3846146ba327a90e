/** The part that runs inside the program: a folder beside the bundle in the built product, beside this file otherwise. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PLACES = ["./python-trace", "./recorder"];
/** What Python imports as it starts, and what that imports; and what a debugger brings in. */
const MODULES = [
  "sitecustomize.py",
  "sonde_trace.py",
  "sonde_room.py",
  "sonde_values.py",
  "sonde_points.py",
  "sonde_lines.py",
  "sonde_attach.py",
];

export function recorderFile(name: string): string {
  const places = PLACES.map((place) => fileURLToPath(new URL(`${place}/${name}`, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  return found;
}

/** Copied for the run: Python writes what it compiles beside its sources, and the plan is found there. */
export function layOut(folder: string): string {
  const hook = join(folder, "hook");
  mkdirSync(hook);
  for (const name of MODULES) copyFileSync(recorderFile(name), join(hook, name));
  return hook;
}
