/** Of a comparison that finds nothing: what was not recorded, so that nobody takes it for the same. */
import { advice, blank, option, type Told } from "../../advice/advice.ts";
import { plural } from "../../util/text.ts";
import { comparePackages } from "./packages.ts";
import type { Ran } from "./recorded.ts";

const NAMES = 4;

/** Whether the runs end differently, by what they printed and how they ended; of kept ones nobody knows. */
export function endDifferently(a: Ran, b: Ran): boolean {
  const ends = ({ record: { end } }: Ran) => `${end.how} ${end.exitCode} ${end.signal}`;
  const isWhole = ({ side, record }: Ran) => side !== undefined && record.partial === undefined;
  return isWhole(a) && isWhole(b) && (a.output !== b.output || ends(a) !== ends(b));
}

export async function leftOut(a: Ran, b: Ran): Promise<Told | undefined> {
  const { lines } = a.record.plan;
  const isOpen = endDifferently(a, b);
  if (lines === undefined) return isOpen ? "only the given places were recorded" : undefined;
  if (lines.functions.length > 0) return isOpen ? "only the given functions were recorded" : undefined;
  const own = `only lines and variables of code below ${lines.under.join(", ")} were recorded`;
  if (a.packages === undefined || b.packages === undefined)
    return isOpen ? `${own}, not libraries that lie elsewhere` : undefined;
  const names = [...new Set([...a.packages, ...b.packages].map(({ name }) => name))].sort();
  if (names.length === 0) return isOpen ? `${own}, not code that is made while it runs (eval)` : undefined;
  const { differing, loadedOnly } = await comparePackages(a.packages, b.packages);
  const others = differing.map(({ name }) => name);
  const alone = new Set([...loadedOnly.a, ...loadedOnly.b]);
  const same = names.filter((name) => !alone.has(name));
  const which = [
    plural(names.length, "installed package"),
    others.length > 0
      ? `of which ${listed(others)} ${others.length === 1 ? "differs" : "differ"} between A and B`
      : same.length > 0 &&
        `${same.length < names.length ? `${same.length} ` : ""}the same in both runs (${listed(same)})`,
    loadedOnly.a.length > 0 && `loaded only by A: ${listed(loadedOnly.a)}`,
    loadedOnly.b.length > 0 && `loaded only by B: ${listed(loadedOnly.b)}`,
  ]
    .filter((part) => part !== false)
    .join(", ");
  return advice`not recorded: ${which}; ${option({ package: [blank("name")] })} records one`;
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, NAMES).join(", ")}${names.length > NAMES ? ", …" : ""}`;
