/** trace: a run, recorded. */
import * as z from "zod";
import { advice, blank, call, named, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import type { Collector } from "../../trace/collector.ts";
import type { Plan } from "../../trace/plan.ts";
import { type Met, trace as traced } from "../../trace/trace.ts";
import { plural } from "../../util/text.ts";
import { parseLocation } from "../breakpoints/location.ts";
import type { Context, RunRequest } from "../context.ts";
import { command } from "../define.ts";
import { sourcesOf } from "../running/moving.ts";
import {
  RUN_SECS,
  RUN_SPELLED,
  RUNS,
  type Running,
  ranOf,
  running,
  runRequest,
  stdinOf,
  titleOf,
} from "../runs/running.ts";
import { Trigger, trigger } from "../runs/trigger.ts";
import { parseMap } from "../sessions/start-arguments.ts";
import { answer } from "./answer.ts";
import { boundsOf, foldersOf, PLANS, type Planning, planning, planOf } from "./arguments.ts";
import { nextTrace } from "./next.ts";
import { printedIn } from "./output.ts";
import { traceResult } from "./shapes.ts";
import { traceText } from "./text.ts";
import { refuseUnbound } from "./unbound.ts";

export const trace = command({
  name: "trace",
  summary: "run a program to its end and record values at every hit of a line, or whole calls of a function",
  group: "runs",
  skill: true,
  needs: "nothing",
  effect: "changes",
  makes: "trace",
  args: z.object({
    ...planning,
    calls: z
      .boolean()
      .optional()
      .describe(
        "list which of your functions ran (Python, Node), how often, who called them, and their share of the time",
      )
      .meta({ brief: "your functions that ran" }),
    pid: z
      .number()
      .int()
      .positive()
      .optional()
      .describe(
        "record a running process for --max-seconds (default here 10, or 30 with --run), and leave it running",
      ),
    timeline: z
      .boolean()
      .optional()
      .describe(
        "show the hits of all locations, threads and processes in one list, in the order they happened",
      )
      .meta({ brief: "by the clock" }),
    run: trigger,
    hits: z
      .number()
      .int()
      .positive()
      .optional()
      .describe(
        "end the recording after this many hits (with --function: calls), and the program too if Sonde started it",
      ),
    follow: z.boolean().optional().describe("report the number of hits while it runs"),
    feedback: z
      .boolean()
      .optional()
      .describe(
        'print only the values and stacks at each location, as JSON for other tools: {"watchpoints": …, "breakpoints": …} (docs/runtime-feedback.schema.json; with --json: `data.feedback`)',
      ),
    ...running,
  }),
  result: traceResult,
  cli: { rest: "args", belongs: { watch: "at", condition: "at" } },
  library: { name: "trace", names: { args: "command" } },
  mcp: {
    tool: "trace",
    action: "record",
    spelled: RUN_SPELLED,
    takes: [...PLANS, "calls", "hits", "timeline", "pid", "run", ...RUNS],
    oneOf: [["at"], ["function"], ["calls"]],
    usual: () => ({ maxSeconds: RUN_SECS }),
    watched: "follow",
    brief:
      "expressions at every hit of `at`, each line of function's calls, or with `calls` which functions ran.",
  },
  examples: [
    "sonde trace --at loop.c:6 --watch i --watch sum -- ./loop",
    "sonde trace --at app.py:12=total,len(items) --at app.py:30=result -- python app.py",
    "sonde trace --at cart.js:40 --watch total --condition 'total < 0' -- node cart.js",
    "sonde trace --function work -- python app.py",
    "sonde trace --calls -- pytest tests/test_cart.py",
    "sonde trace --pid 4242 --at server.py:88 --watch request.path --max-seconds 10",
    "sonde trace --pid 4242 --at server.js:30=req.url --run 'curl -s localhost:3000/cart'",
  ],
  run: async (context, args) => {
    // Whether a file that is not here is the program's is known once it is known what runs.
    const isNamed = args.pid !== undefined || (args.args ?? []).length > 0;
    const plan = wholePlan(context, args, () => isNamed);
    const program = plan.points[0]?.path;
    if (plan.points.length === 0 && plan.lines === undefined && plan.calls === undefined)
      throw new SondeError("BAD_ARGUMENT", "trace what?", {
        hint: advice`${option({ at: blank("file:line"), watch: blank("expression") })}, ${option({ function: blank("name") })}, or ${option({ calls: true })}, and the command line: ${option({ args: blank("command") })}`,
      });
    if (args.run !== undefined && args.pid === undefined)
      throw new SondeError("BAD_ARGUMENT", advice`${named("run")} belongs to ${named("pid")}`, {
        hint: advice`start the program yourself and give its pid: ${call("trace", { pid: blank("pid"), run: blank("command") })}`,
      });
    const stdin = await stdinOf(context, args);
    const request =
      args.pid === undefined ? runRequest(context, args, program) : attachRequest(context, args.pid, args);
    const file = plan.points[0]?.key.replace(/:\d+$/, "");
    const title = args.pid === undefined ? titleOf(args, file) : `pid ${args.pid}`;
    const ran = args.pid === undefined ? ranOf(args, file) : { pid: args.pid };
    return context.once(request, async (launch, signal) => {
      for (const { key } of plan.points) parseLocation(key, context.cwd, undefined, sourcesOf(launch));
      const bounds =
        args.pid === undefined
          ? boundsOf(args)
          : { ...boundsOf(args), ...endless(args.maxSeconds, args.run) };
      let met: Met = { called: new Set(), declared: new Set() };
      const begun = args.run === undefined ? undefined : new Trigger(context, args.run, bounds.total);
      const price = new PriceNote(context, args.follow ?? false);
      const record = await traced({
        title,
        ran,
        plan,
        launch,
        stdin,
        collector: args.collector,
        bounds,
        signal,
        met: (functions) => {
          met = functions;
        },
        ...(args.follow ? { progress: progressTo(context) } : {}),
        chosen: (collector) => price.of(collector),
        ...(begun === undefined ? {} : { during: () => begun.run() }),
      })
        .finally(() => price.forget())
        .catch(async (error: unknown) => {
          await begun?.ended().catch(() => {}); // why there is no record is the better answer
          throw error;
        });
      const triggered = await begun?.ended();
      const printed = printedIn(context, launch, record.seen === 0 ? undefined : args);
      const saved = context.traces.save(record, printedBy(launch));
      refuseUnbound(saved.record);
      const outputFile = context.traces.outputPath(saved.record.id);
      const next =
        args.pid === undefined && !args.feedback && plan.calls === undefined
          ? await nextTrace(saved.record, met, {
              running: args,
              program: plan.points[0]?.path,
              cwd: context.cwd,
            })
          : undefined;
      return answer(saved.record, saved.file, {
        ...printed,
        outputFile,
        triggered,
        timeline: args.timeline ?? false,
        next,
        feedback: args.feedback ?? false,
      });
    });
  },
  text: traceText,
});

type Asked = Planning &
  Running & { calls?: boolean | undefined; hits?: number | undefined; timeline?: boolean | undefined };

function wholePlan(context: Context, args: Asked, has: () => boolean): Plan {
  const plan = {
    ...planOf(context, args, has),
    ...(args.hits === undefined ? {} : { hits: args.hits }),
  };
  if (!args.calls) return plan;
  if (args.hits !== undefined || args.timeline)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("calls")} only counts calls: it cannot be combined with ${named("hits")} or ${named("timeline")}`,
    );
  if (plan.points.length > 0 || plan.lines !== undefined)
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("calls")} cannot be combined with ${named("at")} or ${named("function")}`,
    );
  return { ...plan, calls: { under: foldersOf(context.cwd, args) } };
}

