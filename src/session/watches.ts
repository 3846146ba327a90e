/** Setting a data breakpoint: all of it or nothing. */
import { SondeError } from "../errors.ts";
import { type Breakpoint, binding, isIn } from "./breakpoint.ts";
import type { Session } from "./session.ts";
import { type WatchRequest, watchSpec } from "./watch-place.ts";

export async function setWatch(session: Session, asked: WatchRequest): Promise<Breakpoint> {
  const spec = await watchSpec(session, asked);
  const { breakpoints } = session;
  const watches = breakpoints.list().filter((one) => one.kind === "data");
  const same = watches.find(
    (one) =>
      one.lost === undefined &&
      isIn(one, session.focus.debuggee) &&
      one.watched?.dataId === spec.watched?.dataId,
  );
  if (same)
    throw new SondeError("BAD_ARGUMENT", `watch ${same.id} (${same.asked}) is on that place already`, {
      hint: `\`sonde watch remove ${same.id}\` first, to watch it another way`,
    });
  // One that was lost and is set again keeps its number.
  const old = watches.find((one) => one.lost !== undefined && one.asked === asked.expression);
  const reason = old?.lost ?? "";
  const held = watches.filter((one) => binding(one)?.verified);
  if (old) {
    delete old.condition;
    await breakpoints.regain(old, spec);
  }
  const watch = old ?? (await breakpoints.add(spec));
  // An adapter that is out of hardware may drop an older one for the new one.
  const failed = [watch, ...held].find((one) => !binding(one)?.verified);
  if (!failed) return watch;
  const { message } = binding(failed) ?? {};
  await (old ? breakpoints.lose(old, reason) : breakpoints.remove([watch]));
  const taken = held.filter((one) => !binding(one)?.verified).map((one) => one.id);
  throw new SondeError(
    "REQUEST_FAILED",
    `${asked.expression} is not watched: ${message ?? "the adapter did not set it"}${
      taken.length > 0
        ? `; nor is watch ${taken.join(", ")} any more, which the adapter could not set again`
        : ""
    }`,
    held.length === 0
      ? {}
      : {
          hint: `processors watch only a few places at once; \`sonde watch remove ${held[0]?.id}\` frees one`,
        },
  );
}
