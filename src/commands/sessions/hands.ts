/** handover ask, give, take, and transcript: a session that a person and an agent share. */
import * as z from "zod";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { oneLine, plural } from "../../util/text.ts";
import { owner, told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context, Hands } from "../context.ts";
import { command } from "../define.ts";

/** How long an agent waits for a person, unless it says otherwise. */
const WAIT_SECS = 60;

const handed = z.object({
  session: z.string(),
  owner,
  note: told().exactOptional().describe("what changed while a person had it"),
});

export const handoverAsk = command({
  name: "handover ask",
  summary: "ask the person who has taken over the session to give it back, and wait",
  group: "session",
  needs: "session",
  effect: "changes",
  anyHands: true,
  args: z.object({
    why: z.string().max(500).optional().describe("what you need it for; shown on the page"),
    timeout: z.number().nonnegative().default(WAIT_SECS).describe("seconds to wait for it"),
  }),
  result: z.object({
    session: z.string(),
    owner,
    given: z.boolean(),
    already: z.literal(true).exactOptional().describe("no person had it"),
    notes: z.array(told()).describe("what no answer has said yet: what changed meanwhile"),
    next: told().exactOptional(),
  }),
  cli: { positionals: ["why"], join: true },
  mcp: { tool: "debug", action: "ask_back", takes: ["why", "timeout"], brief: "from a person." },
  examples: ["sonde handover ask 'I want to run the fixed program'"],
  run: async (context, { why, timeout }) => {
    const { launch } = context;
    const hands = context.hands(launch);
    const already = hands.owner.who === "agent";
    const given = await askedFor(context, hands, why, timeout * 1000);
    const next = advice`${call("handover ask", {}, launch.name)} waits again; ${call("context", {}, launch.name)} shows it meanwhile; ${call("start", { program: blank("program") })} starts a session of your own`;
    return {
      session: launch.name,
      owner: hands.owner,
      given,
      ...(already ? { already } : {}),
      notes: given && !context.peeks ? launch.notes.take() : [],
      ...(given ? {} : { next }),
    };
  },
  text: ({ session, given, already, notes, next }, { say }) =>
    lines(
      given
        ? `${session} is yours${already && notes.length === 0 ? " already" : ""}`
        : `a person still has ${session}: the page shows your question`,
      notes.map((note) => `note: ${oneLine(say(note))}`),
      next !== undefined && `next: ${say(next)}`,
    ),
});

/** Whether it is the agent's now. Nobody is asked, or waited for, who is not there. */
async function askedFor(
  context: Context,
  hands: Hands,
  why: string | undefined,
  timeoutMs: number,
): Promise<boolean> {
  if (hands.owner.who === "agent") return true;
  const { signal } = context;
  const left = context.left(context.launch);
  if (!context.alone.aborted) {
    hands.ask(why);
    const any = AbortSignal.any([signal, left, context.alone]);
    if (await hands.whenGiven({ timeoutMs, signal: any })) return true;
    const isThere = await context.present();
    left.throwIfAborted();
    if (isThere || signal.aborted) return false;
  }
  hands.give(NOBODY);
  return true;
}

const NOBODY = "nobody had the page open";

export const handoverGive = command({
  name: "handover give",
  summary: "give the session back to the agent; the answer to its next command says what changed",
  group: "session",
  needs: "session",
  effect: "changes",
  anyHands: true,
  args: z.object({ why: z.string().max(500).optional().describe("what the agent should know") }),
  result: handed,
  cli: { positionals: ["why"], join: true },
  run: async (context, { why }) => {
    const { launch } = context;
    const hands = context.hands(launch);
    await refuseTaking(context, launch.name);
    const note = hands.give(why);
    if (note !== undefined && context.by !== "page") launch.notes.tell(note);
    return { session: launch.name, owner: hands.owner, ...(note === undefined ? {} : { note }) };
  },
  text: ({ session, note }, { say }) =>
    note === undefined ? `nothing to give: no person has ${session}\n` : `${say(note)}\n`,
});

/** What a person has is given by the person, as long as there is one. */
async function refuseTaking(context: Context, session: string): Promise<void> {
  const hands = context.hands(context.launch);
  if (context.by === "page" || hands.owner.who !== "person") return;
  if (!(await context.present()) && !context.signal.aborted) return;
  throw new SondeError("TAKEN_OVER", `a person has ${session}, and the page is open`, {
    hint: advice`${call("handover ask", {}, session)} asks for it back and waits up to a minute`,
  });
}

export const handoverTake = command({
  name: "handover take",
  summary:
    "take control of the session: on the page (`sonde ui`), from the agent; on the command line, back from the page if nobody has it open",
  group: "session",
  needs: "session",
  effect: "changes",
  anyHands: true,
  args: z.object({}),
  result: handed,
  run: async (context) => {
    const { launch } = context;
    const hands = context.hands(launch);
    if (context.by === "page") {
      hands.take();
      return { session: launch.name, owner: hands.owner };
    }
    await refuseTaking(context, launch.name);
    const note = hands.give(NOBODY);
    if (note !== undefined) launch.notes.tell(note);
    return { session: launch.name, owner: hands.owner, ...(note === undefined ? {} : { note }) };
  },
  text: ({ session, owner: { who }, note }, { say }) =>
    lines(
      `${session} is yours${who === "agent" && note === undefined ? " already" : ""}`,
      note !== undefined && `note: ${oneLine(say(note))}`,
    ),
});

export const deed = z.object({
  number: z.number(),
  at: z.number().describe("milliseconds since 1970"),
  by: z.enum(["cli", "mcp", "library", "page"]),
  command: z.string(),
  effect: z.enum(["reads", "moves", "changes"]),
  line: z.string(),
  ok: z.boolean(),
  code: z.string().exactOptional(),
  agent: z.string().exactOptional().describe("the agent's run that it came from"),
  toolId: z.string().exactOptional().describe("the tool call of that run"),
});

export const transcript = command({
  name: "transcript",
  summary:
    "show who did what in the session: on the command line, by a tool call, by a program, or on the page",
  group: "session",
  needs: "session",
  effect: "reads",
  args: z.object({
    since: z.number().int().nonnegative().optional().describe("only what came after this number"),
    tail: z.number().int().positive().default(50).describe("the last of them"),
  }),
  result: z.object({
    session: z.string(),
    launch: z.string().exactOptional().describe("for the page: which session of this name it is"),
    owner,
    entries: z.array(deed),
    earlier: z.number(),
  }),
  examples: ["sonde transcript --tail 10"],
  run: async (context, { since, tail }) => {
    const { launch } = context;
    const hands = context.hands(launch);
    const all = hands.deeds(since);
    const entries = all.slice(-tail);
    return {
      session: launch.name,
      ...(context.peeks ? { launch: launch.id } : {}),
      owner: hands.owner,
      entries,
      earlier: all.length - entries.length,
    };
  },
  text: ({ session, entries, earlier, owner: { who } }, { say }) =>
    lines(
      earlier > 0 &&
        say(
          advice`(${plural(earlier, "earlier one")}: ${call("transcript", { tail: earlier + entries.length })})`,
        ),
      entries.map(
        ({ number, at, by, line, code, agent }) =>
          `${String(number).padStart(4)}  ${new Date(at).toTimeString().slice(0, 8)}  ${by.padEnd(7)}  ${oneLine(line)}${code === undefined ? "" : `  ${code}`}${agent === undefined ? "" : `  agent ${oneLine(agent)}`}`,
      ),
      `${entries.length === 0 ? "nothing yet  · " : ""}session ${session}${who === "person" ? "  · a person has it" : ""}`,
    ),
});
