/** Addresses: breakpoints at them, and the memory, registers and instructions there. */
import { describe, expect, test } from "vitest";
import { binding } from "../../src/session/breakpoints/breakpoint.ts";
import { addInstruction } from "../../src/session/breakpoints/instruction-breakpoints.ts";
import { addressOf } from "../../src/session/machine/address.ts";
import { disassembly, readMemory, writeMemory } from "../../src/session/machine/machine.ts";
import { readRegisters } from "../../src/session/machine/registers.ts";
import { step } from "../../src/session/running/running.ts";
import type { Script, Step } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";
import { sent } from "./sent.ts";

const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsInstructionBreakpoints: true,
  supportsReadMemoryRequest: true,
};
const value = (body: object): Step[] => [{ respond: { variablesReference: 0, ...body } }];

function native(on: Script["on"] = {}, children: Script["on"] = {}): Rig {
  return new Rig({ capabilities, on }, { children: { capabilities, on: children } });
}

describe("an address", () => {
  test.each([
    ["0x10", {}, "0x10"],
    ["16", {}, "0x10"],
    ["0x10 + 0x8", {}, "0x18"],
    ["add", { result: "0x00401139 (a`add at a.c:8:30)" }, "0x401139"],
    ["add+4", { result: "{int (int, int)} 0x401139 <add>" }, "0x40113d"],
    ["pointer", { result: "(int *) 0x7ffe10", memoryReference: "0x7FFE00" }, "0x7ffe10"],
    ["number", { result: "42", memoryReference: "0x7FFE00" }, "0x7ffe00"],
  ])("%s", async (typed, body, address) => {
    const rig = native({ evaluate: value(body) });
    await rig.stopped();
    expect(await addressOf(rig.session, typed)).toBe(address);
  });

  test("is not in every value", async () => {
    const rig = native({ evaluate: value({ result: "42" }) });
    await rig.stopped();
    await expect(addressOf(rig.session, "1 + x")).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("an instruction breakpoint", () => {
  const add = { evaluate: value({ result: "0x401139" }) };

  test("is hit under its number, and named", async () => {
    const stop = { reason: "instruction breakpoint", threadId: 1, hitBreakpointIds: [7] };
    const rig = native({
      ...add,
      setInstructionBreakpoints: [{ respond: { breakpoints: [{ id: 7, verified: true, line: 8 }] } }],
      continue: [{ ack: true }, { event: "stopped", body: stop }],
    });
    await rig.stopped();
    await addInstruction(rig.session, "add+4", {});
    expect(sent(rig, "setInstructionBreakpoints")).toEqual([
      { breakpoints: [{ instructionReference: "0x40113d" }] },
    ]);
    await rig.continue();
    expect((await rig.look()).breakpoints).toEqual([{ id: 2, hit: 1, at: "add+4", kind: "instruction" }]);
  });

  test("that does not hold leaves nothing behind", async () => {
    const rig = native({
      "setInstructionBreakpoints#1": [{ respond: { breakpoints: [{ id: 7, verified: false }] } }],
    });
    await rig.stopped();
    await expect(addInstruction(rig.session, "0x10", {})).rejects.toMatchObject({ code: "BAD_LOCATION" });
    expect(sent(rig, "setInstructionBreakpoints").at(-1)).toEqual({ breakpoints: [] });
    expect(rig.session.breakpoints.list()).toHaveLength(1);
  });

  test("at a number is not put into the next run, one at a name is looked up again", async () => {
    const rig = native(
      {
        ...add,
        setInstructionBreakpoints: [{ respond: { breakpoints: [{ verified: true }, { verified: true }] } }],
      },
      { evaluate: value({ result: "0x402000" }) },
    );
    await rig.stopped();
    await addInstruction(rig.session, "0x10", {});
    await addInstruction(rig.session, "add", {});
    await rig.session.restart();
    expect(sent(rig, "setInstructionBreakpoints", 1)).toEqual([]);
    const { notes } = await rig.stop();
    expect(notes.map(String)).toEqual([
      expect.stringContaining("breakpoint 2 0x10 is not bound: its address was from the run that ended"),
      expect.stringContaining("breakpoint 3 add is active again from here"),
    ]);
    expect(sent(rig, "setInstructionBreakpoints", 1)).toEqual([
      { breakpoints: [{ instructionReference: "0x402000" }] },
    ]);
    expect(rig.session.breakpoints.list().map((one) => binding(one)?.verified)).toEqual([true, false, true]);
  });
});

describe("memory", () => {
  const bytes = (data: string) => Buffer.from(data, "hex").toString("base64");

  test("what cannot be read is counted, whether or not the adapter counts it", async () => {
    const rig = native({ readMemory: [{ respond: { address: "0x10", data: bytes("0102") } }] });
    await rig.stopped();
    expect(await readMemory(rig.session, "0x10", 8)).toEqual({ address: "0x10", hex: "0102", unreadable: 6 });
  });

  test("a write tells what is there then", async () => {
    const rig = native({
      writeMemory: [{ ack: true }],
      readMemory: [{ respond: { address: "0x10", data: bytes("0000") } }],
    });
    await rig.stopped();
    expect(await writeMemory(rig.session, "0x10", "01 ff")).toMatchObject({ written: 2, hex: "0000" });
    expect(sent(rig, "writeMemory")).toEqual([{ memoryReference: "0x10", data: bytes("01ff") }]);
    await expect(writeMemory(rig.session, "0x10", "1")).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("registers", () => {
  const variable = (name: string, of: string, variablesReference = 0) => ({
    name,
    value: of,
    variablesReference,
  });
  const rig = () =>
    native({
      scopes: [{ respond: { scopes: [{ name: "Registers", variablesReference: 5, expensive: false }] } }],
      // The first is the snapshot's: a scope with no hint is read like any other.
      "variables#1": [
        { respond: { variables: [variable("General Purpose", "", 6), variable("Vector", "", 7)] } },
      ],
      variables: [
        { respond: { variables: [variable("rax", "0x0000000000000001"), variable("eax", "0x00000001")] } },
      ],
    });

  test("the general ones whole, the others counted", async () => {
    const one = rig();
    await one.stopped();
    expect(await readRegisters(one.session, { names: [], all: false, aim: {} })).toEqual({
      registers: [{ name: "rax", value: "0x0000000000000001", group: "General Purpose" }],
      more: [
        { group: "General Purpose", count: 1 },
        { group: "Vector", count: 2 },
      ],
    });
  });

  test("by name, as written in any debugger", async () => {
    const one = rig();
    await one.stopped();
    const { registers } = await readRegisters(one.session, { names: ["$EAX"], all: false, aim: {} });
    expect(registers.map(({ name }) => name)).toEqual(["eax"]);
    await expect(readRegisters(one.session, { names: ["r99"], all: false, aim: {} })).rejects.toMatchObject({
      code: "BAD_ARGUMENT",
    });
  });
});

describe("disassembly", () => {
  const frame = { id: 1, name: "main", line: 3, column: 1, instructionPointerReference: "0x401010" };
  const stackTrace: Step[] = [{ respond: { stackFrames: [frame], totalFrames: 1 } }];
  const instruction = (address: string, more = {}) => ({ address, instruction: "nop ", ...more });

  test("around the frame's instruction, with offsets into the function", async () => {
    const rig = native({
      stackTrace,
      evaluate: value({ result: "0x401000" }),
      disassemble: [
        {
          respond: {
            instructions: [
              instruction("-1", { presentationHint: "invalid" }),
              instruction("0x40100F"),
              instruction("0x401010"),
              instruction("0x401020", { symbol: "next" }),
            ],
          },
        },
      ],
    });
    await rig.open(3);
    await rig.stop();
    const { pc, instructions } = await disassembly(rig.session, undefined, { count: 4 });
    expect(sent(rig, "disassemble")[0]).toMatchObject({ memoryReference: "0x401010" });
    expect(pc).toBe("0x401010");
    expect(instructions.map(({ address, symbol }) => `${address} ${symbol}`)).toEqual([
      "0x40100f main+15",
      "0x401010 main+16",
      "0x401020 next",
    ]);
  });

  test("from it on, where the adapter cannot count back", async () => {
    const rig = native({
      stackTrace,
      "disassemble#1": [{ fail: "no" }],
      disassemble: [{ respond: { instructions: [instruction("0x401010")] } }],
    });
    await rig.open(3);
    await rig.stop();
    const { instructions } = await disassembly(rig.session, undefined, { count: 4 });
    expect(instructions).toEqual([{ address: "0x401010", text: "nop" }]);
  });

  test("a step within a line shows the instruction, at every look; one to another line does not", async () => {
    const at = (line: number, pointer: string): Step[] => [
      {
        respond: {
          stackFrames: [{ ...frame, line, instructionPointerReference: pointer }],
          totalFrames: 1,
        },
      },
    ];
    const rig = new Rig({
      capabilities: { ...capabilities, supportsDisassembleRequest: true },
      on: {
        "stackTrace#1": at(3, "0x401010"),
        "stackTrace#2": at(3, "0x401012"),
        "stackTrace#3": at(4, "0x401014"),
        disassemble: [{ respond: { instructions: [instruction("0x401012")] } }],
      },
    });
    await rig.open(3);
    expect((await rig.stop()).instruction).toBeUndefined();
    await step(rig.session, { kind: "next" });
    expect((await rig.stop()).instruction).toBe("0x401012  nop");
    expect((await rig.look()).instruction).toBe("0x401012  nop");
    await step(rig.session, { kind: "next" });
    expect((await rig.stop()).instruction).toBeUndefined();
  });
});
