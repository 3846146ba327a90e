/** Memory and instructions, for both tools. */
import type { CallResult } from "../../client/client.ts";
import { SondeError } from "../../errors.ts";
import type { Arguments } from "../arguments.ts";
import { isData, listIn, textOf } from "../data.ts";
import { type Spoken, stands } from "../stands.ts";
import { type Action, type Call, SESSION } from "../tool.ts";

const NUMBER = /^(0x[\da-f]+|\d+)$/i;

/** A reference with its offset: as a number where it is one, otherwise as commands take it (`main + 4`). */
function withOffset(reference: string, offset = 0): string {
  if (offset === 0) return reference;
  if (NUMBER.test(reference)) return `0x${(BigInt(reference) + BigInt(offset)).toString(16)}`;
  if (offset > 0) return `${reference} + ${offset}`;
  throw new SondeError("BAD_ARGUMENT", `a negative offset needs an address, and ${reference} is none`);
}

/** The address of an instruction, as a number. */
export async function addressed(call: Call, reference: string, offset?: number): Promise<string> {
  const typed = withOffset(reference, offset);
  if (NUMBER.test(typed)) return typed;
  const { data } = await call.ask("disassemble", { address: typed, count: 1 });
  return textOf(listIn(data, "instructions")[0]?.address) || typed;
}

export const WRITE_MEMORY: Action = {
  name: "write_memory",
  stands: [stands("memory write", { address: "memory_reference", bytes: base64 })],
  required: ["memory_reference", "data"],
  optional: ["offset", "allow_partial", ...SESSION],
  run: async (call, args) => {
    const { memory_reference = "", data = "", offset, allow_partial } = args;
    const bytes = fromBase64(data);
    const address = withOffset(memory_reference, offset);
    if (!allow_partial) return call.ask("memory write", { address, bytes: bytes.toString("hex") });
    return writePartly(call, address, bytes);
  },
};

function base64(hex: unknown): Spoken | undefined {
  const plain = String(hex).replace(/\s/g, "");
  return /^([\da-f]{2})+$/i.test(plain) ? { data: Buffer.from(plain, "hex").toString("base64") } : undefined;
}

function fromBase64(text: string): Buffer {
  const plain = text.replace(/\s/g, "");
  if (plain === "" || !/^[\w+/-]+={0,2}$/.test(plain))
    throw new SondeError("BAD_ARGUMENT", "`data` must be base64 of at least one byte");
  return Buffer.from(plain, "base64");
}

/** The plain command writes all or fails; how much went in is the adapter's to say. */
async function writePartly(call: Call, address: string, bytes: Buffer): Promise<CallResult> {
  const { data } = await call.ask("memory read", { address, count: 1 });
  const memoryReference = isData(data) ? textOf(data.address) : address;
  const { data: answer } = await call.ask("request", {
    command: "writeMemory",
    arguments: JSON.stringify({ memoryReference, data: bytes.toString("base64"), allowPartial: true }),
  });
  const body = isData(answer) && isData(answer.body) ? answer.body : {};
  const written = typeof body.bytesWritten === "number" ? body.bytesWritten : bytes.length;
  const after = await call.ask("memory read", { address: memoryReference, count: bytes.length });
  return {
    data: { written, ...(isData(after.data) ? after.data : {}) },
    text: `wrote ${written} of ${bytes.length} bytes\n${after.text}`,
  };
}

export const READ_MEMORY: Action = {
  name: "read_memory",
  stands: [stands("memory read", { address: "memory_reference", count: "count" })],
  required: ["memory_reference", "count"],
  optional: ["offset", ...SESSION],
  run: async (call, { memory_reference = "", count, offset }) => {
    const { data, text } = await call.ask("memory read", {
      address: withOffset(memory_reference, offset),
      count,
    });
    if (!isData(data)) return { data, text };
    return { text, data: { ...data, data: Buffer.from(textOf(data.hex), "hex").toString("base64") } };
  },
};

export const DISASSEMBLE: Action = {
  name: "disassemble",
  stands: [stands("disassemble", { address: "memory_reference", count: "instruction_count" })],
  optional: [
    "instruction_count",
    "memory_reference",
    "offset",
    "instruction_offset",
    "resolve_symbols",
    ...SESSION,
  ],
  run: async (call, args) => {
    const { memory_reference, instruction_count: count, offset } = args;
    if (memory_reference === undefined && offset !== undefined)
      throw new SondeError("BAD_ARGUMENT", "`offset` goes with `memory_reference`");
    const address = memory_reference === undefined ? undefined : withOffset(memory_reference, offset);
    const special = args.instruction_offset !== undefined || args.resolve_symbols !== undefined;
    return special ? asAsked(call, args, address) : call.ask("disassemble", { address, count });
  },
};

/** By the adapter's own request, which alone counts from another instruction or leaves names out. */
async function asAsked(call: Call, args: Arguments, address: string | undefined): Promise<CallResult> {
  const { data: here } = await call.ask("disassemble", { address, count: 1 });
  const pc = isData(here) ? textOf(here.pc) : "";
  const first = textOf(listIn(here, "instructions")[0]?.address);
  const { data } = await call.ask("request", {
    command: "disassemble",
    arguments: JSON.stringify({
      memoryReference: address === undefined ? pc || first : first,
      instructionCount: args.instruction_count ?? 16,
      instructionOffset: args.instruction_offset ?? 0,
      resolveSymbols: args.resolve_symbols ?? true,
    }),
  });
  const found = listIn(isData(data) ? data.body : undefined, "instructions");
  const instructions = found.map(({ address, instruction, symbol }) => ({
    address: textOf(address),
    text: textOf(instruction).trim().replace(/\s+/g, " "),
    ...(args.resolve_symbols === false || typeof symbol !== "string" ? {} : { symbol }),
  }));
  const lines = instructions.map(
    (one) =>
      `${sameAddress(one.address, pc) ? "->" : "  "} ${one.address}  ${one.symbol ? `${one.symbol}  ` : ""}${one.text}`,
  );
  return { data: { pc, instructions }, text: `${lines.join("\n")}\n` };
}

function sameAddress(a: string, b: string): boolean {
  return NUMBER.test(a) && NUMBER.test(b) && BigInt(a) === BigInt(b);
}
