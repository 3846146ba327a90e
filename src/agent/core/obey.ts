/** Carries out what is asked of a run. Every command is answered; both are recorded, unless it was only a look. */
import type * as z from "zod";
import { asSondeError, SondeError } from "../../errors.ts";
import { plural } from "../../util/text.ts";
import type { AgentState } from "./agents.ts";
import { describeBreakpoint } from "./breakpoints.ts";
import {
  type AgentCommand,
  breakpointShape,
  COMMAND_SHAPES,
  type CommandAnswer,
  type CommandData,
  type CommandType,
} from "./commands.ts";
import type { Hold } from "./gate.ts";
import { PAUSED } from "./model-calls.ts";
import type { Run } from "./run.ts";
import { snapshot } from "./snapshot.ts";
import type { ToolCalls } from "./tool-calls.ts";

export interface Parts {
  run: Run;
  tools: ToolCalls;
}

type Data = Record<string, unknown>;
type Handlers = {
  [T in CommandType]: (run: Run, data: CommandData<T>, by: Origin, tools: ToolCalls) => Data | Promise<Data>;
};
type Origin = "file" | "socket";

export async function answerCommand(
  parts: Parts,
  command: AgentCommand,
  origin: Origin,
): Promise<CommandAnswer> {
  const { id, type } = command;
  let answer: CommandAnswer;
  try {
    const data = await carryOut(parts, command, origin);
    answer = { commandId: id, type, ok: true, data };
  } catch (thrown) {
    const { code, message, hint } = asSondeError(thrown);
    answer = {
      commandId: id,
      type,
      ok: false,
      error: { code, message, ...(hint === undefined ? {} : { hint }) },
    };
  }
  if (!onlyLooks(command, answer, origin)) record(parts.run, answer, origin);
  return answer;
}

/**
 * Who looks often (a page that follows the run looks whenever the record grows) must not make the record grow. Whoever asks by the file
 * finds the answer in the record, and `all` is asked for to have it there.
 */
function onlyLooks({ type, data }: AgentCommand, { ok }: CommandAnswer, origin: Origin): boolean {
  return ok && origin === "socket" && type === "inspect" && data?.what !== "all";
}

/** What an answer may take in the log itself; a whole request is longer. */
const LONGEST_LOGGED = 16 * 1024;

function record(run: Run, answer: CommandAnswer, origin: Origin): void {
  const { commandId, type } = answer;
  if (answer.ok) run.emit("command_executed", { commandId, type, origin });
  run.emit("command_response", {
    ...answer,
    success: answer.ok,
    ...(answer.ok ? { data: logged(run, answer.data) } : {}),
  });
  run.log.flush();
}

function logged(run: Run, data: Data): Data {
  const text = JSON.stringify(data);
  return text.length > LONGEST_LOGGED ? { stored: run.log.store(text) } : data;
}

async function carryOut({ run, tools }: Parts, { type, data }: AgentCommand, origin: Origin): Promise<Data> {
  if (!isKnown(type))
    throw new SondeError("UNKNOWN_COMMAND", `there is no command ${JSON.stringify(type).slice(0, 60)}`, {
      hint: `known: ${Object.keys(COMMAND_SHAPES).join(", ")}`,
    });
  const parsed = COMMAND_SHAPES[type].strict().safeParse(data ?? {});
  if (!parsed.success) throw badData(type, parsed.error.issues[0]);
  // The compiler cannot see that a shape and a handler of the same name belong together.
  const handler = HANDLERS[type] as (...all: [Run, unknown, Origin, ToolCalls]) => Data | Promise<Data>;
  return handler(run, parsed.data, origin, tools);
}

function isKnown(type: string): type is CommandType {
  return Object.hasOwn(COMMAND_SHAPES, type);
}

