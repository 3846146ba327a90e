/** Two runs, one after the other, each no longer than it takes to tell them apart. */
import { advice, blank, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Context } from "../context.ts";
import type { Running } from "../runs/running.ts";
import type { Planning } from "../trace/arguments.ts";
import { answer } from "./answer.ts";
import { comparePackages, type DifferingPackage, type PackageDifference } from "./packages.ts";
import { type Ran, record, type Side } from "./recorded.ts";
import type { DiffResult } from "./shapes.ts";
import { whatText } from "./text.ts";
import type { Time } from "./time.ts";

/** Seconds that a run gets at first: most end before, and one that hangs has shown by then how it parts from the other. */
const SOON = 10;
/** …and the first, whose time nobody knows yet. */
const FIRST = 20;
/** …or so many times as long as the other took. */
const LONGER = 5;
/** The longest that a run goes on which has not parted from the other by then, unless told. */
const LAST = 45;
/** The longest that a run with installed code goes on: by then more was recorded than is compared. */
const WIDER = 20;
/** The longest that A is run once more, only to know what differs by chance. */
const AGAIN = 20;

export async function two(
  context: Context,
  asked: Planning & Running,
  sides: { a: Side; b: Side },
  time: Time,
): Promise<DiffResult> {
  const run = (side: Side, seconds: number, other?: Ran, packages?: readonly string[], repeats?: string) =>
    record(
      context,
      asked,
      { ...side, seconds: Math.min(seconds, time.left) },
      { other, packages: packages ?? [], repeats },
    );
  let a = await run(sides.a, Math.min(FIRST, time.left / 2));
  refuseLate(time);
  let b = await run(sides.b, isCut(a) ? FIRST : Math.max(SOON, a.record.seconds * LONGER), a);
  let compared = await answer(context, asked, { a, b });
  // Both go the same way as far as they got: only more time can tell.
  if (compared.first === undefined && (isCut(a) || isCut(b)) && time.left > 1) {
    const most = asked.maxSeconds === undefined ? LAST : time.left;
    if (isCut(a)) {
      a = await run(sides.a, Math.min(most, isCut(b) ? time.left / 2 : time.left));
      refuseLate(time);
    }
    if (isCut(b)) b = await run(sides.b, Math.min(most, time.left), a);
    compared = await answer(context, asked, { a, b });
  }
  const { differing: packages, loadedOnly } =
    isExplained(compared) || isCut(a) || isCut(b)
      ? NONE
      : await comparePackages(a.packages ?? [], b.packages ?? []);
  const only = loadedOnly.a.length + loadedOnly.b.length > 0 ? { loadedOnly } : {};
  const isOpen = compared.first !== undefined || compared.endsDiffer === true;
  if (packages.length > 0 && isOpen && !compared.changed?.some(({ ran, after }) => ran && !after)) {
    const folders = (side: "a" | "b") => packages.map((one) => one[side].folder);
    const wider = await run(sides.a, Math.min(WIDER, time.left / 2), undefined, folders("a"));
    const other = await run(sides.b, WIDER, wider, folders("b"));
    const found = await withoutNoise(wider, other, packages);
    if (found.first !== undefined) return { ...found, ...only, ...shownIn(await withoutNoise(a, b, [])) };
    // One that was cut may have ended before its own code parts from the other's.
    return { ...(compared.first === undefined ? found : await withoutNoise(a, b, [])), ...only };
  }
  return { ...(await withoutNoise(a, b, [])), ...only };

  async function withoutNoise(a: Ran, b: Ran, packages: DifferingPackage[]): Promise<DiffResult> {
    const compared = await answer(context, asked, { a, b, packages });
    if (compared.first === undefined || isCut(a) || isExplained(compared)) return compared;
    if (a.record.seconds > Math.min(AGAIN, time.left / 2)) return compared;
    const again = await run(
      sides.a,
      time.left,
      undefined,
      packages.map((one) => one.a.folder),
      a.record.id,
    );
    return answer(context, asked, { a, b, again, packages });
  }
}

const NONE: PackageDifference = { differing: [], loadedOnly: { a: [], b: [] } };

/** Where the runs part in the user's own code. */
function shownIn({ first }: DiffResult): Pick<DiffResult, "shows"> {
  const site = first?.a?.site ?? first?.b?.site;
  if (first === undefined || site === undefined) return {};
  return { shows: { path: site.path, line: site.line, what: whatText(first) } };
}

/** By our clock: what it would have done after that nobody knows. */
export function isCut({ record: { end, partial } }: Ran): boolean {
  return end.how === "stopped" && partial !== undefined;
}

/** They part on a line that was changed: no chance needs to be ruled out. */
export function isExplained({ first, changed = [] }: DiffResult): boolean {
  return (["a", "b"] as const).some((side) => {
    const site = first?.[side]?.site;
    return changed.some((one) => {
      const lines = one[side];
      const at = site === undefined || lines === undefined ? -1 : site.line - lines.line;
      return lines?.path === site?.path && at >= 0 && at < (lines?.texts.length ?? 0);
    });
  });
}

function refuseLate({ left, seconds }: Time): void {
  if (left > 0) return;
  throw new SondeError("TIMEOUT", `run A took all of the ${seconds} s`, {
    hint: advice`${option({ maxSeconds: blank("seconds") })} gives both more time`,
  });
}
