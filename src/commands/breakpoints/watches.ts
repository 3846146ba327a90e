/** watch: stopping when a variable is written or read. */
import * as z from "zod";
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { type Breakpoint, called } from "../../session/breakpoints/breakpoint.ts";
import { canWatch, setWatch } from "../../session/breakpoints/watches.ts";
import type { Session } from "../../session/session.ts";
import type { Aim } from "../../session/stack/focus.ts";
import { oneLine } from "../../util/text.ts";
import { breakpointRow, removedRow } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { ACCESS_TYPE, DATA_ID, dataId, SCOPE } from "../mcp/spellings.ts";
import { aimed, aimOf } from "../values/aim.ts";
import { scopesHere } from "../values/values.ts";
import { checkHitCount, HIT_CONDITION } from "./breakpoints.ts";
import { breakpointLine, toRow } from "./text.ts";

/** What is watched is asked for first, as in the protocol. */
const DATA_ID_FIRST = advice`${call("watch info", { expression: blank("expression") })} comes first and gives the \`data_id\``;

const rows = z.object({ watches: z.array(breakpointRow) });

export const watch = command({
  name: "watch",
  summary: "stop when a variable or other memory location is written (or read)",
  group: "breakpoints",
  needs: "stopped",
  supports: "supportsDataBreakpoints",
  effect: "changes",
  args: z.object({
    expression: z.string().describe("a variable, or an expression for a memory location: p.x, list[3]"),
    read: z.boolean().optional().describe("stop on reads"),
    access: z.boolean().optional().describe("stop on reads and writes"),
    condition: z.string().optional().describe("stop only when this expression is true"),
    hitCount: z
      .string()
      .optional()
      .describe("stop only at this hit: 5, >=5, %3 (every third)")
      .meta(HIT_CONDITION),
    ...aimed,
  }),
  result: rows,
  cli: { positionals: ["expression"], join: true, expression: true },
  library: { name: "session.watches.add", given: ["expression"] },
  mcp: {
    tool: "debug",
    action: "set_data_breakpoint",
    spelled: [DATA_ID, ACCESS_TYPE],
    takes: ["condition", "hitCount"],
    advice: {
      data_id: DATA_ID_FIRST,
      name: DATA_ID_FIRST,
      expression: DATA_ID_FIRST,
      variable: DATA_ID_FIRST,
    },
  },
  examples: [
    "sonde watch total",
    "sonde watch --condition 'total > 100' total",
    "sonde watch --hit-count 3 total",
  ],
  run: async ({ session }, args) => {
    const added = await setWatch(session, {
      expression: args.expression.trim(),
      access: args.access ? "readWrite" : args.read ? "read" : "write",
      aim: aimOf(args),
      ...(args.condition === undefined ? {} : { condition: args.condition }),
      ...(args.hitCount === undefined ? {} : { hitCondition: checkHitCount(args.hitCount) }),
    });
    return { watches: [toRow(added)] };
  },
  text: ({ watches }, options) => lines(watches.map((row) => breakpointLine(row, options))),
});

export const watchInfo = command({
  name: "watch info",
  summary: "show whether a variable can be watched, and for which kinds of access, without setting a watch",
  group: "breakpoints",
  needs: "stopped",
  supports: "supportsDataBreakpoints",
  effect: "reads",
  args: z.object({
    expression: z
      .string()
      .describe("a variable, or an expression for a memory location: p.x, list[3]")
      .meta({ mcp: "name" }),
    scope: z
      .string()
      .optional()
      .describe("only a variable of this scope, given by its handle (see `scopes`)"),
    ...aimed,
  }),
  result: z.object({
    expression: z.string(),
    /** What a tool call names it by. */
    dataId: z.string(),
    frame: z.number().exactOptional(),
    accesses: z.array(z.enum(["write", "read", "readWrite"])).exactOptional(),
    local: z.boolean(),
    watch: z.number().exactOptional(),
  }),
  cli: { positionals: ["expression"], join: true, expression: true },
  library: { name: "session.watches.info", given: ["expression"] },
  mcp: {
    tool: "debug",
    action: "data_breakpoint_info",
    spelled: [SCOPE],
    takes: ["expression", "frame"],
    brief: "name → data_id for …_data_breakpoint.",
  },
  examples: ["sonde watch info total"],
  run: async (context, args) => {
    const expression = args.expression.trim();
    if (args.scope !== undefined) await checkScope(context, expression, args.scope, aimOf(args));
    return {
      expression,
      dataId: dataId(expression, args.frame),
      ...(args.frame === undefined ? {} : { frame: args.frame }),
      ...(await canWatch(context.session, expression, aimOf(args))),
    };
  },
  text: ({ expression, frame, accesses, local, watch: number }, { say }) => {
    const uses = accesses === undefined ? "" : ` (${accesses.join(", ")})`;
    const life = local ? " while its function runs" : "";
    const already = number === undefined ? "" : `; watch ${number} is on it`;
    const how = say(advice`${call("watch", { expression, ...(frame === undefined ? {} : { frame }) })}`);
    return lines(
      `${oneLine(expression)} can be watched${life}${uses}${already}`,
      number === undefined && `next: ${how}`,
    );
  },
});

