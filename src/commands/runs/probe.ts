/** probe: run to a place, look, end the program. */
import * as z from "zod";
import { advice, blank, type Call, call, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { BreakpointSpec } from "../../session/breakpoints/breakpoint.ts";
import type { Launch } from "../../session/launch.ts";
import { keptOutput } from "../../session/output/whole.ts";
import { awaitStop, resume } from "../../session/running/running.ts";
import type { Outcome } from "../../session/running/stops.ts";
import type { Session } from "../../session/session.ts";
import type { Stop } from "../../session/state.ts";
import type { MoveResult } from "../answers/shapes.ts";
import { parseBreak, parseLocation } from "../breakpoints/location.ts";
import { toRow } from "../breakpoints/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { report } from "../running/moving.ts";
import { declared, typedMap } from "../sessions/start-arguments.ts";
import { begin, plainValues, sessionless, startCall } from "./one-run.ts";
import { type ProbeResult, probeResult } from "./probe-shape.ts";
import { probeText } from "./probe-text.ts";
import { RUN_SPELLED, RUNS, running, runRequest, stdinOf } from "./running.ts";

const args = z.object({
  locations: z
    .array(z.string())
    .optional()
    .describe("file:line, or 'file:line if <expression>'")
    .meta({ brief: "file:line[ if expr]" }),
  eval: z.array(z.string()).optional().describe("show this expression there").meta({ mcp: "expressions" }),
  hits: z
    .number()
    .int()
    .positive()
    .max(10_000)
    .default(1)
    .describe("stop the Nth time it is reached")
    .meta({ brief: "Nth hit" }),
  function: z
    .array(z.string())
    .optional()
    .describe("stop where this function is called")
    .meta({ list: "one" }),
  exception: z.boolean().optional().describe("stop at an uncaught exception").meta({ brief: "uncaught" }),
  condition: z.string().optional().describe("stop only when this expression is true"),
  timeout: z.number().positive().optional().describe("end the program after this many seconds (default 30)"),
  ...running,
});
type Args = z.infer<typeof args>;

export const probe = command({
  name: "probe",
  summary: "run to a location, show the stop and the expressions you ask for, then end the program",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args,
  result: probeResult,
  cli: { positionals: ["locations"], rest: "args", short: { eval: "e" } },
  library: { name: "probe", names: { args: "command" } },
  mcp: {
    tool: "probe",
    action: "place",
    spelled: RUN_SPELLED,
    takes: ["locations", "function", "exception", "eval", "hits", "condition", ...RUNS, "timeout"],
    oneOf: [["locations"], ["function"], ["exception"]],
    brief:
      "to locations, function or exception; shows the stop and expressions. Without command the location's file runs.",
  },
  examples: [
    "sonde probe app.py:42 --eval 'len(items)'",
    "sonde probe src/cart.js:17 --hits 3 -- npm test",
    "sonde probe main.c:9 --build",
    "sonde probe --function parse --condition 'depth > 3' -- ./app input.txt",
  ],
  run: async (context, args) => {
    const locations = args.locations ?? [];
    if (locations.length === 0 && !args.function?.length && !args.exception)
      throw new SondeError("BAD_ARGUMENT", "probe where?", {
        hint: advice`${call("probe", { locations: blank("file:line") })}, or ${option({ function: blank("name") })}, or ${option({ exception: true })}`,
      });
    checkPlaces(locations, args);
    const [first] = locations;
    const map = typedMap(context, args.map);
    const words = args.args?.length ?? 0;
    const file =
      first === undefined
        ? undefined
        : parseLocation(parseBreak(first).location, context.cwd, undefined, { map, has: () => words > 0 })
            .path;
    const stdin = await stdinOf(context, args);
    return context.once(runRequest(context, args, file), async (launch, signal) => {
      const session = await begin(launch, stdin, signal, { breakpoints: placesOf(context, launch, args) });
      const places = session.breakpoints.list();
      const seen = await runTo(context, session, args, signal);
      const ran = file === undefined || args.args?.length ? {} : { ran: file };
      const failed = launch.notes.of("failed-condition").length > 0;
      return {
        ...seen,
        places: places.map(toRow),
        ...(failed ? { conditionFailed: true as const } : {}),
        ...ran,
        again: startAgain(args),
      };
    });
  },
  text: probeText,
});

/** `probe app.py:3 python3 app.py` is a command line that lacks its `--`. */
function checkPlaces(locations: readonly string[], args: Args): void {
  const at = locations.findIndex((one) => !/:\d+(:\d+)?$/.test(parseBreak(one).location));
  if (at < 1) return;
  const places = locations.slice(0, at);
  const words = [...locations.slice(at), ...(args.args ?? [])];
  throw new SondeError("BAD_ARGUMENT", `\`${locations[at]}\` is not a place`, {
    hint: advice`with a command line: ${call("probe", { locations: places, args: words })}`,
  });
}

function placesOf({ cwd }: Context, launch: Launch, args: Args): BreakpointSpec[] {
  const { condition } = args;
  const also = condition === undefined ? {} : { condition };
  const { breakpoints } = declared({ cwd }, launch, { break: args.locations, functionBreak: args.function });
  return breakpoints.map((spec) => ({ ...spec, ...also }));
}

/** Every hit on the way is looked at too: it may be the last. */
async function runTo(
  context: Context,
  session: Session,
  { hits: wanted, timeout, eval: expressions }: Args,
  signal: AbortSignal,
): Promise<Pick<ProbeResult, "found" | "wanted" | "hit" | "ended">> {
  const timeoutMs = timeout === undefined ? context.waits.stopMs : timeout * 1000;
  const until = performance.now() + timeoutMs;
  const look = (outcome: Outcome) => report(context, session, outcome, { eval: expressions, timeoutMs });
  let last: MoveResult | undefined;
  for (let hit = 0; ; ) {
    const outcome = await awaitStop(session, { timeoutMs: Math.max(0, until - performance.now()), signal });
    if (outcome.kind !== "stopped") {
      const found = last ?? (await look(outcome));
      const ended = outcome.kind === "ended" && last ? { ended: { ...outcome.ending } } : {};
      return { found: whole(session, found), wanted, hit, ...ended };
    }
    if (isPlace(outcome.stop)) {
      session.seen.clear(); // nobody was shown the hits before this one
      last = await look(outcome);
      if (outcome.stop.reason === "exception") return { found: whole(session, last), wanted, hit };
      hit++;
      if (hit >= wanted) return { found: whole(session, last), wanted, hit };
    }
    await resume(session);
  }
}

/** Not a `debugger` statement, or a stop that an adapter makes at the start. */
function isPlace({ reason, hits }: Stop): boolean {
  return hits.length > 0 || reason === "exception" || /breakpoint/.test(reason);
}

/** With all it printed that is kept, not only of what it printed since the last hit. */
function whole(session: Session, result: MoveResult): MoveResult {
  const output = keptOutput(session.output);
  if (result.state !== "stopped") return { ...result, output };
  const { snapshot } = result;
  return {
    ...result,
    snapshot: {
      ...snapshot,
      values: plainValues(snapshot.values),
      output,
      notes: [...new Set(sessionless([...session.launch.notes.all, ...snapshot.notes]))],
    },
    evaluations: result.evaluations.map((one) =>
      one.value ? { ...one, value: plainValues([one.value])[0] } : one,
    ),
  };
}

function startAgain(args: Args): Call {
  const { locations = [], function: functions = [], args: words = [], condition } = args;
  const file = locations[0]?.replace(/:\d+(:\d+)?( if .*)?$/s, "");
  const holds = condition === undefined ? "" : ` if ${condition}`;
  return startCall(args, words.length === 0 ? file : undefined, {
    break: locations.map((one) => `${one}${holds}`),
    functionBreak: functions,
  });
}
