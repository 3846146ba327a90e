/** breakpoint add, list, remove, enable, disable. */
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import {
  type Breakpoint,
  type BreakpointSpec,
  binding,
  called,
} from "../../session/breakpoints/breakpoint.ts";
import { addInstruction } from "../../session/breakpoints/instruction-breakpoints.ts";
import { addressOf } from "../../session/machine/address.ts";
import type { Session } from "../../session/session.ts";
import { oneLine } from "../../util/text.ts";
import { breakpointRow, removedRow } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { addressAs, placeAs } from "../mcp/spellings.ts";
import { currentFile, existing, sourcesOf } from "../running/moving.ts";
import { findText, functionNamed, parseBreak, parseLocation } from "./location.ts";
import { breakpointLine, toRow } from "./text.ts";

/** What a hit count is called in a tool call. */
export const HIT_CONDITION = { mcp: "hit_condition", brief: "5, >=5, %3" };

const rows = z.object({ breakpoints: z.array(breakpointRow) });
/** By where it is; `id` stays what a breakpoint is called by. */
const whereabouts = {
  at: z.string().optional().describe("those at this location: file:line, or a line of the current file"),
  function: z.string().optional().describe("the one on this function"),
  address: z.string().optional().describe("the one at this instruction"),
};
const which = z.object({
  ids: z.array(z.number()).optional().describe("breakpoint numbers"),
  all: z.boolean().optional().describe("every breakpoint"),
});

export const breakpointAdd = command({
  name: "breakpoint add",
  aliases: ["break", "b"],
  summary: "set a breakpoint at a line or function, optionally with a condition, hit count or log message",
  group: "breakpoints",
  skill: true,
  // Also after the end: breakpoints are the session's and hold from the next restart.
  needs: "session",
  effect: "changes",
  args: z.object({
    location: z
      .string()
      .optional()
      .describe("file:line[:column][ if expr], a line of the current file, or a function's name"),
    condition: z.string().optional().describe("stop only when this expression is true"),
    hitCount: z
      .string()
      .optional()
      .describe("stop only at this hit: 5, >=5, %3 (every third)")
      .meta(HIT_CONDITION),
    log: z
      .string()
      .optional()
      .describe("do not stop: print this message, with each {expr} filled in")
      .meta({ brief: "print with {expr}, no stop" }),
    function: z.string().optional().describe("stop when this function is called"),
    once: z.boolean().optional().describe("remove it after the first stop"),
    replace: z
      .boolean()
      .optional()
      .describe("replace the breakpoint at that location; keep the old one if the new one cannot be set"),
    text: z.string().optional().describe("the line that contains this code (location is then the file)"),
    address: z
      .string()
      .optional()
      .describe("stop at an instruction: an address or a function, optionally + a number of bytes, or $pc"),
  }),
  result: rows,
  cli: {
    typed: "break",
    positionals: ["location"],
    join: true,
    short: { function: "f", condition: "c" },
  },
  library: {
    name: "session.breakpoints.add",
    given: ["location"],
    says: 'Set a breakpoint: `"file:line"`, `"file:line if condition"`, or with more options: `{ function: "main" }`.',
  },
  mcp: [
    {
      tool: "debug",
      action: "set_breakpoint",
      spelled: [placeAs("location")],
      takes: ["function", "condition", "hitCount", "log"],
      oneOf: [["line"], ["function"]],
      // To set one again is to change it.
      always: { replace: true },
      advice: { file: 'a place is `file` and `line`, or `file` alone as "file:line"' },
      brief: { as: "…_breakpoint", text: "file+line|function." },
    },
    {
      tool: "debug",
      action: "set_instruction_breakpoint",
      spelled: [addressAs("instruction_reference", true, "or function")],
      takes: ["condition", "hitCount"],
      always: { replace: true },
      brief: { as: "…_instruction_breakpoint", text: "instruction_reference." },
    },
  ],
  examples: [
    "sonde break src/cart.js:40 --condition 'total < 0'",
    "sonde break src/cart.js:40 --log 'total={total}'",
    "sonde break -f Cart.add",
    "sonde break src/cart.js --text 'return total'",
    "sonde break --address main+4",
  ],
  run: async (context, args) => {
    const { session } = context;
    const { replace } = args;
    const details = {
      ...(args.condition === undefined ? {} : { condition: args.condition }),
      ...(args.hitCount === undefined ? {} : { hitCondition: checkHitCount(args.hitCount) }),
      ...(args.log === undefined ? {} : { logMessage: args.log }),
      ...(args.once ? { once: true } : {}),
    };
    const breakpoint =
      args.address === undefined
        ? await session.breakpoints.add({ ...(await placeOf(context, args)), ...details }, { replace })
        : await atAddress(session, { ...args, address: args.address }, { ...details, replace });
    return { breakpoints: [toRow(breakpoint)] };
  },
  text: ({ breakpoints }, options) => lines(breakpoints.map((row) => breakpointLine(row, options))),
});

