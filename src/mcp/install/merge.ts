/** A client's configuration with our entry in it, and everything else as it was. Pure. */
import type { Place } from "./clients.ts";
import { intoJson } from "./merge-json.ts";
import { intoToml, tomlBlock } from "./merge-toml.ts";
import type { Merged } from "./merged.ts";

export const SERVER = "sonde";

const BYTE_ORDER_MARK = "\uFEFF";

/** Our part alone, to be pasted. */
export function snippet({ format, under, entry }: Place): string {
  if (format === "toml") return tomlBlock(under, SERVER, entry);
  return `${JSON.stringify({ [under]: { [SERVER]: entry } }, null, 2)}\n`;
}

/** `before`: undefined if there is no file yet. */
export function merged(place: Place, before: string | undefined): Merged {
  if (before?.startsWith(BYTE_ORDER_MARK)) {
    const result = merged(place, before.slice(BYTE_ORDER_MARK.length));
    return "text" in result ? { ...result, text: BYTE_ORDER_MARK + result.text } : result;
  }
  const empty = before === undefined || before.trim() === "";
  if (place.format === "toml")
    return empty ? { text: snippet(place), changed: true } : intoToml(place, SERVER, before);
  if (empty) {
    const whole = { ...place.head, [place.under]: { [SERVER]: place.entry } };
    return { text: `${JSON.stringify(whole, null, 2)}\n`, changed: true };
  }
  return intoJson(place, SERVER, before);
}
