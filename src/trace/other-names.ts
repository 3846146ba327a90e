/** What there was instead of a function that was asked for and never called. Pure. */
import { closest } from "../util/closest.ts";
import { isFunction, nameParts } from "./function-name.ts";

const MOST = 12;

/** @param passed the user's functions: those that were called, and those that a loaded file declares */
export function otherNames(
  asked: readonly string[],
  passed: { called: ReadonlySet<string>; declared: ReadonlySet<string> },
): string | undefined {
  const strange = unmet(asked, passed.declared);
  const idle = asked.filter((name) => !strange.includes(name));
  const others = strange.length === 0 ? undefined : listOf(strange, passed);
  const said = [
    ...idle.map((name) => `${name} is in a file that was loaded, but was not called`),
    ...(others === undefined ? [] : [others]),
  ];
  return said.length === 0 ? undefined : said.join("; ");
}

function listOf(
  asked: readonly string[],
  { called, declared }: { called: ReadonlySet<string>; declared: ReadonlySet<string> },
): string | undefined {
  const names = [...(called.size > 0 ? called : declared)];
  if (names.length === 0) return undefined;
  const near = [...new Set(asked.flatMap((one) => nearest(one, names)))];
  const ordered = [...near, ...names.filter((name) => !near.includes(name))];
  const more = ordered.length > MOST ? ` and ${ordered.length - MOST} more` : "";
  const words = called.size > 0 ? "this run called" : "the loaded files have";
  const list = `${words}: ${ordered.slice(0, MOST).join(", ")}${more}`;
  return near.length === 0 ? list : `did you mean ${near.join(" or ")}? ${list}`;
}

/** Those asked for that none of these is: a recorder may leave the module out of a name, and calls a class's constructor so. */
export function unmet(asked: readonly string[], names: ReadonlySet<string>): string[] {
  return asked.filter(
    (one) =>
      ![...names].some(
        (name) => isFunction(name, one) || one.endsWith(`.${name}`) || name === `${one}.constructor`,
      ),
  );
}

/** In full, or by its last part. */
function nearest(asked: string, names: readonly string[]): string[] {
  const lastOf = (name: string) => nameParts(name).at(-1) ?? name;
  const last = lastOf(asked);
  const whole = closest(asked, names) ?? closest(last, names.map(lastOf));
  const found = names.find((name) => name === whole) ?? names.find((name) => lastOf(name) === whole);
  return found === undefined ? [] : [found];
}
