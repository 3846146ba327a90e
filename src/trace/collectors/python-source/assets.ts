/** The part that runs inside the program. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { siteFile } from "../../../adapters/python/site.ts";
import { ownFile } from "../../../util/own-file.ts";

/** What Python imports as it starts, and what that imports; and what a debugger brings in. */
const MODULES = [
  "sitecustomize.py",
  "sonde_trace.py",
  "sonde_room.py",
  "sonde_values.py",
  "sonde_points.py",
  "sonde_hooks.py",
  "sonde_patch.py",
  "sonde_code.py",
  "sonde_names.py",
  "sonde_lines.py",
  "sonde_objects.py",
  "sonde_toward.py",
  "sonde_calls.py",
  "sonde_attach.py",
];

export function recorderFile(name: string): string {
  return ownFile(`trace/collectors/python-source/recorder/${name}`);
}

/** Copied for the run: Python writes what it compiles beside its sources, and the plan is found there. */
/** What a debugged program has too. */
const SHARED = "sonde_fields.py";

export function layOut(folder: string): string {
  const hook = join(folder, "hook");
  mkdirSync(hook);
  for (const name of MODULES) copyFileSync(recorderFile(name), join(hook, name));
  copyFileSync(siteFile(), join(hook, "sonde_site.py"));
  copyFileSync(ownFile(`adapters/python/boot/${SHARED}`), join(hook, SHARED));
  return hook;
}
