/** Memory, registers, disassembly and data breakpoints: only where the adapter announces them. */
import * as z from "zod";
import { disassembly, dumpRegisters, readMemory, writeMemory } from "../session/machine.ts";
import { oneLine } from "../util/text.ts";
import { unsupported } from "./breakpoint-commands.ts";
import { command } from "./define.ts";
import { valueLine } from "./shapes.ts";
import { valueText } from "./snapshot-text.ts";
import { lines, shortPath } from "./text.ts";

export const memoryRead = command({
  name: "memory read",
  summary: "bytes at an address or of a variable",
  group: "machine",
  needs: "stopped",
  supports: "supportsReadMemoryRequest",
  effect: "reads",
  args: z.object({
    address: z.string().describe("an address, or &variable"),
    count: z.number().int().positive().max(4096).default(64).describe("how many bytes"),
  }),
  result: z.object({ address: z.string(), hex: z.string(), unreadable: z.number() }),
  cli: { positionals: ["address"] },
  run: ({ session }, { address, count }) => readMemory(session, address, count),
  text: ({ address, hex, unreadable }) => {
    const bytes = hex.match(/../g) ?? [];
    const start = BigInt(address.startsWith("0x") ? address : `0x${address}`);
    const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) => {
      const part = bytes.slice(row * 16, row * 16 + 16);
      const text = part
        .map((byte) =>
          /^(2[0-9a-f]|[3-6].|7[0-9a-e])$/.test(byte) ? String.fromCharCode(Number.parseInt(byte, 16)) : ".",
        )
        .join("");
      return `0x${(start + BigInt(row * 16)).toString(16)}  ${part.join(" ").padEnd(47)}  ${text}`;
    });
    return lines(rows, unreadable > 0 && `(${unreadable} bytes cannot be read)`);
  },
});

export const memoryWrite = command({
  name: "memory write",
  summary: "put bytes at an address or into a variable",
  group: "machine",
  needs: "stopped",
  supports: "supportsWriteMemoryRequest",
  effect: "changes",
  args: z.object({
    address: z.string().describe("an address, or &variable"),
    bytes: z.string().describe("hex digits: 01ff"),
  }),
  result: z.object({ written: z.number() }),
  cli: { positionals: ["address", "bytes"] },
  run: ({ session }, { address, bytes }) => writeMemory(session, address, bytes),
  text: ({ written }) => `wrote ${written} bytes\n`,
});

export const registers = command({
  name: "registers",
  summary: "the processor's registers",
  group: "machine",
  needs: "stopped",
  // Registers come as a scope; only adapters of machine code have it, and those are the ones that disassemble.
  supports: "supportsDisassembleRequest",
  effect: "reads",
  args: z.object({ names: z.array(z.string()).optional().describe("only these") }),
  result: z.object({ registers: z.array(valueLine) }),
  cli: { positionals: ["names"] },
  run: async ({ session }, { names }) => ({ registers: await dumpRegisters(session, names ?? []) }),
  text: (result) => lines(result.registers.map(valueText)),
});

export const disassemble = command({
  name: "disassemble",
  summary: "machine instructions at the current place or an address",
  group: "machine",
  needs: "stopped",
  supports: "supportsDisassembleRequest",
  effect: "reads",
  args: z.object({
    address: z.string().optional().describe("where (default: here)"),
    count: z.number().int().positive().max(500).default(16).describe("how many instructions"),
    source: z.boolean().optional().describe("with source lines"),
  }),
  result: z.object({
    instructions: z.array(
      z.object({
        address: z.string(),
        text: z.string(),
        symbol: z.string().optional(),
        path: z.string().optional(),
        line: z.number().optional(),
      }),
    ),
    source: z.boolean(),
  }),
  cli: { positionals: ["address"] },
  run: async ({ session }, args) => ({
    instructions: await disassembly(session, args.address, args.count),
    source: args.source ?? false,
  }),
  text: ({ instructions, source }, options) =>
    lines(
      instructions.map((one) => {
        const place =
          source && one.path !== undefined ? `  ; ${shortPath(one.path, options.cwd)}:${one.line}` : "";
        return `${one.address}  ${oneLine(one.text)}${place}`;
      }),
    ),
});

const watchResult = z.object({ watches: z.array(z.object({ id: z.number(), expression: z.string() })) });

export const watch = command({
  name: "watch",
  summary: "stop when a variable is written (or read)",
  group: "breakpoints",
  needs: "stopped",
  supports: "supportsDataBreakpoints",
  effect: "changes",
  args: z.object({
    expression: z.string().describe("the variable"),
    read: z.boolean().optional().describe("stop on reads"),
    access: z.boolean().optional().describe("stop on reads and writes"),
    condition: z.string().optional().describe("only when this holds"),
  }),
  result: watchResult,
  cli: { positionals: ["expression"], join: true, expression: true },
  run: async ({ session }) => {
    throw unsupported(session, "supportsDataBreakpoints", "watch");
  },
  text: () => "",
});
