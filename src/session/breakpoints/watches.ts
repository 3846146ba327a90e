/** Setting a data breakpoint: all of it or nothing. */
import { advice, blank, call, type Told } from "../../advice/advice.ts";
import type { RefusedPart } from "../../dap/refused-part.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../session.ts";
import type { Aim } from "../stack/focus.ts";
import { type Access, type Breakpoint, binding } from "./breakpoint.ts";
import { type WatchRequest, watchable, watchSpec } from "./watch-place.ts";

export async function setWatch(session: Session, asked: WatchRequest): Promise<Breakpoint> {
  const spec = await watchSpec(session, asked);
  const { breakpoints } = session;
  const watches = breakpoints.list().filter((one) => one.kind === "data");
  const same = watchOn(session, spec.only, spec.watched?.dataId);
  if (same)
    throw new SondeError("BAD_ARGUMENT", `watch ${same.id} (${same.asked}) already watches that place`, {
      hint: advice`${call("watch remove", { ids: [same.id] })} first, to watch it another way`,
    });
  // One that was lost and is set again keeps its number.
  const old = watches.find((one) => one.lost !== undefined && one.asked === asked.expression);
  const reason = old?.lost ?? "";
  const held = watches.filter((one) => binding(one)?.verified);
  if (old) {
    delete old.condition;
    delete old.hitCondition;
    await breakpoints.regain(old, spec);
  }
  const watch = old ?? (await breakpoints.add(spec));
  // An adapter that is out of hardware may drop an older one for the new one.
  const failed = [watch, ...held].find((one) => !binding(one)?.verified);
  if (!failed) return watch;
  const { message, refusedPart } = binding(failed) ?? {};
  await (old ? breakpoints.lose(old, reason) : breakpoints.remove([watch]));
  const taken = held.filter((one) => !binding(one)?.verified).map((one) => one.id);
  const hint = refusedPart ? hintFor(refusedPart, asked.expression) : roomHint(held);
  throw new SondeError(
    "REQUEST_FAILED",
    advice`${asked.expression} is not watched: ${message ?? "the adapter did not set it"}${
      taken.length > 0 ? `; watch ${taken.join(", ")} is lost too: the adapter could not set it again` : ""
    }`,
    hint === undefined ? {} : { hint },
  );
}

function hintFor(part: RefusedPart, expression: string): Told {
  return part === "condition"
    ? advice`without a condition: ${call("watch", { expression })}`
    : advice`try another count, or a condition: ${call("watch", { expression: blank("expression"), condition: blank("condition") })}`;
}

/** Whoever cannot set one more and says no reason that we know has most likely run out of hardware. */
function roomHint([first]: readonly Breakpoint[]): Told | undefined {
  return (
    first &&
    advice`processors watch only a few places at once; ${call("watch remove", { ids: [first.id] })} frees one`
  );
}

/** The one that is on this place already. */
function watchOn(
  session: Session,
  debuggee: number | undefined,
  dataId: string | undefined,
): Breakpoint | undefined {
  return session.breakpoints
    .list()
    .find(
      (one) =>
        one.kind === "data" &&
        one.lost === undefined &&
        (one.only === undefined || one.only === debuggee) &&
        one.watched?.dataId === dataId,
    );
}

export interface Watchability {
  /** Which uses the adapter can stop at; unknown unless it says. */
  accesses?: Access[];
  /** It is gone when its function returns. */
  local: boolean;
  /** The number of the watch that is on it. */
  watch?: number;
}

/** Asks, and changes nothing. Whether there is room for one more is known only when it is set. */
export async function canWatch(session: Session, expression: string, aim?: Aim): Promise<Watchability> {
  const { place, found, info, dataId } = await watchable(session, expression, aim, { looks: true });
  const watch = watchOn(session, place.debuggee.id, dataId)?.id;
  return {
    ...(info.accessTypes === undefined ? {} : { accesses: info.accessTypes }),
    local: found?.local ?? false,
    ...(watch === undefined ? {} : { watch }),
  };
}
