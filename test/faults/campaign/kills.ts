/** The rows of one language: who is killed, how its program came to be debugged, and when. */
import { createSonde } from "../../support/sonde.ts";
import { KillRig } from "./kill-rig.ts";
import { killTrial, MOMENTS, VICTIMS, WAYS } from "./kill-trial.ts";
import type { Language } from "./programs.ts";
import { row } from "./tally.ts";

/** Runs of each in a whole campaign. */
const RUNS = 5;

export function killRows(language: Language, short: (name: string) => number): void {
  for (const victim of VICTIMS)
    for (const way of WAYS)
      for (const moment of MOMENTS) {
        if (victim === "debugger" && language.debugger.length === 0) continue;
        // What it is about: code that a debugger has changed, and that others run.
        const isPassing = moment === "passing a breakpoint";
        if (isPassing && (way === "launched" || !["daemon", "debugger"].includes(victim))) continue;
        const name = `${victim} killed, ${way}, ${moment}`;
        let rig: KillRig | undefined;
        row(name, { adapter: language.title, runs: RUNS, short: short(name) }, async (verdict, random) => {
          if (rig === undefined) {
            rig = new KillRig(createSonde(), language);
            if (victim === "daemon") await rig.measureColdStart();
          }
          await killTrial(rig, { victim, way, moment }, verdict, random);
        });
      }
}
