/** context, source, backtrace, frame, up, down, threads, thread. */
import * as z from "zod";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { ownValues } from "../../session/stack/autopsy.ts";
import { type Aim, frameNumbered, type Place } from "../../session/stack/focus.ts";
import { functionRange } from "../../session/stack/function-range.ts";
import { snapshot, toFrameLine, withoutLastLabels } from "../../session/stack/snapshot.ts";
import { fileLines, slice, sourceLines } from "../../session/stack/source.ts";
import { madeAt, staleNote } from "../../session/stack/stale-source.ts";
import { readThreads } from "../../session/threads/threads.ts";
import { oneLine, plural, visible } from "../../util/text.ts";
import { frameLine, snapshotShape, sourceLine, valueLine } from "../answers/shapes.ts";
import { snapshotText, valueText } from "../answers/snapshot-text.ts";
import { lines, shortPath } from "../answers/text.ts";
import { definitionsOf } from "../breakpoints/definition.ts";
import { functionNamed, parseLocation } from "../breakpoints/location.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { LEVELS } from "../mcp/spellings.ts";
import { AROUND, owned } from "../running/moving.ts";
import { aimed, aimedThread, aimOf } from "./aim.ts";

async function look(context: Context, around: { before: number; after: number } = AROUND, aim: Aim = {}) {
  const { session, limits, peeks: peek } = context;
  return owned(context, session, await snapshot(session, { limits, ...around, aim, peek }));
}

export const contextCommand = command({
  name: "context",
  aliases: ["where"],
  summary: "show the stop again: location, source, values, stack",
  group: "where",
  skill: true,
  needs: "stopped",
  effect: "reads",
  args: z.object({
    context: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("source lines before and after")
      .meta({ mcp: "lines", brief: "around" }),
    ...aimed,
  }),
  result: snapshotShape,
  library: { name: "session.context" },
  mcp: {
    tool: "inspect",
    action: "context",
    takes: ["context", "frame", "thread"],
    brief: "the stop again.",
  },
  run: (context, args) => {
    const around = args.context === undefined ? AROUND : { before: args.context, after: args.context };
    return look(context, around, aimOf(args));
  },
  text: snapshotText,
});

/** Where the program that the caller means stands, if there is one and it does. */
async function stopIfAny(context: Context): Promise<Place | undefined> {
  const launch = context.launches.length === 0 ? undefined : attempt(() => context.launch);
  if (launch?.stateName !== "stopped") return undefined;
  return attempt(() => context.session)
    ?.focus.place()
    .catch(() => undefined);
}

/** Several sessions, of which none is meant: then none is. */
function attempt<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function ownPaths(stop: Place | undefined): string[] {
  return (stop?.stack.frames ?? []).flatMap(({ user, path }) => (user && path !== undefined ? [path] : []));
}

/** Lines before and after, of which a stop alone shows fewer. */
const AROUND_SOURCE = 20;

export const source = command({
  name: "source",
  aliases: ["list"],
  summary: "show the source around a location (default: where the program is stopped)",
  group: "where",
  skill: true,
  needs: "nothing",
  effect: "reads",
  args: z.object({
    location: z.string().optional().describe("file:line, a line of the current file, or a function's name"),
    context: z.number().int().nonnegative().default(8).describe("lines before and after"),
    function: z.boolean().optional().describe("the whole function around it"),
  }),
  result: z.object({
    path: z.string(),
    current: z.number().optional(),
    lines: z.array(sourceLine),
    total: z.number(),
    note: z.string().exactOptional(),
  }),
  cli: { positionals: ["location"] },
  mcp: { tool: "inspect", action: "context", onlySaid: true, says: { lines: AROUND_SOURCE } },
  library: { name: "session.source" },
  run: async (context, args) => {
    const isOfHere = args.location === undefined || /^\d+$/.test(args.location);
    const stop = isOfHere ? await context.session.focus.place() : await stopIfAny(context);
    const here = isOfHere ? stop?.frame : undefined;
    const name = args.location === undefined ? undefined : functionNamed(args.location, context.cwd);
    const [defined, ...others] = name === undefined ? [] : definitionsOf(name, context.cwd, ownPaths(stop));
    const place =
      args.location === undefined
        ? undefined
        : (defined ?? parseLocation(args.location, context.cwd, here?.path));
    const path = place?.path ?? here?.path ?? here?.sourceName ?? "?";
    if (place && !context.mayRead(place.path))
      throw new SondeError("PERMISSION", `${path} is not a file of any session, trace or profile`);
    const all = place
      ? fileLines(place.path)
      : here && (await sourceLines(context.session.focus.debuggee, here, madeAt(context.session).time));
    if (!all) throw new SondeError("BAD_LOCATION", `no source text for ${path}`);
    const line = place?.line ?? here?.line ?? 1;
    const whole = args.function ? functionRange(all, line, { path, name: here?.name }) : undefined;
    const range = whole ?? { first: line - args.context, last: line + args.context };
    const current = here && here.path === path ? here.line : undefined;
    const also = others.map((one) => `${shortPath(one.path, context.cwd)}:${one.line}`).join(", ");
    const note = [
      stop && staleNote(context.session, path),
      also === "" ? undefined : `there is also a function of that name at ${also}`,
    ]
      .filter((one) => one !== undefined)
      .join("; ");
    return {
      path,
      current,
      lines: slice(all, range.first, range.last),
      total: all.length,
      ...(note === "" ? {} : { note }),
    };
  },
  text: (result, options) => {
    const width = Math.max(4, String(result.lines.at(-1)?.line ?? 0).length);
    return lines(
      `${shortPath(result.path, options.cwd)}  (${plural(result.total, "line")})`,
      result.note !== undefined && `note: ${result.note}`,
      result.lines.map(({ line, text }) =>
        `${line === result.current ? "->" : "  "}${String(line).padStart(width)} | ${visible(text)}`.trimEnd(),
      ),
    );
  },
});

