/** agent break …: where a run is to be held. */
import * as z from "zod";
import { advice, call, type Told } from "../../advice/advice.ts";
import { BREAKPOINT_KINDS, type BreakpointKind } from "../../agent/core/commands.ts";
import { glob } from "../../agent/core/pattern.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, type Scope } from "./choosing.ts";
import { ask } from "./control.ts";
import { agent, dir, runState, seconds } from "./shapes.ts";
import { nextLine, stateText } from "./stop-text.ts";
import { nextStop } from "./waiting.ts";

const breakpoint = z.object({
  id: z.union([z.number(), z.string()]),
  about: z.string(),
  enabled: z.boolean(),
  hits: z.number(),
  log: z.boolean().describe("it is only recorded, never held"),
});
type Breakpoint = z.infer<typeof breakpoint>;

/** Agents of other makes describe theirs in other words. */
function read(value: unknown): Breakpoint {
  const one = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const { id, about, enabled, hits, log, ...rest } = one;
  return {
    id: typeof id === "number" || typeof id === "string" ? id : "?",
    about: typeof about === "string" ? about : JSON.stringify(rest),
    enabled: enabled !== false,
    hits: typeof hits === "number" ? hits : 0,
    log: log === true,
  };
}

/** `hits`: also when there are none. */
function rowText({ id, about, enabled, hits, log }: Breakpoint, counted = false): string {
  const notes = [
    ...(log ? ["only recorded"] : []),
    ...(hits > 0 || counted ? [plural(hits, "hit")] : []),
    ...(enabled ? [] : ["disabled"]),
  ];
  return oneLine(`breakpoint ${id}: ${about}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`);
}

/** What the value of each kind is. */
const TAKES: Record<BreakpointKind, "name" | "count" | "regex" | undefined> = {
  tool: "name",
  iteration: "count",
  pattern: "regex",
  error: undefined,
  stop_reason: "name",
  repeat: "count",
  tokens: "count",
  cost: "count",
  subagent: undefined,
  compaction: undefined,
};

export function conditionOf(on: BreakpointKind, value: string | undefined): Record<string, string | number> {
  const takes = TAKES[on];
  if (value === undefined) {
    if (takes === undefined || OPTIONAL.includes(on)) return {};
    throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${on} needs ${NEEDS[takes]}`, {
      hint: exampleOf(on),
    });
  }
  if (takes === undefined)
    throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${on} takes no value`, { hint: exampleOf(on) });
  if (takes === "regex") checkPattern(value);
  if (takes !== "count") return { [takes]: value };
  const count = Number(value.replaceAll("_", ""));
  if (count > 0) return { count };
  throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${on} takes a number, not \`${value}\``, {
    hint: exampleOf(on),
  });
}

const NEEDS = { name: "a name", count: "a number", regex: "a regular expression" };
/** Any stop reason; three times the same. */
const OPTIONAL: readonly BreakpointKind[] = ["stop_reason", "repeat"];

const EXAMPLES: Partial<Record<BreakpointKind, string>> = {
  tool: "Bash",
  pattern: "rm -rf",
  iteration: "20",
  repeat: "3",
  tokens: "200000",
  cost: "2.50",
  stop_reason: "max_tokens",
};

function exampleOf(on: BreakpointKind): Told {
  const value = EXAMPLES[on];
  return advice`as in ${call("agent break add", { on, ...(value === undefined ? {} : { value }) })}`;
}

/** One may be written for an engine without the `u` flag. */
function checkPattern(source: string): void {
  try {
    new RegExp(source);
  } catch (thrown) {
    const escaped = source.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    throw new SondeError("BAD_ARGUMENT", (thrown as Error).message, {
      hint: advice`to match a special character itself, put a backslash before it: ${call("agent break add", { on: "pattern", value: escaped })}`,
    });
  }
}

/** What an agent's tools are called, as far as it has told a model. */
async function unknownTool(context: Context, scope: Scope, pattern: string): Promise<Told[]> {
  const { tools } = await ask(context, scope, "inspect", { what: "tools" });
  const { enabled } = (typeof tools === "object" && tools !== null ? tools : {}) as { enabled?: unknown };
  const names = Array.isArray(enabled) ? enabled.map(String) : [];
  if (names.length === 0 || names.some((name) => glob(pattern).test(name))) return [];
  const near = closest(pattern, names);
  const list = cut(oneLine(names.join(", ")), 400);
  return [
    `this agent has no tool of that name${near === undefined ? "" : ` (did you mean ${oneLine(near)}?)`}; it has ${list}`,
  ];
}

