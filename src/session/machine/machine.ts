/** Memory and instructions of the debuggee in focus. */
import { SondeError } from "../../errors.ts";
import { changedByUs } from "../breakpoints/watched-values.ts";
import type { Session } from "../session.ts";
import type { Place } from "../stack/focus.ts";
import { fileLines } from "../stack/source.ts";
import { addressOf, evalFailed } from "./address.ts";

export interface Memory {
  address: string;
  hex: string;
  /** How many of the bytes asked for cannot be read; they follow those that can. */
  unreadable: number;
}

export async function readMemory(session: Session, typed: string, count: number): Promise<Memory> {
  const memoryReference = await addressOf(session, typed);
  const body = await session.focus.debuggee.client.request("readMemory", { memoryReference, count });
  const bytes = Buffer.from(body?.data ?? "", "base64").subarray(0, count);
  return {
    address: memoryReference,
    hex: bytes.toString("hex"),
    unreadable: count - bytes.length,
  };
}

/** What was written is read back: memory may be mapped so that a write leaves it as it was. */
export async function writeMemory(
  session: Session,
  typed: string,
  digits: string,
  { partial = false }: { partial?: boolean | undefined } = {},
): Promise<Memory & { written: number }> {
  const plain = digits.replace(/0x|[\s_,]/gi, "");
  if (!/^([0-9a-f]{2})+$/i.test(plain))
    throw new SondeError("BAD_ARGUMENT", `\`${digits}\` is not pairs of hex digits`, {
      hint: "write the bytes in address order: 2a 00 00 00",
    });
  const { debuggee } = session.focus;
  const bytes = Buffer.from(plain, "hex");
  const address = await addressOf(session, typed);
  const body = await debuggee.client.request("writeMemory", {
    memoryReference: address,
    data: bytes.toString("base64"),
    ...(partial ? { allowPartial: true } : {}),
  });
  await changedByUs(session, debuggee);
  const written = body?.bytesWritten ?? bytes.length;
  if (!debuggee.capabilities.supportsReadMemoryRequest)
    return { written, address, hex: bytes.toString("hex"), unreadable: 0 };
  return { written, ...(await readMemory(session, address, bytes.length)) };
}

export interface Instruction {
  address: string;
  text: string;
  bytes?: string;
  /** The function it belongs to and how far into it, where known: `main+12`. */
  symbol?: string;
  path?: string;
  line?: number;
  source?: string;
}

export interface Disassembly {
  /** Where the frame in focus stands. */
  pc?: string;
  instructions: Instruction[];
  /** The function goes on behind these. */
  goesOn?: boolean;
}

/** Of a function that is shown because nobody said how much. */
const WHOLE = 150;
const AROUND = 16;

