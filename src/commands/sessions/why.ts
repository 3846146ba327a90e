/** why: what made the program stop here, and who wanted that. Only what is known: nothing is guessed. */
import * as z from "zod";
import type { Told } from "../../advice/advice.ts";
import type { Breakpoint } from "../../session/breakpoints/breakpoint.ts";
import { knownPlace } from "../../session/stack/snapshot.ts";
import { whyNoValue } from "../../session/values/evaluate.ts";
import { oneLine } from "../../util/text.ts";
import { frameLine, told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { look } from "../values/look.ts";
import { deed } from "./hands.ts";

const value = z.object({
  name: z.string(),
  value: z.string().exactOptional(),
  error: told().exactOptional(),
});

const rule = z.object({
  id: z.number(),
  kind: z.string(),
  at: z.string(),
  hit: z.number().describe("how often it has been hit, this time included"),
  condition: z.string().exactOptional(),
  hitCondition: z.string().exactOptional(),
  values: z.array(value).describe("what the names in its condition stand for, here"),
  setBy: deed.exactOptional().describe("the command that set it"),
  earlier: z
    .array(z.object({ stop: z.number(), at: z.number(), hit: z.number() }))
    .describe("stops before at it"),
});

export const why = command({
  name: "why",
  summary:
    "show why the program stopped here: the breakpoint, its condition's values, earlier hits, who set it",
  group: "where",
  needs: "stopped",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    session: z.string(),
    stop: z.object({
      number: z.number(),
      at: z.number(),
      reason: z.string(),
      description: z.string().exactOptional(),
    }),
    frame: frameLine.exactOptional(),
    breakpoints: z.array(rule),
    movedBy: deed.exactOptional().describe("the command that let it run up to here"),
  }),
  run: async (context) => {
    const { session } = context;
    const { stop } = session.focus.debuggee;
    const hands = context.hands(session.launch);
    const hits = stop?.hits ?? [];
    const breakpoints = [];
    for (const { id, hit } of hits) {
      const one = session.breakpoints.find(id);
      const setBy = hands.setBy(id);
      breakpoints.push({
        id,
        kind: one?.kind ?? "line",
        at: hits.find((other) => other.id === id)?.at ?? "",
        hit,
        ...(one?.condition === undefined ? {} : { condition: one.condition }),
        ...(one?.hitCondition === undefined ? {} : { hitCondition: one.hitCondition }),
        values: await valuesIn(context, one),
        ...(setBy === undefined ? {} : { setBy }),
        earlier: session.earlierStops.flatMap(({ number, at, stop: before }) =>
          before === stop
            ? []
            : before.hits.flatMap((other) => (other.id === id ? [{ stop: number, at, hit: other.hit }] : [])),
        ),
      });
    }
    const movedBy = hands
      .deeds()
      .findLast(({ effect, command: name }) => effect === "moves" || STARTS.has(name));
    const frame = knownPlace(session);
    return {
      session: session.name,
      stop: {
        number: session.stopped.count,
        at: session.stopped.at,
        reason: stop?.reason ?? "",
        ...(stop?.description === undefined ? {} : { description: stop.description }),
      },
      ...(frame === undefined ? {} : { frame }),
      breakpoints,
      ...(movedBy === undefined ? {} : { movedBy }),
    };
  },
  text: ({ session, stop, breakpoints, movedBy }, { say }) =>
    lines(
      `stop ${stop.number}: ${stop.reason}  · session ${session}`,
      breakpoints.flatMap(({ id, at, hit, condition, values, setBy, earlier }) => [
        `breakpoint ${id}  ${oneLine(at)}${condition === undefined ? "" : ` if ${oneLine(condition)}`}  hit ${hit}${earlier.length === 0 ? "" : `, before at stop ${earlier.map((one) => one.stop).join(", ")}`}`,
        ...values.map((one) => `  ${one.name} = ${one.value ?? `<${say(one.error ?? "unavailable")}>`}`),
        ...(setBy === undefined ? [] : [`  set by ${byText(setBy)}`]),
      ]),
      movedBy !== undefined && `brought here by ${byText(movedBy)}`,
    ),
});

const STARTS = new Set(["start", "attach", "restart"]);

function byText({ by, line, at, agent, toolId }: z.infer<typeof deed>): string {
  const who =
    agent === undefined
      ? ""
      : `  agent ${oneLine(agent)}${toolId === undefined ? "" : `, tool call ${oneLine(toolId)}`}`;
  return `${by}: ${oneLine(line)}  ${new Date(at).toTimeString().slice(0, 8)}${who}`;
}

/** Names and paths of names; a name that is none here (a keyword, a function of the language) is left out. */
const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const QUOTED = /(["'`])(?:\\.|(?!\1).)*\1/g;
const MOST_NAMES = 8;

async function valuesIn(
  context: Context,
  breakpoint: Breakpoint | undefined,
): Promise<z.infer<typeof value>[]> {
  const condition = breakpoint?.condition;
  if (condition === undefined) return [];
  const names = [...new Set(condition.replace(QUOTED, "").match(NAMES) ?? [])].slice(0, MOST_NAMES);
  const found: z.infer<typeof value>[] = [];
  for (const name of names) {
    try {
      const read = await look(context, context.session, name, { chars: context.limits.valueChars });
      found.push({ name, value: read.value });
    } catch (thrown) {
      const error: Told = whyNoValue(thrown);
      if (name.includes(".")) found.push({ name, error });
    }
  }
  return found;
}