const backtraceResult = z.object({
  frames: z.array(frameLine.extend({ values: z.array(valueLine).optional() })),
  total: z.number(),
  hidden: z.number(),
  uncounted: z.literal(true).exactOptional().describe("there are more than `total`: nobody has counted them"),
});

export const backtrace = command({
  name: "backtrace",
  aliases: ["bt"],
  summary: "show the stack: your frames; --all adds library frames, --locals adds values",
  group: "stack",
  skill: true,
  needs: "stopped",
  effect: "reads",
  args: z.object({
    locals: z.boolean().optional().describe("with each frame's values"),
    limit: z.number().int().positive().default(20).describe("the most frames to show"),
    all: z.boolean().optional().describe("library and runtime frames too"),
    ...aimedThread,
  }),
  result: backtraceResult,
  library: {
    name: "session.backtrace",
    says: "Show the stack: your frames; `all` adds library frames, `locals` adds values.",
  },
  mcp: { tool: "inspect", action: "stack_trace", spelled: [LEVELS], takes: ["thread"] },
  run: async (context, args) => {
    const { session, limits } = context;
    const { debuggee, threadId, stack } = await session.focus.place(Math.max(args.limit, 40), aimOf(args));
    const length = await session.frames.length(debuggee, threadId, stack);
    const wanted = args.all ? stack.frames : stack.frames.filter((frame) => frame.user || frame.label);
    const shown = withoutLastLabels((wanted.length > 0 ? wanted : stack.frames).slice(0, args.limit));
    const frames = [];
    for (const frame of shown) {
      const values =
        args.locals && !frame.label ? await ownValues(session, debuggee, frame, limits) : undefined;
      frames.push({ ...toFrameLine(frame), values });
    }
    // As a stop counts them: a divider is no frame.
    const total = length.total - stack.frames.filter(({ label }) => label).length;
    const hidden = total - shown.filter(({ label }) => !label).length;
    return { frames, total, hidden, ...(length.isLonger ? { uncounted: true as const } : {}) };
  },
  text: ({ frames, hidden, uncounted, total }, options) =>
    lines(
      frames.flatMap((frame) => [
        frame.label
          ? `  - ${oneLine(frame.function)}`
          : `${String(frame.index).padStart(3)} ${oneLine(frame.function)}  ${shortPath(frame.path ?? "?", options.cwd)}:${frame.line}`,
        ...(frame.values ?? []).map((value) => `      ${valueText(value)}`),
      ]),
      uncounted && hidden === 0
        ? "(there are more frames, but the debugger does not report them)"
        : uncounted
          ? options.say(
              advice`(more than ${plural(hidden, "frame")} more: ${call("backtrace", { all: true, limit: 2 * total })})`,
            )
          : hidden > 0 &&
            options.say(
              advice`(+${plural(hidden, "more frame")}: ${call("backtrace", { all: true, limit: Math.max(100, total) })})`,
            ),
    ),
});

async function select(context: Context, index: number) {
  const { session } = context;
  const { stack } = await session.focus.place(index + 1);
  frameNumbered(stack, index);
  if (context.peeks) return look(context, AROUND, { frame: index });
  session.focus.selectFrame(index);
  return look(context);
}

