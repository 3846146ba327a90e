/** From what a user types to an address: a number, a register, a function, `&x`, a pointer, with `+ bytes` behind it. */
import { DapRequestError } from "../dap/request-error.ts";
import { SondeError } from "../errors.ts";
import type { Place } from "./focus.ts";
import type { Session } from "./session.ts";

const NUMBER = /^(0x[0-9a-f]+|\d+)$/i;
/** gdb writes a type before a pointer: `(int *) 0x7ffe…`, `{int (int)} 0x1139 <add>`. */
const POINTER = /^(?:\([^()]*\)\s*|\{[^{}]*\}\s*)?(0x[0-9a-f]+)\b/i;

/** In the frame in focus, or another. */
export async function addressOf(session: Session, typed: string, place?: Place): Promise<string> {
  const text = typed.trim();
  if (NUMBER.test(text)) return hex(BigInt(text));
  const [, base = "", plus] = /^(.*\S)\s*\+\s*(0x[0-9a-f]+|\d+)$/i.exec(text) ?? [undefined, text];
  const start = NUMBER.test(base)
    ? hex(BigInt(base))
    : await evaluated(place ?? (await session.focus.place()), base);
  return plus === undefined ? start : hex(BigInt(start) + BigInt(plus));
}

/** What a value points to if it is a pointer or a function; otherwise where the value itself is. */
async function evaluated({ debuggee, frame }: Place, expression: string): Promise<string> {
  const body = await debuggee.client
    .request("evaluate", {
      expression,
      context: "watch",
      ...(frame === undefined ? {} : { frameId: frame.adapterId }),
    })
    .catch((error: unknown) => {
      throw evalFailed(expression, error);
    });
  const found = POINTER.exec(body.result)?.[1] ?? body.memoryReference;
  if (found !== undefined && NUMBER.test(found)) return hex(BigInt(found));
  throw new SondeError("BAD_ARGUMENT", `${expression} has no address`, {
    hint: "give an address, a function, or & before a variable",
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