function badData(type: string, issue: z.core.$ZodIssue | undefined): SondeError {
  const at = issue?.path.join(".");
  return new SondeError(
    "BAD_ARGUMENT",
    `${type}: ${at ? `\`${at}\` ` : ""}${issue?.message ?? "invalid data"}`,
  );
}

const HANDLERS: Handlers = {
  pause: (run, { agent }) => {
    if (agent === undefined) {
      run.pausing = true;
      run.pausedAt = performance.now();
    } else known(run, agent).paused = PAUSED;
    return { ...standing(run), boundary: "before the next model call" };
  },

  resume: (run, { stop, agent }, by) => {
    if (stop !== undefined) {
      run.gate.end(run.gate.get(stop), { how: "release" }, by);
      return { ...standing(run), released: [stop] };
    }
    if (agent !== undefined) known(run, agent);
    if (!run.paused) throw notHeld("resume");
    const holds = heldOf(run, agent);
    // A pause that was asked for while these were held already is about what comes after them.
    const isAhead =
      agent === undefined &&
      run.pausing &&
      holds.some(({ began, stop: { reason } }) => reason !== "pause" && began < run.pausedAt);
    unpause(run, agent);
    run.pausing ||= isAhead;
    const clientGone = holds.flatMap(({ stop }) => (stop.orphaned ? [stop.id] : []));
    const released = release(run, holds, by);
    return { ...standing(run), released, ...(clientGone.length === 0 ? {} : { clientGone }) };
  },

  step: (run, { kind, stop, agent }, by) => {
    const chosen = stop === undefined ? undefined : run.gate.get(stop).stop.agent.id;
    const ids = [chosen ?? agent ?? steppedAgents(run)].flat();
    const states = ids.map((id) => known(run, id));
    spreadPause(run);
    for (const state of states) {
      state.paused = undefined;
      state.step = kind;
    }
    const holds = stop === undefined ? ids.flatMap((id) => heldOf(run, id)) : [run.gate.get(stop)];
    const released = release(run, holds, by);
    return { ...standing(run), released, until: UNTIL[kind] };
  },

  inspect: (run, { what, agent }) => {
    const state = agent === undefined ? mostInteresting(run) : known(run, agent);
    const { sessionId } = run.options;
    const held = heldOf(run, state.ref.id).find(({ stop }) => stop.at === "model")?.edited;
    const data = snapshot(state, what, { sessionId, paused: run.paused, stops: run.stops, held });
    if (what === "all") run.emit("state_snapshot", { ...data, stops: run.stops.map(({ id }) => id) });
    return { ...data, agents: run.agents.all.map(({ ref }) => ref.id) };
  },

  inject_message: (run, { role, content, agent }) => {
    const state = agent === undefined ? mostInteresting(run) : known(run, agent);
    const { id } = run.inject(state, { role, content });
    const held = heldOf(run, state.ref.id).find(({ stop }) => stop.at === "model");
    return {
      id,
      agent: state.ref.id,
      ...standing(run),
      goesWith: held ? `the held call (${held.stop.id})` : "the next model call",
      ...(role === "assistant"
        ? { note: "some models refuse a conversation that ends with the assistant" }
        : {}),
    };
  },

  set_variable: (run, { key, value, agent }) => ({
    ...setVariable(run, key, value, agent),
    ...standing(run),
  }),

  cancel_tool: (run, { toolId, reason }, by, tools) => ({
    toolId,
    ...tools.cancel(toolId, reason, by),
    ...standing(run),
  }),

  edit_tool: (run, { toolId, input, exact, resume }, by, tools) => {
    const hold = tools.edit(toolId, input, exact);
    if (resume) letGo(run, hold, by);
    return { toolId, stop: hold.stop.id, input, ...standing(run) };
  },

  edit_request: (run, { stop, body, exact, resume }, by) => {
    const hold = heldCall(run, stop);
    hold.edited.body = exact ?? JSON.stringify(body);
    if (resume) letGo(run, hold, by);
    return { stop: hold.stop.id, bytes: hold.edited.body.length, ...standing(run) };
  },

  kill_call: (run, { stop, text }, by) => {
    const hold = heldCall(run, stop);
    const message = "this call was ended in the debugger and not sent";
    run.gate.end(hold, text === undefined ? { how: "fail", message } : { how: "answer", text }, by);
    return {
      stop: hold.stop.id,
      agentGets: text === undefined ? "an error" : "an answer",
      ...standing(run),
    };
  },

  breakpoint: (run, { action, id, ...request }) => breakpoint(run, action, id, request),

  wait: async (run, { timeoutMs }, by) => {
    if (run.stops.length === 0 && by === "socket") await stopOrTime(run, timeoutMs);
    return { ...standing(run), ended: run.closed };
  },

  checkpoint: (run, { label }) => {
    const checkpoint = conversation(run, "checkpoint").checkpoint(label);
    run.emit("checkpoint", { checkpoint, ...(label === undefined ? {} : { label }) });
    return { ...standing(run), checkpoint };
  },

  rewind: (run, { checkpoint }) => {
    conversation(run, "rewind").rewind(checkpoint);
    run.emit("rewind", { checkpoint });
    return { ...standing(run), checkpoint };
  },

  sonde_call: (run, data, _by, tools) => {
    const { running } = tools;
    const naming = running.filter(({ input }) => (JSON.stringify(input) ?? "").includes("sonde"));
    const [only, ...others] = naming.length > 0 ? naming : running;
    const toolId = only && others.length === 0 ? only.id : undefined;
    run.emit("sonde_call", { ...data, ...(toolId === undefined ? {} : { toolId }) });
    return toolId === undefined ? {} : { toolId };
  },
};

const UNTIL = {
  model: "before the next model call, or the end of the turn",
  tool: "before the next tool call, or the end of the turn",
  turn: "the end of the turn",
} as const;

/** What is the case after a command. */
function standing(run: Run): Data {
  return { paused: run.paused, stops: run.stops };
}

function known(run: Run, id: string): AgentState {
  const state = run.agents.get(id);
  if (state) return state;
  const ids = run.agents.all.map(({ ref }) => ref.id).join(", ");
  throw new SondeError("BAD_ARGUMENT", `there is no agent ${id}`, { hint: `there are: ${ids}` });
}

/** The one that is held, or else the main one. */
function mostInteresting(run: Run): AgentState {
  const held = new Set(run.stops.map(({ agent }) => agent.id));
  const [first] = held;
  return known(run, held.size === 1 && first !== undefined ? first : "main");
}

/** Those that are held; else all that are paused; else the main one. */
function steppedAgents(run: Run): string[] {
  const held = [...new Set(run.stops.map(({ agent }) => agent.id))];
  return held.length > 0 ? held : ["main"];
}

function heldOf(run: Run, agent: string | undefined): Hold[] {
  return run.gate.holds.filter(({ stop }) => agent === undefined || stop.agent.id === agent);
}

function release(run: Run, holds: readonly Hold[], by: Origin): string[] {
  for (const hold of holds) run.gate.end(hold, { how: "release" }, by);
  return holds.map(({ stop }) => stop.id);
}

function unpause(run: Run, agent: string | undefined): void {
  if (agent === undefined) run.pausing = false;
  else spreadPause(run);
  for (const state of run.agents.all) {
    if (agent !== undefined && state.ref.id !== agent) continue;
    state.paused = undefined;
    state.step = undefined;
    state.pending = undefined;
  }
}

/** A pause of all becomes a pause of each, so that one can be taken out of it. */
function spreadPause(run: Run): void {
  if (!run.pausing) return;
  run.pausing = false;
  for (const state of run.agents.all) state.paused ??= PAUSED;
}

/** One that a pause holds is not followed by another: that is what `resume` means. */
function letGo(run: Run, hold: Hold, by: Origin): void {
  if (hold.stop.reason === "pause") unpause(run, undefined);
  run.gate.end(hold, { how: "release" }, by);
}

function notHeld(what: string): SondeError {
  return new SondeError("NOT_STOPPED", `nothing to ${what}: the agent is neither held nor paused`);
}

function heldCall(run: Run, stop: string | undefined): Hold {
  if (stop !== undefined) {
    const hold = run.gate.get(stop);
    if (hold.stop.at === "model") return hold;
    throw new SondeError("BAD_ARGUMENT", `${stop} holds a tool call, not a model call`);
  }
  const [only, ...others] = run.gate.holds.filter(({ stop }) => stop.at === "model");
  if (!only)
    throw new SondeError("NOT_STOPPED", "no model call is held", { hint: "pause holds the next one" });
  if (others.length === 0) return only;
  const ids = [only, ...others].map((one) => one.stop.id).join(", ");
  throw new SondeError("BAD_ARGUMENT", `${plural(others.length + 1, "call is", "calls are")} held: ${ids}`, {
    hint: "name one of them as `stop`",
  });
}

function setVariable(run: Run, key: string, value: unknown, agent: string | undefined): Data {
  const { variables } = run.options;
  if (variables) {
    const variable = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (!variable)
      throw new SondeError("BAD_ARGUMENT", `this agent has no variable ${key}`, {
        hint: `it has: ${Object.keys(variables).join(", ") || "none"}`,
      });
    const before = variable.get();
    variable.set(value);
    run.emit("variable_set", { key, before, value: variable.get() });
    return { key, before, value: variable.get() };
  }
  if (PARTS_OF_THE_CONVERSATION.includes(key))
    throw new SondeError("BAD_ARGUMENT", `${key} is the conversation itself`, {
      hint: "inject_message adds to it; edit_request changes a held request",
    });
  const state = agent === undefined ? mostInteresting(run) : known(run, agent);
  if (value === null || value === undefined) delete state.set[key];
  else state.set[key] = value;
  run.emit("variable_set", { key, value: value ?? null, agent: state.ref.id });
  return {
    key,
    value: value ?? null,
    agent: state.ref.id,
    appliesTo: "every model call from the next one on",
  };
}

const PARTS_OF_THE_CONVERSATION = ["messages", "input", "tools", "system", "instructions", "stream"];

function breakpoint(
  run: Run,
  action: CommandData<"breakpoint">["action"],
  id: number | string | undefined,
  request: Record<string, unknown>,
): Data {
  const { breakpoints } = run;
  if (action === "add") {
    const parsed = breakpointShape.safeParse(request);
    if (!parsed.success) throw badData("breakpoint add", parsed.error.issues[0]);
    return { breakpoint: row(breakpoints.add(parsed.data)) };
  }
  if (action === "list") return { breakpoints: breakpoints.list.map(row) };
  if (action === "clear-all") return { cleared: breakpoints.clearAll() };
  const number = typeof id === "string" ? Number(id.replace(/^bp-/, "")) : id;
  if (number === undefined || !Number.isInteger(number))
    throw new SondeError("BAD_ARGUMENT", `breakpoint ${action} needs the \`id\` of one`);
  if (action === "clear")
    return { breakpoint: row(breakpoints.clear(number)), left: breakpoints.list.length };
  return { breakpoint: row(breakpoints.enable(number, action === "enable")) };
}

function row(one: Parameters<typeof describeBreakpoint>[0] & { id: number }) {
  return { ...one, about: describeBreakpoint(one) };
}

function conversation(run: Run, what: string) {
  const { conversation } = run.options;
  if (conversation) return conversation;
  throw new SondeError("UNSUPPORTED", `${what}: this agent's client keeps its conversation to itself`, {
    hint: "only an agent that uses the library can go back; a recorded run can be forked",
  });
}

function stopOrTime(run: Run, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(done, timeoutMs).unref();
    const forget = run.onStop(done);
  });
}