/** Around the frame's own instruction, or from an address on; without a count the whole function, where its bounds are known. */
export async function disassembly(
  session: Session,
  typed: string | undefined,
  { count: asked, offset }: { count?: number | undefined; offset?: number | undefined } = {},
): Promise<Disassembly> {
  const place = await session.focus.place();
  const pointer = place.frame?.instructionPointer;
  const pc = pointer === undefined ? undefined : await addressOf(session, pointer, place);
  const start = typed === undefined ? pc : await addressOf(session, typed, place);
  if (start === undefined)
    throw new SondeError("BAD_ARGUMENT", "this frame has no instruction address; give one");
  const name = typed === undefined ? place.frame?.name.replace(/\(.*$/, "") : typed.replace(/\s*\+.*$/, "");
  if (offset !== undefined) {
    const found = await instructionsFrom(place, start, asked ?? AROUND, offset);
    const inside = await functionStart(session, place, found, name);
    return { ...(pc === undefined ? {} : { pc }), instructions: withSymbols(found, inside) };
  }
  if (asked === undefined) {
    const whole = await wholeFunction(place, start);
    if (whole) return { ...(pc === undefined ? {} : { pc }), ...whole };
  }
  const count = asked ?? AROUND;
  const before = typed === undefined ? Math.floor((count - 1) / 2) : 0;
  const found = await instructionsAt(place, await countedBack(place, start, before), count);
  const inside = await functionStart(session, place, found, name);
  return { ...(pc === undefined ? {} : { pc }), instructions: withSymbols(found, inside) };
}

/**
 * So many instructions back, as far as the function goes. They are counted from its start on: what lies before an address can be
 * read as other instructions than those that run.
 */
async function countedBack(place: Place, start: string, before: number): Promise<string> {
  const { instructions = [] } = (before > 0 && (await wholeFunction(place, start))) || {};
  const here = instructions.findIndex((one) => one.address === start);
  return instructions[Math.max(0, here - before)]?.address ?? start;
}

/** Those before an address are counted from the function's start where it is far enough back. */
async function instructionsFrom(place: Place, start: string, count: number, offset: number) {
  const { instructions = [] } = (offset < 0 && (await wholeFunction(place, start))) || {};
  const first = instructions[instructions.findIndex((one) => one.address === start) + offset];
  return first && BigInt(first.address) < BigInt(start)
    ? instructionsAt(place, first.address, count)
    : instructionsAt(place, start, count, offset);
}

/** From its first instruction to the next function's: adapters name a function there. */
async function wholeFunction(
  place: Place,
  inside: string,
): Promise<Pick<Disassembly, "instructions" | "goesOn"> | undefined> {
  const isStart = (one: Instruction) => one.symbol !== undefined && !/\+(?:0x)?0*[1-9a-f]/i.test(one.symbol);
  const back = await instructionsAt(place, inside, WHOLE, 1 - WHOLE).catch(() => []);
  const known = [...back, ...(await instructionsAt(place, inside, 1).catch(() => []))];
  const before = known.filter((one) => BigInt(one.address) <= BigInt(inside) && isStart(one));
  const first = before.at(-1);
  if (!first) return undefined;
  const found = await instructionsAt(place, first.address, WHOLE + 1);
  const isLast = !found.some((one, at) => at > 0 && isStart(one));
  const end = found.findIndex((one, at) => at > 0 && (isStart(one) || isPadding(one, found[at - 1], isLast)));
  const own = found.slice(0, end < 0 ? WHOLE : end);
  // Counting back may begin in the middle of an instruction: then what is shown must still hold the one that was asked for.
  if (!own.some((one) => BigInt(one.address) === BigInt(inside))) return undefined;
  const goesOn = end < 0 && found.length > WHOLE;
  return { instructions: withSymbols(own, undefined), ...(goesOn ? { goesOn } : {}) };
}

/** Sections begin at multiples of it. */
const ALIGNED = 4n;

/**
 * Zeros behind the last function of a section. A single one is read together with the beginning of the next section, whose first function
 * is then not recognized.
 */
function isPadding(
  { address, bytes = "" }: Instruction,
  before: Instruction | undefined,
  isLast: boolean,
): boolean {
  if (!/^(ret|jmp|hlt|ud2)/.test(before?.text ?? "")) return false;
  return (
    /^(00 ?){2,}$/.test(bytes) || (isLast && /^00/.test(bytes) && (BigInt(address) + 1n) % ALIGNED === 0n)
  );
}

export async function instructionsAt(
  { debuggee }: Place,
  memoryReference: string,
  instructionCount: number,
  instructionOffset = 0,
): Promise<Instruction[]> {
  const body = await debuggee.client
    .request("disassemble", {
      memoryReference,
      instructionCount,
      ...(instructionOffset === 0 ? {} : { instructionOffset }),
      resolveSymbols: true,
    })
    .catch((error: unknown) => {
      throw evalFailed(memoryReference, error);
    });
  let path: string | undefined;
  return (body?.instructions ?? [])
    .filter((one) => one.presentationHint !== "invalid" && /^(0x)?[0-9a-f]+$/i.test(one.address))
    .map((one) => {
      // A location is given where it changes.
      path = one.location?.path ?? path;
      const { line } = one;
      const source = path === undefined || line === undefined ? undefined : fileLines(path)?.[line - 1];
      return {
        address: `0x${BigInt(one.address.replace(/^(0x)?/i, "0x")).toString(16)}`,
        text: one.instruction.trim().replace(/\s+/g, " "),
        ...(one.instructionBytes === undefined ? {} : { bytes: one.instructionBytes.trim() }),
        ...(one.symbol === undefined ? {} : { symbol: one.symbol }),
        ...(path === undefined || line === undefined ? {} : { path, line }),
        ...(source === undefined ? {} : { source: source.trim() }),
      };
    });
}

/** Adapters name a function at its first instruction, which may lie before those asked for. */
async function functionStart(
  session: Session,
  place: Place,
  found: readonly Instruction[],
  name: string | undefined,
): Promise<{ name: string; address: bigint } | undefined> {
  const [first] = found;
  if (!first || first.symbol !== undefined || name === undefined || !/^[\p{L}_]/u.test(name))
    return undefined;
  const start = await addressOf(session, name, place).catch(() => undefined);
  if (start === undefined || BigInt(start) > BigInt(first.address)) return undefined;
  return { name, address: BigInt(start) };
}

function withSymbols(
  found: readonly Instruction[],
  start: { name: string; address: bigint } | undefined,
): Instruction[] {
  let current = start;
  return found.map((one) => {
    const [, plain, within] = /^(.+?)(?:\s*\+\s*(0x[0-9a-f]+|\d+))?$/i.exec(one.symbol ?? "") ?? [];
    if (plain !== undefined && plain !== current?.name)
      current = { name: plain, address: BigInt(one.address) - BigInt(within ?? 0) };
    if (!current) return one;
    const offset = BigInt(one.address) - current.address;
    return { ...one, symbol: `${current.name}${offset === 0n ? "" : `+${offset}`}` };
  });
}
