/** locals, args, scopes, variables, print, eval, set. */
import * as z from "zod";
import { advice, blank, call, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { argumentNames } from "../../session/adapter-requests.ts";
import type { Aim } from "../../session/stack/focus.ts";
import { assign, evaluate, expand } from "../../session/values/evaluate.ts";
import { readScopes } from "../../session/values/frame-values.ts";
import { isPlainPath } from "../../session/values/only-looking.ts";
import { children } from "../../session/values/parts.ts";
import type { ValueLine } from "../../session/values/value-line.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { valueLine } from "../answers/shapes.ts";
import { isCut, valueText } from "../answers/snapshot-text.ts";
import { lines, type TextOptions } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { HANDLE } from "../mcp/spellings.ts";
import { aimed } from "./aim.ts";
import { look } from "./look.ts";
import { FORMATS, reformat } from "./number-format.ts";

/** `print` and `variables` are asked for one thing, so they may show more of it than a snapshot does. */
const LONG_VALUE = 4000;
const MOST_VARIABLES = 200;

const scopeShape = z.object({
  name: z.string(),
  handle: z.string(),
  expensive: z.boolean(),
  kind: z.string().optional(),
  values: z.array(valueLine),
});
const valuesShape = z.object({ values: z.array(valueLine), more: z.number() });

async function frameHere(context: Context, aim: Aim) {
  const { debuggee, frame } = await context.session.focus.place(undefined, aim);
  if (!frame) throw new SondeError("NOT_STOPPED", "there is no frame here");
  return { debuggee, frame };
}

export async function scopesHere(context: Context, aim: Aim) {
  const { debuggee, frame } = await frameHere(context, aim);
  return readScopes(context.session, debuggee, frame, context.limits.valueChars);
}

function tree(value: ValueLine, indent: string, options: TextOptions): string[] {
  return [
    `${indent}${valueText(value)}`,
    ...(value.children ?? []).flatMap((child) => tree(child, `${indent}  `, options)),
    ...(value.moreChildren
      ? [`${indent}  (+${value.moreChildren} more: ${partsOf(value.handle, options)})`]
      : []),
  ];
}

function partsOf(handle: string | undefined, { say }: TextOptions): string {
  return say(advice`${call("variables", { handle: handle ?? blank("handle") })}`);
}

export const locals = command({
  name: "locals",
  summary: "show all variables of the current frame, by scope",
  group: "values",
  skill: true,
  needs: "stopped",
  effect: "reads",
  args: z.object(aimed),
  result: z.object({ scopes: z.array(scopeShape) }),
  library: { name: "session.locals" },
  mcp: { tool: "inspect", action: "scopes", takes: ["frame", "thread"], onlySaid: true },
  run: async (context, aim) => {
    const all = await scopesHere(context, aim);
    return { scopes: all.filter(({ kind, name }) => kind !== "registers" && !/^registers$/i.test(name)) };
  },
  text: ({ scopes }, options) =>
    lines(
      scopes.flatMap((scope) =>
        scope.expensive
          ? [`${oneLine(scope.name)}: ${partsOf(scope.handle, options)}`]
          : [
              `${oneLine(scope.name)}${scope.values.length === 0 ? ": nothing" : ""}`,
              ...scope.values.slice(0, MOST_VARIABLES).map((value) => `  ${valueText(value)}`),
              ...(scope.values.length > MOST_VARIABLES
                ? [`  (+${scope.values.length - MOST_VARIABLES} more: ${partsOf(scope.handle, options)})`]
                : []),
            ],
      ),
    ),
});

export const args = command({
  name: "args",
  summary: "show the arguments of the current function",
  group: "values",
  needs: "stopped",
  effect: "reads",
  args: z.object(aimed),
  result: valuesShape.extend({ mixed: z.boolean().describe("with the locals among them") }),
  library: { name: "session.args" },
  mcp: { tool: "inspect", action: "scopes", takes: ["frame", "thread"], onlySaid: true },
  run: async (context, aim) => {
    const scopes = await scopesHere(context, aim);
    const own = scopes.filter((scope) => scope.kind === "arguments");
    if (own.length > 0) return { values: own.flatMap((scope) => scope.values), more: 0, mixed: false };
    // Adapters without a scope of arguments mix them into the locals; where none can tell, all of those are the true answer.
    const among = scopes.filter((scope) => scope.kind === "locals").flatMap((scope) => scope.values);
    const { debuggee, frame } = await frameHere(context, aim);
    const names = await argumentNames(context.session, debuggee, frame.adapterId);
    const values = names === undefined ? among : among.filter(({ name }) => names.has(name));
    return { values, more: 0, mixed: names === undefined };
  },
  text: ({ values, mixed }) =>
    values.length === 0
      ? "no arguments\n"
      : lines(
          mixed && "arguments and locals (this debugger does not tell them apart)",
          values.map(valueText),
        ),
});

export const scopes = command({
  name: "scopes",
  summary: "list the scopes of the current frame, with handles",
  group: "values",
  needs: "stopped",
  effect: "reads",
  args: z.object(aimed),
  result: z.object({ scopes: z.array(scopeShape.omit({ values: true }).extend({ count: z.number() })) }),
  library: { name: "session.scopes" },
  mcp: { tool: "inspect", action: "scopes", takes: ["frame", "thread"] },
  run: async (context, aim) => ({
    scopes: (await scopesHere(context, aim)).map(({ values, ...scope }) => ({
      ...scope,
      count: values.length,
    })),
  }),
  text: (result) =>
    lines(
      result.scopes.map(
        (scope) =>
          `${scope.handle}  ${oneLine(scope.name)}${scope.expensive ? "" : `  ${plural(scope.count, "variable")}`}`,
      ),
    ),
});

export const variables = command({
  name: "variables",
  aliases: ["vars"],
  summary: "show the parts of a value, by its handle",
  group: "values",
  skill: true,
  needs: "stopped",
  effect: "reads",
  args: z.object({
    handle: z.string().describe("a handle such as @v7, shown after a value"),
    start: z.number().int().nonnegative().optional().describe("first element"),
    count: z.number().int().positive().max(1000).optional().describe("how many, up to 1000"),
  }),
  result: valuesShape.extend({
    next: z.number().exactOptional().describe("where the rest begins"),
    total: z.number(),
  }),
  cli: { positionals: ["handle"] },
  library: {
    name: "session.variables",
    given: ["handle"],
    says: "Show the parts of a value, by its handle (`@v7`).",
  },
  mcp: {
    tool: "inspect",
    action: "variables",
    spelled: [HANDLE],
    takes: ["start", "count"],
    oneOf: [["variable_ref"], ["scope_id"]],
    brief: "variable_ref|scope_id (a value's @v handle).",
  },
  examples: ["sonde variables @v7", "sonde variables @v7 --start 1000 --count 20"],
  run: async ({ session, limits }, { handle, start, count }) => {
    const held = session.values.resolve(handle.startsWith("@") ? handle : `@${handle}`);
    return children(session, held, {
      start,
      count,
      limit: 100,
      chars: limits.valueChars,
    });
  },
  text: ({ values, more, next, total }, { say }) =>
    values.length === 0
      ? total > 0
        ? `nothing there: it has ${plural(total, "part")}\n`
        : "nothing inside\n"
      : lines(values.map(valueText), more > 0 && say(advice`(+${more} more: ${option({ start: next })})`)),
});

export const print = command({
  name: "print",
  aliases: ["p"],
  summary:
    "show the value of an expression; assignments are refused, function calls are run (JavaScript: only those without side effects; Go: never)",
  group: "values",
  skill: true,
  needs: "stopped",
  effect: "reads",
  watchable: ({ expression = "" }) => isPlainPath(expression),
  args: z.object({
    expression: z.string().describe("in the program's language"),
    type: z.boolean().optional().describe("show its type, without its parts"),
    format: z.enum(FORMATS).optional().describe("for integers and addresses"),
    depth: z
      .number()
      .int()
      .min(0)
      .max(8)
      .optional()
      .describe("levels of parts to show (default: one, if one line does not show it all)"),
    ...aimed,
  }),
  result: valueLine,
  cli: { positionals: ["expression"], join: true, expression: true },
  library: { name: "session.print", given: ["expression"] },
  mcp: {
    tool: "debug",
    action: "evaluate",
    takes: ["expression", "frame", "thread"],
    // What is only looked at must have no effects; this has none where the adapter can promise that.
    when: { name: "context", values: ["watch", "hover", "variables", "clipboard"] },
  },
  examples: [
    "sonde print 'items[0].price'",
    "sonde print config --depth 3",
    "sonde print flags --format binary",
  ],
  run: async (context, { expression, format, depth, type, ...aim }) => {
    const { session } = context;
    const value = await look(context, session, expression, { chars: LONG_VALUE, addresses: true, aim });
    if (type) return { ...value, type: value.type ?? "unknown" };
    if (format !== undefined) return { ...value, value: reformat(value.value, format) };
    return expand(session, value, depth ?? (saysItAll(value) ? 0 : 1), {
      limit: 50,
      chars: context.limits.valueChars,
    });
  },
  text: (value, options) => lines(tree(value, "", options)),
});

/** Whether the line shows what is inside: neither cut nor only a size or an address. A text's letters say no more than it does. */
function saysItAll({ value, handle }: ValueLine): boolean {
  if (/"(\.\.\.|…)?$/.test(value)) return true;
  if (isCut(value)) return false;
  return handle === undefined || /[{[(]/.test(value);
}

export const evalCommand = command({
  name: "eval",
  summary:
    "run an expression in the program, with its side effects; works on a running program if the adapter supports it",
  group: "values",
  skill: true,
  needs: "live",
  effect: "changes",
  turn: "shared",
  args: z.object({ expression: z.string().describe("in the program's language"), ...aimed }),
  result: valueLine,
  cli: { positionals: ["expression"], join: true, expression: true },
  library: { name: "session.evaluate", given: ["expression"] },
  mcp: {
    tool: "debug",
    action: "evaluate",
    takes: ["expression", "frame", "thread"],
    when: { name: "context", values: ["repl"], usual: true, brief: "raw: debugger command" },
    brief: "expression.",
  },
  examples: ["sonde eval 'cache.clear()'"],
  run: ({ session }, { expression, ...aim }) =>
    evaluate(session, expression, { context: "repl", chars: LONG_VALUE, aim }),
  text: (value) => lines(valueText(value)),
});

export const set = command({
  name: "set",
  summary: "change a variable, property or element",
  group: "values",
  skill: true,
  needs: "stopped",
  effect: "changes",
  args: z.object({
    target: z.string().describe("a variable, or an expression that can be assigned to").meta({ mcp: "name" }),
    value: z.string().optional().describe("an expression in the program's language"),
    ...aimed,
  }),
  result: valueLine,
  cli: { positionals: ["target", "value"], join: true },
  library: { name: "session.set", given: ["target", "value"] },
  mcp: {
    tool: "debug",
    action: "set_variable",
    takes: ["target", "value", "frame", "thread"],
    oneOf: [["name", "value"]],
    brief: "name, value.",
  },
  examples: ["sonde set total 100", "sonde set 'user.name' '\"Ada\"'"],
  run: ({ session, limits }, { target, value, ...aim }) => {
    const [to, what] = assignment(target, value);
    return assign(session, to, what, { chars: limits.valueChars, aim });
  },
  text: (value) => lines(valueText(value)),
});

/** `set x 1`, `set x = 1` and `set x=1` are the same. */
function assignment(target: string, value: string | undefined): [string, string] {
  if (value !== undefined) return [target, value.replace(/^=(?!=)\s*/, "")];
  const at = target.indexOf("=");
  const [to, what] = at < 0 ? ["", ""] : [target.slice(0, at).trim(), target.slice(at + 1).trim()];
  if (to !== "" && what !== "" && !what.startsWith("=")) return [to, what];
  throw new SondeError("BAD_ARGUMENT", `set ${cut(target, 200)} to what?`, {
    hint: advice`${call("set", { target: blank("target"), value: blank("value") })}`,
  });
}
