/** Memory, registers and disassembly: only where the adapter announces them. */
import * as z from "zod";
import { advice, blank, call } from "../../advice/advice.ts";
import { type Disassembly, disassembly, readMemory, writeMemory } from "../../session/machine/machine.ts";
import { readRegisters } from "../../session/machine/registers.ts";
import { oneLine } from "../../util/text.ts";
import { lines, shortPath, type TextOptions } from "../answers/text.ts";
import { command } from "../define.ts";
import { addressAs, BYTES, SYMBOLS } from "../mcp/spellings.ts";
import { aimed, aimOf } from "./aim.ts";
import { dump, MEMORY_FORMATS, memoryLines } from "./memory-text.ts";

const memory = { address: z.string(), hex: z.string(), unreadable: z.number() };
const address = z
  .string()
  .describe("an address, &variable, a pointer or a variable, optionally + a number of bytes");

function unreadableLine(address: string, hex: string, unreadable: number): string | false {
  if (unreadable === 0) return false;
  const from = BigInt(address) + BigInt(hex.length / 2);
  return `0x${from.toString(16)}  ${unreadable} bytes cannot be read`;
}

export const memoryRead = command({
  name: "memory read",
  summary: "show the bytes at an address or of a variable",
  group: "machine",
  needs: "stopped",
  supports: "supportsReadMemoryRequest",
  effect: "reads",
  args: z.object({
    address,
    count: z.number().int().positive().max(4096).default(64).describe("how many bytes"),
    format: z.enum(MEMORY_FORMATS).default("hex").describe("a dump, numbers (i32: signed, 32 bits) or text"),
  }),
  result: z.object({
    ...memory,
    data: z.string().describe("the bytes, in base64"),
    format: z.enum(MEMORY_FORMATS),
  }),
  cli: { positionals: ["address"], join: true },
  library: { name: "session.memory.read", given: ["address"] },
  mcp: {
    tool: "inspect",
    action: "read_memory",
    spelled: [addressAs("memory_reference", true, "or &variable")],
    takes: ["count"],
    brief: "memory_reference, count.",
  },
  examples: ["sonde memory read '&total' --count 4", "sonde memory read 0x7ffe1000 --format i32"],
  run: async ({ session }, args) => {
    const read = await readMemory(session, args.address, args.count);
    return { ...read, data: Buffer.from(read.hex, "hex").toString("base64"), format: args.format };
  },
  text: ({ address, hex, unreadable, format }) =>
    lines(memoryLines(address, hex, format), unreadableLine(address, hex, unreadable)),
});

export const memoryWrite = command({
  name: "memory write",
  summary: "write bytes to an address or a variable, and show the result",
  group: "machine",
  needs: "stopped",
  supports: "supportsWriteMemoryRequest",
  effect: "changes",
  args: z.object({
    address,
    bytes: z.string().describe("hex digits: 01ff, or 01 ff"),
    partial: z
      .boolean()
      .optional()
      .describe("write as many of them as possible")
      .meta({ mcp: "allow_partial" }),
  }),
  result: z.object({ written: z.number(), ...memory }),
  cli: { positionals: ["address", "bytes"], join: true, long: ["bytes"] },
  library: { name: "session.memory.write", given: ["address", "bytes"] },
  mcp: {
    tool: "debug",
    action: "write_memory",
    spelled: [addressAs("memory_reference", true, "or &variable"), BYTES],
    takes: ["partial"],
    brief: "memory_reference, data.",
  },
  examples: ["sonde memory write '&total' 2a000000"],
  run: ({ session }, { address, bytes, partial }) => writeMemory(session, address, bytes, { partial }),
  text: ({ written, address, hex, unreadable }) =>
    lines(`wrote ${written} bytes`, dump(address, hex), unreadableLine(address, hex, unreadable)),
});

export const registers = command({
  name: "registers",
  summary: "show the processor's general-purpose registers, or those you name",
  group: "machine",
  needs: "stopped",
  // Registers come as a scope; only adapters of machine code have it, and those are the ones that disassemble.
  supports: "supportsDisassembleRequest",
  effect: "reads",
  args: z.object({
    names: z.array(z.string()).optional().describe("only these registers, or groups of them"),
    all: z.boolean().optional().describe("also parts of registers, floating point and vectors"),
    ...aimed,
  }),
  result: z.object({
    registers: z.array(z.object({ name: z.string(), value: z.string(), group: z.string().exactOptional() })),
    more: z.array(z.object({ group: z.string(), count: z.number() })),
  }),
  cli: { positionals: ["names"] },
  library: { name: "session.registers" },
  mcp: { tool: "inspect", action: "registers", takes: ["names", "frame", "thread"] },
  examples: ["sonde registers", "sonde registers rip rsp"],
  run: ({ session }, { names, all, ...aim }) =>
    readRegisters(session, { names: names ?? [], all: all ?? false, aim: aimOf(aim) }),
  text: ({ registers, more }, { say }) =>
    lines(
      columns(registers.map(({ name, value }) => `${oneLine(name)} = ${shortNumber(oneLine(value))}`)),
      more.length > 0 &&
        say(
          advice`(not shown: ${more.map(({ group, count }) => `${count} of ${oneLine(group)}`).join(", ")}; ${call("registers", { names: [blank("group")] })} shows those)`,
        ),
    ),
});

