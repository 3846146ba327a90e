/** handover ask, give, take, and transcript: a session that a person and an agent share. */
import * as z from "zod";
import { advice, call, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { oneLine, plural } from "../../util/text.ts";
import { wait } from "../../util/wait.ts";
import { owner, told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";

/** How long an agent waits for a person, unless it says otherwise. */
const WAIT_SECS = 60;

const handed = z.object({ session: z.string(), owner, note: told().exactOptional() });

export const handoverAsk = command({
  name: "handover ask",
  summary: "ask the person who has taken over the session to give it back, and wait for that",
  group: "session",
  needs: "session",
  effect: "changes",
  anyHands: true,
  args: z.object({
    why: z.string().max(500).optional().describe("what for, in a sentence: the page shows it"),
    timeout: z.number().nonnegative().default(WAIT_SECS).describe("seconds to wait for it"),
  }),
  result: handed.extend({ given: z.boolean() }),
  cli: { positionals: ["why"], join: true },
  mcp: { tool: "debug", action: "ask_back", takes: ["why", "timeout"], brief: "from a person." },
  examples: ["sonde handover ask 'I want to run the fixed program'"],
  run: async (context, { why, timeout }) => {
    const { launch } = context;
    const hands = context.hands(launch);
    const had = hands.owner.who === "person";
    if (had) hands.ask(why);
    const { done } = await wait(hands.whenGiven(), { timeoutMs: timeout * 1000, signal: context.signal });
    const note: Told | undefined = done
      ? undefined
      : context.isWatched
        ? advice`the page shows the question; ${call("handover ask", {}, launch.name)} waits on`
        : advice`nobody has the page open: ${call("handover take", {}, launch.name)} takes it`;
    return {
      session: launch.name,
      owner: hands.owner,
      given: done,
      ...(note === undefined ? {} : { note }),
    };
  },
  text: ({ session, given, note }, { say }) =>
    lines(
      given ? `${session} is yours` : `a person still has ${session}`,
      note !== undefined && `next: ${say(note)}`,
    ),
});

export const handoverGive = command({
  name: "handover give",
  summary: "give the session back to the agent, with a line that says what changed",
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
    refuseTaking(context, launch.name);
    const note = hands.give(why);
    return { session: launch.name, owner: hands.owner, ...(note === undefined ? {} : { note }) };
  },
  text: ({ session, note }, { say }) =>
    note === undefined ? `the agent has ${session} already\n` : `${say(note)}\n`,
});

/** What a person has is given by the person, as long as there is one. */
function refuseTaking(context: Context, session: string): void {
  const { who } = context.hands(context.launch).owner;
  if (context.by === "page" || who !== "person" || !context.isWatched) return;
  throw new SondeError("TAKEN_OVER", `a person has ${session}, and the page is open`, {
    hint: advice`${call("handover ask", {}, session)} asks for it`,
  });
}

export const handoverTake = command({
  name: "handover take",
  summary: "take the session over on the page; elsewhere, take it back when nobody has the page open",
  group: "session",
  needs: "session",
  effect: "changes",
  anyHands: true,
  args: z.object({}),
  result: handed,
  run: async (context) => {
    const { launch } = context;
    const hands = context.hands(launch);
    if (context.by === "page") hands.take();
    else refuseTaking(context, launch.name);
    const note = context.by === "page" ? undefined : hands.give("nobody had the page open");
    return { session: launch.name, owner: hands.owner, ...(note === undefined ? {} : { note }) };
  },
  text: ({ session, owner: { who }, note }, { say }) =>
    note === undefined
      ? `${session}: ${who === "person" ? "yours" : "the agent has it"}\n`
      : `${say(note)}\n`,
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
  summary: "show who did what in the session: typed, by a tool call, by a program, or on the page",
  group: "session",
  needs: "session",
  effect: "reads",
  args: z.object({
    since: z.number().int().nonnegative().optional().describe("only what came after this number"),
    tail: z.number().int().positive().default(50).describe("the last of them"),
  }),
  result: z.object({ session: z.string(), owner, entries: z.array(deed), earlier: z.number() }),
  examples: ["sonde transcript --tail 10"],
  run: async (context, { since, tail }) => {
    const { launch } = context;
    const hands = context.hands(launch);
    const all = hands.deeds(since);
    const entries = all.slice(-tail);
    return { session: launch.name, owner: hands.owner, entries, earlier: all.length - entries.length };
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
