/** From what a user types to an address: a number, a register, a function, `&x`, a pointer, with `+ bytes` behind it. */
import { advice, blank, call } from "../../advice/advice.ts";
import { DapRequestError } from "../../dap/request-error.ts";
import { SondeError } from "../../errors.ts";
import { cut } from "../../util/text.ts";
import type { Session } from "../session.ts";
import type { Place } from "../stack/focus.ts";
import { isOpenable, plainPath } from "../values/plain-path.ts";

const NUMBER = /^(0x[0-9a-f]+|\d+)$/i;
/** gdb writes a type before a pointer: `(int *) 0x7ffe…`, `{int (int)} 0x1139 <add>`. */
const POINTER = /^(?:\([^()]*\)\s*|\{[^{}]*\}\s*)?(0x[0-9a-f]+)\b/i;

/** In the frame in focus, or another. Nothing of the program runs for it: whoever asks for an address only looks. */
export async function addressOf(session: Session, typed: string, place?: Place): Promise<string> {
  return resolved(session, typed, place, evaluated);
}

/** The same of any expression, which may run code: for what changes the session anyhow. */
export async function addressOfAny(session: Session, typed: string, place?: Place): Promise<string> {
  return resolved(session, typed, place, pointedTo);
}

async function resolved(
  session: Session,
  typed: string,
  place: Place | undefined,
  evaluate: (place: Place, expression: string) => Promise<string>,
): Promise<string> {
  const text = typed.trim();
  if (NUMBER.test(text)) return hex(BigInt(text));
  const [, base = "", sign, plus] = /^(.*\S)\s*([+-])\s*(0x[0-9a-f]+|\d+)$/i.exec(text) ?? [undefined, text];
  const start = NUMBER.test(base)
    ? hex(BigInt(base))
    : await evaluate(place ?? (await session.focus.place()), base);
  if (plus === undefined) return start;
  return hex(BigInt(start) + (sign === "-" ? -BigInt(plus) : BigInt(plus)));
}

/** Refuses an expression that does more than name a place. */
export async function mustOnlyLook(place: Place, expression: string): Promise<void> {
  const path = plainPath(expression);
  if (!path) throw onlyLooks(`\`${cut(expression, 100)}\` is not a plain place in memory`);
  for (const part of path.opened) {
    const { type } = await look(place, part);
    if (type === undefined || !isOpenable(type))
      throw onlyLooks(
        `${cut(part, 100)} is not a pointer or an array, so reading it would run code of its type`,
      );
  }
}

async function evaluated(place: Place, expression: string): Promise<string> {
  await mustOnlyLook(place, expression);
  return pointedTo(place, expression);
}

/** What a value points to if it is a pointer or a function; otherwise where the value itself is. */
async function pointedTo(place: Place, expression: string): Promise<string> {
  const body = await look(place, expression);
  const found =
    POINTER.exec(body.result)?.[1] ??
    (REGISTER.test(expression) ? /^-?\d+$/.exec(body.result)?.[0] : undefined) ??
    body.memoryReference;
  if (found !== undefined && /^-?\d+$/.test(found)) return hex(BigInt.asUintN(64, BigInt(found)));
  if (found !== undefined && NUMBER.test(found)) return hex(BigInt(found));
  if (/^[\p{L}_*]/u.test(expression) && (body.type ?? "") !== "")
    return pointedTo(place, `&(${expression})`).catch(() => Promise.reject(noAddress(expression)));
  throw noAddress(expression);
}

function noAddress(expression: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `${expression} has no address`, {
    hint: "give an address, a function or &variable",
  });
}

const REGISTER = /^\$\w+$/;

function look({ debuggee, frame }: Place, expression: string) {
  return debuggee.client
    .request("evaluate", {
      expression,
      context: "watch",
      ...(frame === undefined ? {} : { frameId: frame.adapterId }),
    })
    .catch((error: unknown) => {
      throw evalFailed(expression, error);
    });
}

function onlyLooks(what: string): SondeError {
  return new SondeError("BAD_ARGUMENT", `${what}; this command only reads`, {
    hint: advice`give an address, a register or a plain path, with an offset if you like (0x7ffe10, $rsp + 8, &a.b[3], p->x); ${call("eval", { expression: blank("expression") })} runs anything else and shows its value`,
  });
}

export function evalFailed(expression: string, error: unknown): unknown {
  if (!(error instanceof DapRequestError)) return error;
  const typed = /^&\((.*)\)$/.exec(expression)?.[1] ?? expression;
  return new SondeError("EVAL_FAILED", `${typed}: ${firstError(error.text)}`, { cause: error });
}

/** Compilers print the expression again, with arrows, under what is wrong with it. */
export function firstError(text: string): string {
  return /\berror: (?:<[^>]*>:\d+:\d+: )?(.+)/.exec(text)?.[1] ?? text;
}

export function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