/** A register's leading zeros say nothing. */
function shortNumber(value: string): string {
  return value.replace(/^0x0+(?=[0-9a-f]+\b)/i, "0x");
}

/** Short ones side by side, three a line. */
function columns(entries: readonly string[]): string[] {
  const short = entries.filter((entry) => entry.length <= 30);
  const long = entries.filter((entry) => entry.length > 30);
  const rows = Array.from({ length: Math.ceil(short.length / 3) }, (_, row) =>
    short
      .slice(row * 3, row * 3 + 3)
      .map((entry) => entry.padEnd(30))
      .join("")
      .trimEnd(),
  );
  return [...rows, ...long];
}

const instruction = z.object({
  address: z.string(),
  text: z.string(),
  bytes: z.string().exactOptional(),
  symbol: z.string().exactOptional(),
  path: z.string().exactOptional(),
  line: z.number().exactOptional(),
  source: z.string().exactOptional(),
});

export const disassemble = command({
  name: "disassemble",
  summary: "show the machine instructions of the current function, or from an address on",
  group: "machine",
  needs: "stopped",
  supports: "supportsDisassembleRequest",
  effect: "reads",
  args: z.object({
    address: z.string().optional().describe("where: an address, a function, $pc (default: here)"),
    count: z
      .number()
      .int()
      .positive()
      .max(500)
      .optional()
      .describe("how many instructions (default: the whole function, or 16 if its bounds are not known)")
      .meta({ mcp: "instruction_count" }),
    offset: z
      .number()
      .int()
      .optional()
      .describe("start this many instructions later (-4: earlier)")
      .meta({ mcp: "instruction_offset" }),
    source: z.boolean().optional().describe("show the source lines too"),
    noSymbols: z.boolean().optional().describe("leave out the names of functions"),
  }),
  result: z.object({
    pc: z.string().exactOptional(),
    instructions: z.array(instruction),
    goesOn: z.boolean().exactOptional().describe("the function goes on behind these"),
    withSource: z.boolean(),
  }),
  cli: { positionals: ["address"], join: true },
  library: { name: "session.disassemble" },
  mcp: {
    tool: "inspect",
    action: "disassemble",
    spelled: [addressAs("memory_reference", false, "or &variable"), SYMBOLS],
    takes: ["count", "offset"],
    brief: "this function.",
  },
  examples: ["sonde disassemble --source", "sonde disassemble main --count 8"],
  run: async ({ session }, { address, count, offset, source = false, noSymbols }) => {
    const found = await disassembly(session, address, { count, offset });
    const instructions = noSymbols
      ? found.instructions.map(({ symbol: _, ...one }) => one)
      : found.instructions;
    return { ...found, instructions, withSource: source };
  },
  text: ({ withSource, ...result }, options) =>
    lines(
      instructionLines(result, withSource, options),
      result.goesOn &&
        options.say(
          advice`(+ more of this function: ${call("disassemble", { address: result.instructions.at(-1)?.address, count: 200 })})`,
        ),
    ),
});

function instructionLines(
  { pc, instructions }: Disassembly,
  source: boolean,
  options: TextOptions,
): string[] {
  const width = Math.max(0, ...instructions.map((one) => one.symbol?.length ?? 0));
  let place = "";
  return instructions.flatMap((one) => {
    const at = one.path === undefined ? place : `${shortPath(one.path, options.cwd)}:${one.line}`;
    const heading = source && at !== place ? [`${at}  ${oneLine(one.source ?? "")}`.trimEnd()] : [];
    place = at;
    const arrow = one.address === pc ? "->" : "  ";
    const symbol = width === 0 ? "" : `${oneLine(one.symbol ?? "").padEnd(width)}  `;
    return [...heading, `${arrow} ${one.address}  ${symbol}${oneLine(one.text)}`];
  });
}