export const frame = command({
  name: "frame",
  summary: "select the frame that print, locals and eval use; without a number, show it",
  group: "stack",
  skill: true,
  needs: "stopped",
  effect: "reads",
  args: z.object({
    number: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("frame number, 0 is innermost")
      .meta({ mcp: "frame_id" }),
  }),
  result: snapshotShape,
  cli: { positionals: ["number"] },
  library: { name: "session.frame", given: ["number"] },
  mcp: { tool: "inspect", action: "context", takes: ["number"], onlySaid: true },
  run: (context, args) => (args.number === undefined ? look(context) : select(context, args.number)),
  text: snapshotText,
});

/** Between two frames there are hardly more. */
const MOST_LABELS = 4;

/** Labels between async parts are not places one can stand in. */
async function neighbour(context: Context, direction: 1 | -1) {
  const { frame } = await context.session.focus.place();
  let index = (frame?.index ?? 0) + direction;
  const { stack } = await context.session.focus.place(index + MOST_LABELS);
  while (stack.frames[index]?.label) index += direction;
  return select(context, index);
}

export const up = command({
  name: "up",
  summary: "go to the caller's frame",
  group: "stack",
  needs: "stopped",
  effect: "reads",
  args: z.object({}),
  result: snapshotShape,
  library: { name: "session.up" },
  run: (context) => neighbour(context, 1),
  text: snapshotText,
});

export const down = command({
  name: "down",
  summary: "go to the called frame",
  group: "stack",
  needs: "stopped",
  effect: "reads",
  args: z.object({}),
  result: snapshotShape,
  library: { name: "session.down" },
  run: (context) => neighbour(context, -1),
  text: snapshotText,
});

const threadRow = z.object({
  number: z.number(),
  name: z.string(),
  pid: z.number().optional(),
  state: z.string(),
  current: z.boolean(),
  path: z.string().optional(),
  line: z.number().optional(),
  function: z.string().optional(),
});

async function threadRows(session: Session): Promise<z.infer<typeof threadRow>[]> {
  const rows = [];
  // While all of it runs none is current.
  const here = await session.focus.here().catch(() => undefined);
  for (const debuggee of session.live) {
    for (const thread of await readThreads(session, debuggee)) {
      const stopped = debuggee.stop !== undefined;
      const top = stopped
        ? (await session.frames.get(debuggee, thread.threadId, 20).catch(() => undefined))?.frames
        : undefined;
      const shown = top?.find((one) => one.user) ?? top?.[0];
      rows.push({
        number: thread.number,
        name: debuggee.parent ? `${debuggee.label}` : thread.name,
        pid: debuggee.pid,
        state: stopped ? "stopped" : debuggee.state.name,
        current: here?.debuggee === debuggee && here.threadId === thread.threadId,
        path: shown?.path,
        line: shown?.line,
        function: shown?.name,
      });
    }
  }
  return rows;
}

export const threads = command({
  name: "threads",
  summary: "list threads, workers and child processes, and where they are",
  group: "threads",
  skill: true,
  needs: "live",
  effect: "reads",
  args: z.object({}),
  result: z.object({ threads: z.array(threadRow) }),
  library: { name: "session.threads" },
  mcp: { tool: "inspect", action: "threads" },
  run: async ({ session }) => ({ threads: await threadRows(session) }),
  text: (result, options) =>
    lines(
      result.threads.map((one) => {
        const place =
          one.path === undefined
            ? ""
            : `  ${shortPath(one.path, options.cwd)}:${one.line} in ${oneLine(one.function ?? "?")}`;
        const pid = one.pid === undefined ? "" : `  pid ${one.pid}`;
        return `${one.current ? "*" : " "} ${one.number} ${oneLine(one.name)}  ${one.state}${place}${pid}`;
      }),
    ),
});

export const thread = command({
  name: "thread",
  summary: "select the thread that other commands use; without a number, show it",
  group: "threads",
  skill: true,
  needs: "stopped",
  effect: "reads",
  watchable: ({ number }) => number === undefined,
  args: z.object({
    number: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("number from `threads`")
      .meta({ mcp: "thread_id" }),
  }),
  result: snapshotShape,
  cli: { positionals: ["number"] },
  library: { name: "session.thread", given: ["number"] },
  mcp: { tool: "inspect", action: "context", takes: ["number"], onlySaid: true },
  run: async (context, args) => {
    const { session } = context;
    if (args.number === undefined) return look(context);
    const { debuggee, threadId } = session.focus.stopped(args.number);
    // A person looks at one with \`context\`: who chooses one means what steps move, and takes the session for it.
    if (context.peeks) context.mayChange(context.launch);
    session.focus.set(debuggee, threadId);
    return look(context);
  },
  text: snapshotText,
});