/** As far as it was kept. */
export function printedBy({ output }: Launch): string {
  const { events } = output.read(0, new Set(["stdout", "stderr"]));
  return events.map(({ text }) => text).join("");
}

function attachRequest({ cwd }: Context, pid: number, { adapter, map }: Running): RunRequest {
  const named = adapter === undefined ? {} : { adapter };
  return { request: "attach", plan: { pid, extra: {}, ...named, ...parseMap(map, cwd) } };
}

/** A process that is only visited may be quiet for as long as the caller likes. */
function endless(
  maxSeconds: number | undefined,
  run: string | undefined,
): { total: number; first: number; quiet: number } {
  const total = maxSeconds ?? (run === undefined ? VISIT_SECS : RUN_SECS);
  return { total, first: total, quiet: total };
}

const VISIT_SECS = 10;

/** Long enough to wonder. */
const LONG_MS = 5_000;

/** Who waits knows what for: at once where the run is followed, otherwise once it turns out to be long. */
class PriceNote {
  readonly #context: Context;
  readonly #follows: boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Context, follows: boolean) {
    this.#context = context;
    this.#follows = follows;
  }

  of({ name, price }: Collector): void {
    if (price === undefined || this.#context.quiet) return;
    const less = advice`${option({ hits: blank("number") })} stops after that many hits`;
    const note = advice`recording by ${name}, which takes ${price} for each hit; ${less}\n`;
    const say = () => this.#context.chunk(this.#context.say(note));
    if (this.#follows) say();
    else this.#timer = setTimeout(say, LONG_MS);
  }

  forget(): void {
    clearTimeout(this.#timer);
  }
}

const SAY_EVERY_MS = 1000;

function progressTo(context: Context): (seen: number) => void {
  let next = 0;
  return (seen) => {
    const now = performance.now();
    if (now < next) return;
    next = now + SAY_EVERY_MS;
    context.chunk(`… ${plural(seen, "hit")}\n`);
  };
}