export const breakAdd = command({
  name: "agent break add",
  aliases: ["agent break"],
  summary:
    "set a breakpoint that holds the agent: before a tool runs, at an iteration (a call to the model), after an error …",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    on: z.enum(BREAKPOINT_KINDS).describe("what to hold the agent at"),
    value: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        "tool: a name, with * and ?; pattern: a regular expression on a tool's input; iteration, repeat, tokens, cost: a number; stop_reason: a name",
      )
      .meta({ brief: "tool name (glob), regex, or number" }),
    of: z.enum(["turn", "session"]).optional().describe("iteration: counted in the turn, or in the session"),
    ignore: z.number().int().nonnegative().optional().describe("ignore this many hits first"),
    once: z.boolean().optional().describe("only the first time"),
    log: z.boolean().optional().describe("only record it, never hold"),
    ignoreCase: z.boolean().optional().describe("pattern: ignore case"),
    agent,
    wait: z.boolean().optional().describe("then wait until something is held, and show it"),
    timeout: seconds.describe("with --wait: how many seconds at most (default 300)"),
    dir,
  }),
  result: z.object({
    breakpoint,
    warnings: z.array(told()),
    state: runState.exactOptional().describe("with `wait`: what is held"),
    next: z.array(told()),
  }),
  cli: { positionals: ["on", "value"] },
  mcp: {
    tool: "agent",
    action: "break_add",
    takes: ["on", "value", "of", "ignore", "once", "log", "ignoreCase", "agent", "wait", "timeout"],
    ofSession: true,
    brief: "hold before a tool, at an iteration …",
  },
  examples: [
    "sonde agent break add tool Bash",
    "sonde agent break add pattern 'rm -rf|DROP TABLE' --wait",
    "sonde agent break add iteration 20 --of session",
    "sonde agent break add repeat 3",
  ],
  run: async (context, args) => {
    const { on, value, of, ignore, once, log, ignoreCase, agent: who } = args;
    const scope = await runToControl(context, args);
    const { breakpoint: made } = await ask(context, scope, "breakpoint", {
      action: "add",
      on,
      ...conditionOf(on, value),
      of,
      ignore,
      once,
      log,
      ignoreCase,
      agent: who,
    });
    const warnings = on === "tool" && value !== undefined ? await unknownTool(context, scope, value) : [];
    if (!args.wait) {
      const next: Told[] = log ? [] : [advice`${scope.call("agent wait")} waits until something is held`];
      return { breakpoint: read(made), warnings, next };
    }
    const { state, next } = await nextStop(context, args, {
      usualMs: context.waits.awaitMs,
      after: scope.row.id,
    });
    return { breakpoint: read(made), warnings, state, next };
  },
  text: ({ breakpoint: made, warnings, state, next }, options) =>
    lines(
      rowText(made),
      warnings.map((one) => `warning: ${options.say(one)}`),
      state && stateText(state, options),
      nextLine(next, options),
    ),
});

export const breakList = command({
  name: "agent break list",
  summary: "list the breakpoints of a run, and how often each was hit",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({ dir }),
  result: z.object({ session: z.string(), breakpoints: z.array(breakpoint) }),
  mcp: { tool: "agent", action: "break_list", ofSession: true },
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    const { breakpoints } = await ask(context, scope, "breakpoint", { action: "list" });
    return { session: scope.row.id, breakpoints: Array.isArray(breakpoints) ? breakpoints.map(read) : [] };
  },
  text: ({ breakpoints, session }) =>
    lines(
      breakpoints.length === 0
        ? `no breakpoints · session ${oneLine(session)}`
        : breakpoints.map((one) => rowText(one, true)),
    ),
});

const id = z.string().min(1).max(40).describe("its number, as `agent break list` shows it");

const changed = z.object({ session: z.string(), did: z.string() });

async function change(
  context: Context,
  args: { id: string; dir?: string | undefined },
  action: "clear" | "enable" | "disable",
) {
  const scope = await runToControl(context, args);
  const number = /^\d+$/.test(args.id) ? Number(args.id) : args.id;
  const { breakpoint: one } = await ask(context, scope, "breakpoint", { action, id: number });
  const about = one === undefined ? `breakpoint ${args.id}` : rowText(read(one));
  return { session: scope.row.id, did: `${DONE[action]} ${about}` };
}

const DONE = { clear: "cleared", enable: "enabled", disable: "disabled" };

function didText({ did }: { did: string }): string {
  return `${oneLine(did)}\n`;
}

export const breakClear = command({
  name: "agent break clear",
  summary: "remove a breakpoint of a run",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ id, dir }),
  result: changed,
  cli: { positionals: ["id"] },
  mcp: { tool: "agent", action: "break_clear", takes: ["id"], ofSession: true },
  examples: ["sonde agent break clear 1"],
  run: (context, args) => change(context, args, "clear"),
  text: didText,
});

export const breakClearAll = command({
  name: "agent break clear-all",
  summary: "remove all breakpoints of a run",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ dir }),
  result: changed,
  mcp: { tool: "agent", action: "break_clear_all", ofSession: true },
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    const { cleared } = await ask(context, scope, "breakpoint", { action: "clear-all" });
    const count = typeof cleared === "number" ? cleared : Array.isArray(cleared) ? cleared.length : undefined;
    return {
      session: scope.row.id,
      did: count === undefined ? "cleared all breakpoints" : `cleared ${plural(count, "breakpoint")}`,
    };
  },
  text: didText,
});

export const breakEnable = command({
  name: "agent break enable",
  summary: "enable a breakpoint of a run that was disabled",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ id, dir }),
  result: changed,
  cli: { positionals: ["id"] },
  mcp: { tool: "agent", action: "break_enable", takes: ["id"], ofSession: true },
  run: (context, args) => change(context, args, "enable"),
  text: didText,
});

export const breakDisable = command({
  name: "agent break disable",
  summary: "keep a breakpoint of a run, but do not stop at it",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ id, dir }),
  result: changed,
  cli: { positionals: ["id"] },
  mcp: { tool: "agent", action: "break_disable", takes: ["id"], ofSession: true },
  run: (context, args) => change(context, args, "disable"),
  text: didText,
});