/** A name means what it means in the frame: a scope that has it hidden cannot be watched by it. */
async function checkScope(context: Context, name: string, handle: string, aim: Aim): Promise<void> {
  const all = await scopesHere(context, aim);
  const holder = all.find((scope) => scope.values.some((value) => value.name === name));
  if (holder && holder.handle !== handle)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("scope")}: here \`${name}\` means the variable in scope ${holder.name}`,
      {
        hint: "leave it out to watch that one",
      },
    );
  if (all.some((scope) => scope.handle === handle)) return;
  throw new SondeError("BAD_ARGUMENT", advice`${named("scope")}: ${handle} is not a scope of this frame`, {
    hint: "for a part of a value give the whole expression: p.x, list[3]",
  });
}

export const watchList = command({
  name: "watch list",
  summary: "list watches with their values, states and hits",
  group: "breakpoints",
  needs: "session",
  effect: "reads",
  args: z.object({}),
  result: rows,
  library: { name: "session.watches.list" },
  run: async ({ session }) => ({ watches: all(session).map(toRow) }),
  text: ({ watches }, options) =>
    watches.length === 0 ? "no watches\n" : lines(watches.map((row) => breakpointLine(row, options))),
});

export const watchRemove = command({
  name: "watch remove",
  aliases: ["watch delete"],
  summary: "remove watches by number or expression, or all",
  group: "breakpoints",
  needs: "session",
  effect: "changes",
  args: z.object({
    ids: z.array(z.number()).optional().describe("numbers from `watch list`"),
    expression: z
      .string()
      .optional()
      .describe(
        "the watch on this expression; if there are several, the one on the variable it refers to in this frame",
      ),
    access: z
      .enum(["write", "read", "readWrite"])
      .optional()
      .describe("if there are several, the one for this kind of access")
      .meta({ mcp: "access_type" }),
    all: z.boolean().optional().describe("every watch"),
    ...aimed,
  }),
  result: rows.extend({ removed: z.array(removedRow) }),
  cli: { positionals: ["ids"] },
  library: {
    name: "session.watches.remove",
    given: ["ids"],
    says: 'Remove watches by number or expression: `2`, `"all"`, `{ expression: "total" }`.',
  },
  mcp: {
    tool: "debug",
    action: "remove_data_breakpoint",
    spelled: [DATA_ID],
    takes: ["access"],
    advice: { data_id: DATA_ID_FIRST, name: DATA_ID_FIRST },
  },
  run: async ({ session }, args) => {
    const chosen = await chosenFrom(session, args);
    const removed = chosen.map(toRow).map(({ id, kind, at }) => ({ id, kind, at }));
    await session.breakpoints.remove(chosen);
    return { watches: all(session).map(toRow), removed };
  },
  text: ({ watches, removed }) =>
    removed.length === 0
      ? "no watches to remove\n"
      : lines(
          removed.map((row) => `removed: ${called(row)} ${oneLine(row.at)}`),
          watches.length > 0 &&
            `left: ${watches.map((row) => `${called(row)} ${oneLine(row.at)}`).join(", ")}`,
        ),
});

async function chosenFrom(
  session: Session,
  args: {
    ids?: number[] | undefined;
    expression?: string | undefined;
    access?: string | undefined;
    all?: boolean | undefined;
  } & Aim,
): Promise<Breakpoint[]> {
  const { ids = [], expression, access } = args;
  if (args.all) return all(session);
  if (expression !== undefined) return [await watching(session, expression.trim(), access, aimOf(args))];
  if (ids.length === 0)
    throw new SondeError("BAD_ARGUMENT", "which watch?", {
      hint: advice`give its number, or ${option({ all: true })}`,
    });
  return ids.map((id) => numbered(session, id));
}

/** Of several on one expression, the one that is on the place which it means here and now. */
async function watching(
  session: Session,
  expression: string,
  access: string | undefined,
  aim: Aim,
): Promise<Breakpoint> {
  const found = all(session).filter(
    (one) => one.asked === expression && (access ?? one.watched?.access) === one.watched?.access,
  );
  const [first, ...others] = found;
  if (first === undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      `there is no watch on ${expression}${access === undefined ? "" : ` for ${access}`}`,
      {
        hint: all(session).length === 0 ? "there are no watches" : `there are: ${listed(all(session))}`,
      },
    );
  if (others.length === 0) return first;
  const meant = await canWatch(session, expression, aim).catch(() => undefined); // it may mean nothing here
  const here = found.find((one) => one.id === meant?.watch);
  if (here) return here;
  throw new SondeError("BAD_ARGUMENT", `${found.length} watches are on ${expression}; which?`, {
    hint: `give its number: ${listed(found)}`,
  });
}

function listed(watches: readonly Breakpoint[]): string {
  const shown = watches.map(({ id, asked, watched }) => {
    const value = watched?.value === undefined ? "" : ` = ${oneLine(watched.value)}`;
    return `${id} (${oneLine(asked)}${value}, ${watched?.access ?? "write"})`;
  });
  return shown.join(", ");
}

function all(session: Session): Breakpoint[] {
  return session.breakpoints.list().filter((one) => one.kind === "data");
}

function numbered(session: Session, id: number): Breakpoint {
  const found = all(session).find((one) => one.id === id);
  if (found) return found;
  const ids = all(session).map((one) => one.id);
  throw new SondeError("BAD_ARGUMENT", `no watch ${id}`, {
    hint: ids.length > 0 ? `there are: ${ids.join(", ")}` : "there are none",
  });
}
