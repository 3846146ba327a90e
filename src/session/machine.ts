/** Memory, registers and instructions of the thread in focus. */
import { SondeError } from "../errors.ts";
import { readScopes } from "./frame-values.ts";
import type { Session } from "./session.ts";
import type { ValueLine } from "./value-line.ts";

/** An address as it is; `&x` through the value's own memory reference. */
async function reference(session: Session, address: string): Promise<string> {
  if (/^(0x[0-9a-f]+|\d+)$/i.test(address)) return address;
  const { debuggee, frame } = await session.focus.place();
  const body = await debuggee.client.request("evaluate", {
    expression: address,
    context: "watch",
    ...(frame === undefined ? {} : { frameId: frame.adapterId }),
  });
  const found = body.memoryReference ?? /0x[0-9a-f]+/i.exec(body.result)?.[0];
  if (found) return found;
  throw new SondeError("BAD_ARGUMENT", `${address} has no address`, {
    hint: "give an address, or & before a variable",
  });
}

export async function readMemory(session: Session, address: string, count: number) {
  const { client } = session.focus.debuggee;
  const memoryReference = await reference(session, address);
  const body = await client.request("readMemory", { memoryReference, count });
  return {
    address: body?.address ?? memoryReference,
    hex: Buffer.from(body?.data ?? "", "base64").toString("hex"),
    unreadable: body?.unreadableBytes ?? 0,
  };
}

export async function writeMemory(
  session: Session,
  address: string,
  hex: string,
): Promise<{ written: number }> {
  const digits = hex.replace(/^0x|[\s_]/g, "");
  if (!/^([0-9a-f]{2})+$/i.test(digits))
    throw new SondeError("BAD_ARGUMENT", `\`${hex}\` is not pairs of hex digits`);
  const bytes = Buffer.from(digits, "hex");
  const memoryReference = await reference(session, address);
  const body = await session.focus.debuggee.client.request("writeMemory", {
    memoryReference,
    data: bytes.toString("base64"),
  });
  return { written: body?.bytesWritten ?? bytes.length };
}

export async function dumpRegisters(session: Session, names: readonly string[]): Promise<ValueLine[]> {
  const { debuggee, frame } = await session.focus.place();
  if (!frame) return [];
  const scopes = await readScopes(session, debuggee, frame, 120);
  const all = scopes
    .filter((scope) => scope.kind === "registers" || /register/i.test(scope.name))
    .flatMap((scope) => scope.values);
  return names.length === 0 ? all : all.filter((value) => names.includes(value.name));
}

export async function disassembly(session: Session, address: string | undefined, count: number) {
  const { debuggee, frame } = await session.focus.place();
  const memoryReference =
    address === undefined ? frame?.instructionPointer : await reference(session, address);
  if (memoryReference === undefined)
    throw new SondeError("BAD_ARGUMENT", "this frame has no instruction address; give one");
  const body = await debuggee.client.request("disassemble", {
    memoryReference,
    instructionCount: count,
    resolveSymbols: true,
  });
  return (body?.instructions ?? []).map((one) => ({
    address: one.address,
    text: one.instruction,
    symbol: one.symbol,
    path: one.location?.path,
    line: one.line,
  }));
}