async function atAddress(
  session: Session,
  args: { address: string; location?: unknown; function?: unknown; log?: unknown },
  details: Partial<BreakpointSpec> & { replace?: boolean | undefined },
): Promise<Breakpoint> {
  if (args.location !== undefined || args.function !== undefined)
    throw new SondeError("BAD_ARGUMENT", advice`give a location or ${named("address")}, not both`);
  if (args.log !== undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("log")} goes with a line, not with ${named("address")}`,
    );
  if (!session.ended && !session.focus.debuggee.capabilities.supportsInstructionBreakpoints)
    throw unsupported(session, "supportsInstructionBreakpoints", "instruction breakpoints");
  return addInstruction(session, args.address, details);
}

async function placeOf(
  context: Context,
  args: { location?: string | undefined; function?: string | undefined; text?: string | undefined },
): Promise<BreakpointSpec> {
  if (args.function !== undefined) {
    if (args.location !== undefined)
      throw new SondeError("BAD_ARGUMENT", advice`give a location or ${named("function")}, not both`);
    return { kind: "function", name: args.function, asked: args.function };
  }
  if (args.location === undefined)
    throw new SondeError("BAD_ARGUMENT", "break where?", {
      hint: advice`${call("breakpoint add", { location: blank("file:line") })}, or ${call("breakpoint add", { function: blank("name") })}`,
    });
  if (args.text !== undefined) return { kind: "line", ...findText(args.location, args.text, context.cwd) };
  const { location, condition } = parseBreak(args.location);
  const name = functionNamed(location, context.cwd);
  if (name !== undefined)
    return { kind: "function", name, asked: name, ...(condition === undefined ? {} : { condition }) };
  const here = /^\d+$/.test(location) ? await currentFile(context.session) : undefined;
  return {
    kind: "line",
    ...parseLocation(location, context.cwd, here, sourcesOf(context.session)),
    ...(condition === undefined ? {} : { condition }),
  };
}

export function checkHitCount(text: string): string {
  if (/^(==|>=|<=|>|<|%)?\s*\d+$/.test(text.trim())) return text.trim();
  throw new SondeError("BAD_ARGUMENT", advice`${named("hitCount")}: \`${text}\` is not a count`, {
    hint: "5, >=5, >5 or %3",
  });
}

export function unsupported(session: Session, capability: string, what: string): SondeError {
  const known = session.adapter.unsupported[capability];
  return new SondeError(
    "UNSUPPORTED",
    `${what}: ${known?.reason ?? `the ${session.adapter.name} adapter does not offer them`}`,
    known ? { hint: known.instead } : {},
  );
}

export const breakpointList = command({
  name: "breakpoint list",
  aliases: ["breakpoints"],
  summary: "list breakpoints with their locations, states and hits",
  group: "breakpoints",
  skill: true,
  needs: "session",
  effect: "reads",
  args: z.object({}),
  result: rows,
  library: { name: "session.breakpoints.list" },
  mcp: { tool: "inspect", action: "breakpoints" },
  run: async (context) => ({ breakpoints: context.session.breakpoints.list().map(toRow) }),
  text: ({ breakpoints }, options) =>
    breakpoints.length === 0
      ? "no breakpoints\n"
      : lines(breakpoints.map((row) => breakpointLine(row, options))),
});

export const breakpointRemove = command({
  name: "breakpoint remove",
  aliases: ["breakpoint delete"],
  summary: "remove breakpoints by number or location, or all",
  group: "breakpoints",
  skill: true,
  needs: "session",
  effect: "changes",
  args: which.extend(whereabouts),
  result: rows.extend({ removed: z.array(removedRow) }),
  cli: { positionals: ["ids"], short: { function: "f" } },
  library: {
    name: "session.breakpoints.remove",
    given: ["ids"],
    says: 'Remove breakpoints by number or location: `2`, `"all"`, `{ at: "app.js:12" }`.',
  },
  mcp: [
    {
      tool: "debug",
      action: "remove_breakpoint",
      spelled: [placeAs("at")],
      takes: ["function"],
      oneOf: [["line"], ["function"]],
    },
    {
      tool: "debug",
      action: "remove_instruction_breakpoint",
      spelled: [addressAs("instruction_reference", true, "or function")],
    },
  ],
  examples: ["sonde breakpoint remove 2", "sonde breakpoint remove --at src/cart.js:40"],
  run: async (context, args) => {
    const chosen = (await chosenByPlace(context, args)) ?? chosenFrom(context.session, args);
    const removed = chosen.map(toRow);
    await context.session.breakpoints.remove(chosen);
    return {
      breakpoints: context.session.breakpoints.list().map(toRow),
      removed: removed.map(({ id, kind, at }) => ({ id, kind, at })),
    };
  },
  text: ({ breakpoints, removed }) =>
    removed.length === 0
      ? "no breakpoints to remove\n"
      : lines(
          removed.map((row) => `removed: ${called(row)} ${oneLine(row.at)}`),
          breakpoints.length > 0 &&
            `left: ${breakpoints.map((row) => `${called(row)} ${oneLine(row.at)}`).join(", ")}`,
        ),
});

