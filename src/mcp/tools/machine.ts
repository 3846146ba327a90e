/** Memory and instructions, for both tools. */
import { SondeError } from "../../errors.ts";
import { isData, textOf } from "../data.ts";
import { type Spoken, stands } from "../stands.ts";
import { type Action, SESSION } from "../tool.ts";

/** A reference with its offset, as commands take it: `main + 4`. */
export function withOffset(reference: string, offset = 0): string {
  return offset === 0 ? reference : `${reference} ${offset < 0 ? "-" : "+"} ${Math.abs(offset)}`;
}

export const WRITE_MEMORY: Action = {
  name: "write_memory",
  stands: [stands("memory write", { address: "memory_reference", bytes: base64, partial: "allow_partial" })],
  required: ["memory_reference", "data"],
  optional: ["offset", "allow_partial", ...SESSION],
  run: (call, { memory_reference = "", data = "", offset, allow_partial: partial }) => {
    const address = withOffset(memory_reference, offset);
    return call.ask("memory write", { address, bytes: fromBase64(data).toString("hex"), partial });
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
  stands: [
    stands("disassemble", {
      address: "memory_reference",
      count: "instruction_count",
      offset: "instruction_offset",
    }),
  ],
  optional: [
    "instruction_count",
    "memory_reference",
    "offset",
    "instruction_offset",
    "resolve_symbols",
    ...SESSION,
  ],
  run: (call, args) => {
    const { memory_reference, instruction_count: count, instruction_offset: offset } = args;
    if (memory_reference === undefined && args.offset !== undefined)
      throw new SondeError("BAD_ARGUMENT", "`offset` goes with `memory_reference`");
    const address = memory_reference === undefined ? undefined : withOffset(memory_reference, args.offset);
    return call.ask("disassemble", { address, count, offset, noSymbols: args.resolve_symbols === false });
  },
};
