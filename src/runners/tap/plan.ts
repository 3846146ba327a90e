/** What fails a run of TAP although none of its points fails: it gave up, or ran other than as many as it planned. */
import { plural } from "../../util/text.ts";
import type { Failure } from "../runner.ts";
import { pointsIn } from "./points.ts";

export const PLAN = /^1\.\.(\d+)[ \t\r]*(?:#.*)?$/m;
const BAILED = /^ *Bail out!(.*)$/m;

export function bailedOut(tap: string): Failure | undefined {
  const [, reason] = BAILED.exec(tap) ?? [];
  if (reason === undefined) return undefined;
  return whole("Bail out!", reason.trim() === "" ? "it bailed out" : `it bailed out: ${reason.trim()}`);
}

/** Nothing where there are several plans, as of programs that ran one after the other: whose points are whose is not known. */
export function brokenPlan(tap: string): Failure | undefined {
  const plans = [...tap.matchAll(new RegExp(PLAN, "gm"))];
  const planned = Number(plans[0]?.[1]);
  if (plans.length !== 1) return undefined;
  const points = pointsIn(tap).filter(({ level }) => level === 0);
  // Among points with numbers a line without one may be anything that begins with "ok".
  const numbered = points.filter(({ number }) => number !== undefined);
  const counted = numbered.length > 0 ? numbered : points;
  const name = `the plan 1..${planned}`;
  if (points.length < planned)
    return whole(name, `${planned - points.length} of ${plural(planned, "planned test")} did not run`);
  if (counted.length > planned)
    return whole(name, `${plural(counted.length, "test")} ran, but the plan says ${planned}`);
  return undefined;
}

function whole(name: string, message: string): Failure {
  return { name, message, silent: true, places: [], compared: [] };
}
