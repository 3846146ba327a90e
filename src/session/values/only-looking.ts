/** Expressions that run none of the program's code: what is given to those who may only look at it. */
import { mustOnlyLook } from "../machine/address.ts";
import type { Session } from "../session.ts";
import type { Aim } from "../stack/focus.ts";
import { findVariable } from "./find-variable.ts";

const PATH = String.raw`[\w$@]+(?:\.[\w$]+|->[\w$]+|::[\w$]+|\[\d+\])*`;
const WHOLE = new RegExp(`^${PATH}$`);
/** At the end of what is being typed: not behind a call, a text or anything else that has a value of its own. */
const BEGUN = new RegExp(String.raw`(?<![\w$@.:>)\]}'"\`/;])${PATH}(?:\.|->|::)?$`);
const NAME = /^[$@]?[\p{L}_][\p{L}\p{N}_$]*$/u;

/** `a`, `a.b[2].c`: names only, no call that one could see. */
export function isPlainPath(expression: string): boolean {
  return WHOLE.test(expression.trim());
}

/** The plain path that a text ends in, which may be unfinished; empty where a blank or an opening bracket is last. */
export function begunPath(text: string): string | undefined {
  if (/^$|[\s(,[{]$/.test(text)) return "";
  return BEGUN.exec(text)?.[0];
}

/**
 * A bare word may be a call and a field may be a function, as languages have it. Where the adapter does not promise otherwise, only a
 * variable of the frame is known to be none.
 */
export async function runsNothing(session: Session, expression: string, aim?: Aim): Promise<boolean> {
  const path = expression.trim();
  if (!isPlainPath(path)) return false;
  const { paths } = session.adapter.runsNothing ?? {};
  if (paths === "all") return true;
  const place = await session.focus.place(undefined, aim);
  if (paths === "by-type")
    return mustOnlyLook(place, path).then(
      () => true,
      () => false, // it is then refused with the caller's own reason
    );
  const { debuggee, frame } = place;
  if (frame === undefined || !NAME.test(path)) return false;
  return (await findVariable(session, debuggee, frame.adapterId, path)) !== undefined;
}
