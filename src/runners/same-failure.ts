/** Whether what a debugger stopped at is the failure that the runner reported: on the way to it others are thrown and caught. */
import type { Failure, Place } from "./runner.ts";

export interface Raised {
  message: string;
  /** Outward from where it was raised. */
  places: Place[];
}

export function isSame({ message, places }: Failure, raised: Raised): boolean {
  const known = places.length > 0 || firstLine(message ?? "") !== "";
  if (!known) return true;
  return (
    sameWords(message ?? "", raised.message) ||
    places.some((one) => raised.places.some((two) => samePlace(one, two)))
  );
}

/** Addresses differ from run to run. */
function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.replace(/0x[\da-f]+/gi, "0x").trim();
}

function sameWords(told: string, raised: string): boolean {
  const [one, two] = [firstLine(told), firstLine(raised)];
  return one !== "" && two !== "" && (two.includes(one) || (two.length > 8 && one.includes(two)));
}

/** A runner's path may be relative to a folder of its own. */
function samePlace(told: Place, seen: Place): boolean {
  const file = told.file.replace(/^(\.\.?\/)+/, "");
  return told.line === seen.line && (seen.file === file || seen.file.endsWith(`/${file}`));
}
