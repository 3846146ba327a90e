/** Setting a breakpoint at an address: it holds there, or nothing stays behind. */
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { again } from "../again.ts";
import { addressOf } from "../machine/address.ts";
import type { Session } from "../session.ts";
import { type Breakpoint, type BreakpointSpec, binding } from "./breakpoint.ts";

export async function addInstruction(
  session: Session,
  asked: string,
  { replace, ...details }: Partial<BreakpointSpec> & { replace?: boolean | undefined },
): Promise<Breakpoint> {
  if (session.ended)
    throw new SondeError("SESSION_ENDED", `${session.name} has ended, so its addresses are no longer valid`, {
      hint: again(session, "first"),
    });
  const { breakpoints } = session;
  const spec: BreakpointSpec = {
    ...details,
    kind: "instruction",
    asked,
    reference: await addressOf(session, asked),
    only: session.focus.debuggee.id,
  };
  // One that a restart let go and that is set again keeps its number.
  const old = breakpoints.list().find((one) => one.lost !== undefined && one.asked === asked);
  const reason = old?.lost ?? "";
  if (old) await breakpoints.regain(old, spec);
  const added = old ?? (await breakpoints.add(spec, { replace }));
  const bound = binding(added);
  if (bound?.verified) return added;
  await (old ? breakpoints.lose(old, reason) : breakpoints.remove([added]));
  throw new SondeError(
    "BAD_LOCATION",
    advice`no breakpoint at ${asked}${asked === spec.reference ? "" : ` (${spec.reference})`}: ${bound?.message ?? "the adapter could not set one"}`,
    { hint: advice`${call("disassemble")} shows the addresses of instructions` },
  );
}