function switching(name: "enable" | "disable") {
  return command({
    name: `breakpoint ${name}`,
    library: { name: `session.breakpoints.${name}`, given: ["ids"] },
    summary:
      name === "enable"
        ? "enable breakpoints that were disabled"
        : "keep breakpoints but do not stop at them",
    group: "breakpoints",
    skill: true,
    needs: "session",
    effect: "changes",
    args: which,
    result: rows,
    cli: { positionals: ["ids"] },
    run: async (context, args) => {
      const chosen = chosenFrom(context.session, args);
      await context.session.breakpoints.setEnabled(chosen, name === "enable");
      return { breakpoints: chosen.map(toRow) };
    },
    text: ({ breakpoints }, options) => lines(breakpoints.map((row) => breakpointLine(row, options))),
  });
}

export const breakpointEnable = switching("enable");
export const breakpointDisable = switching("disable");

/** Those at a place: one line may be meant by where it is bound. Nothing if no place is given. */
async function chosenByPlace(
  { session, cwd }: Context,
  args: { at?: string | undefined; function?: string | undefined; address?: string | undefined },
): Promise<Breakpoint[] | undefined> {
  const { at, function: name, address } = args;
  const given = [at, name, address].filter((one) => one !== undefined);
  if (given.length === 0) return undefined;
  if (given.length > 1)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`give one of ${named("at")}, ${named("function")} and ${named("address")}`,
    );
  const all = session.breakpoints.list();
  const found =
    at !== undefined
      ? await atPlace(session, at, cwd)
      : address !== undefined
        ? await atInstruction(session, address)
        : all.filter((one) => one.kind === "function" && one.name === name);
  if (found.length > 0) return found;
  throw new SondeError("BAD_ARGUMENT", `there is no breakpoint at ${given[0]}`, { hint: thereAre(all) });
}

async function atPlace(session: Session, place: string, cwd: string): Promise<Breakpoint[]> {
  const [, file, line = "", column] = /^(?:(.+?):)?(\d+)(?::(\d+))?$/.exec(place.trim()) ?? [];
  const all = session.breakpoints.list().filter((one) => one.kind === "line");
  const onLine = all.filter((one) => [one.line, binding(one)?.line].includes(Number(line)));
  const path = file === undefined ? await currentFile(session) : resolve(cwd, file);
  const inFile = onLine.filter((one) => one.path === path);
  // Without a file, a line that only one file has a breakpoint on is clear enough.
  const found = inFile.length > 0 || file !== undefined ? inFile : onLine;
  if (new Set(found.map((one) => one.path)).size > 1)
    throw new SondeError("BAD_ARGUMENT", `there is more than one at ${place}: in which file?`, {
      hint: thereAre(found),
    });
  const there = found.filter((one) => column === undefined || one.column === Number(column));
  return there.length > 0 ? there : found;
}

async function atInstruction(session: Session, address: string): Promise<Breakpoint[]> {
  const all = session.breakpoints.list().filter((one) => one.kind === "instruction");
  const asked = all.filter((one) => one.asked === address);
  if (asked.length > 0 || all.length === 0) return asked;
  const wanted = BigInt(await addressOf(session, address));
  return all.filter(({ reference }) => reference !== undefined && BigInt(reference) === wanted);
}

function thereAre(all: readonly Breakpoint[]): string {
  return all.length === 0 ? "there are none" : `there are: ${all.map(({ asked }) => asked).join(", ")}`;
}

function chosenFrom(
  session: Session,
  args: { ids?: number[] | undefined; all?: boolean | undefined },
): Breakpoint[] {
  if (args.all) return [...session.breakpoints.list()];
  if (!args.ids || args.ids.length === 0)
    throw new SondeError("BAD_ARGUMENT", "which breakpoint?", {
      hint: advice`give its number, or ${option({ all: true })}`,
    });
  return args.ids.map((id) => existing(session, id));
}
