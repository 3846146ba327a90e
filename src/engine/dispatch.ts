/**
 * The path every request takes: words → command → session → state → capability → run → text. The only place where
 * errors become answers: below it they are thrown.
 */

import {
  advice,
  blank,
  call,
  joined,
  type Name,
  option,
  said,
  saidWithin,
  shell,
  type Words,
} from "../advice/advice.ts";
import { pageWithin } from "../advice/page.ts";
import { shortEnding } from "../commands/answers/snapshot-text.ts";
import { ANSWER_CEILING, safeErrorText } from "../commands/answers/text.ts";
import { cliWords } from "../commands/cli-words.ts";
import type { Context } from "../commands/context.ts";
import type { Command } from "../commands/define.ts";
import { REGISTERED } from "../commands/index.ts";
import { methodWords, readOptions } from "../commands/library-words.ts";
import { chosen } from "../commands/mcp/choosing.ts";
import { readCall } from "../commands/mcp/reading.ts";
import { type Tool, toolsOf } from "../commands/mcp/tools.ts";
import { toolWords } from "../commands/mcp/words.ts";
import { asSondeError, exitStatus, SondeError } from "../errors.ts";
import type { Launch } from "../session/launch.ts";
import { lookAlive } from "../session/processes/alive.ts";
import { type Session, sessionOf } from "../session/session.ts";
import { noRoomError } from "../util/file-errors.ts";
import { safeJson } from "../util/safe-json.ts";
import { shellWord, splitLines } from "../util/shell-words.ts";
import { cut, cutBytes } from "../util/text.ts";
import { timeoutSignal } from "../util/timeout-signal.ts";
import { type Made, madeBy, tellAgent } from "./agent-link.ts";
import { lineWords, parseArgv, Registry, takeGlobals, takeLeadingGlobals } from "./argv.ts";
import { createContext, debugged, end } from "./context.ts";
import { withOtherDebugger } from "./launch/other-debugger.ts";
import { bounded } from "./request/bounded.ts";
import { noted } from "./request/deeds.ts";
import { checkArguments, checkWords, sessionName } from "./request/input-bounds.ts";
import { lineOf, refuseChanges, surfaceOf, toPage } from "./request/page.ts";
import { validate } from "./request/validate.ts";
import { logSlow } from "./sessions/life-log.ts";
import { inTurn } from "./sessions/turns.ts";
import type { Caller, EngineReply, EngineRequest, EngineState, RequestIo, Typed } from "./types.ts";

const registry = new Registry(REGISTERED);

interface Answer {
  data: unknown;
  text: string;
}

export async function dispatch(
  state: EngineState,
  request: EngineRequest,
  io: RequestIo,
): Promise<EngineReply> {
  return request.kind === "raw" ? raw(state, request, io) : typed(state, request, io);
}

async function typed(state: EngineState, request: Typed, io: RequestIo): Promise<EngineReply> {
  const opened: Launch[] = [];
  const deeds: Caller["deeds"] = [];
  let words = wordsOf(request, undefined);
  try {
    checkWords([request.command]);
    const asked = request.as === "tool" ? toolCall(request) : commandCall(request);
    words = wordsOf(request, asked.command);
    const { cwd, env } = request;
    const late = asked.seconds === undefined ? undefined : timeoutSignal(asked.seconds * 1000);
    const signal = late ? AbortSignal.any([io.signal, late]) : io.signal;
    const by = surfaceOf(request);
    const { session, command } = asked;
    const line = () => lineOf(command.name, asked.args, session, cliWords(find)) ?? command.name;
    const about = { session, words, by, opened, deeds, command: command.name, line };
    const readOnly = request.readOnly ?? false;
    const caller: Caller = { cwd, env, io: { ...io, signal }, ...about, readOnly };
    if (readOnly) refuseChanges(asked.command, asked.args);
    const answer = await runCommand(state, asked.command, asked.args, caller).catch((thrown: unknown) => {
      throw late?.aborted && !io.signal.aborted ? tooLate(asked) : thrown;
    });
    const reply: EngineReply = { kind: "typed", ok: true, ...answer };
    tellAgent(state, request, reply, madeBy(answer.data, asked.command.makes), deeds);
    return toPage(request, reply, words);
  } catch (thrown) {
    const error = failed(state, thrown, words);
    const reply: EngineReply = { kind: "typed", ok: false, error: error.toJSON() };
    tellAgent(state, request, reply, {}, deeds);
    return toPage(request, reply, words, asSondeError(thrown));
  } finally {
    // Its caller has given it up, and knows no name to stop it by.
    if (io.signal.aborted) await Promise.all(opened.map((launch) => end(state, launch)));
  }
}

interface Asked {
  command: Command;
  args: Record<string, unknown>;
  session: string | undefined;
  /** How long it may take, where the command does not keep the time itself. */
  seconds?: number | undefined;
}

function commandCall({ command: name, args: given, as }: Typed): Asked {
  const command = registry.get(name) ?? registry.find(name.split(" ")).command;
  const { session, ...rest } = given;
  const args = as === "method" ? readOptions(command, rest) : rest;
  return { command, args, session: sessionName(session) };
}

function toolCall({ command: tool, args, offered, watched = false }: Typed): Asked {
  const { action, rest } = chosen(offeredTools(offered), tool, args, find);
  return readCall(action, rest, watched);
}

function tooLate({ command, seconds }: Asked): SondeError {
  return new SondeError("TIMEOUT", advice`${nameOf(command)}: no answer within ${seconds ?? 0} s`, {
    hint: "`timeout` gives it longer, up to 300 s",
  });
}

function find(name: string): Command | undefined {
  return registry.get(name);
}

const toolsByOffer = new Map<string, readonly Tool[]>();

function offeredTools(only: readonly string[] | undefined): readonly Tool[] {
  const key = only?.join() ?? "*";
  const known = toolsByOffer.get(key) ?? toolsOf(REGISTERED, only);
  if (toolsByOffer.size < MOST_OFFERS) toolsByOffer.set(key, known);
  return known;
}

/** Different choices of tools that are remembered. */
const MOST_OFFERS = 20;

/** What the caller is told to do, in words of its own. */
function wordsOf(request: Typed, asked: Command | undefined): Words {
  if (request.as === "tool") return toolWords(offeredTools(request.offered), find, asked);
  return request.as === "method" ? methodWords(find, asked) : cliWords(find, asked);
}

async function raw(
  state: EngineState,
  request: EngineRequest & { kind: "raw" },
  io: RequestIo,
): Promise<EngineReply> {
  const json = wantsJson(request.argv);
  let asked: Command | undefined;
  let made: Made = {};
  const deeds: Caller["deeds"] = [];
  const told = (reply: EngineReply): EngineReply => {
    tellAgent(state, request, reply, made, deeds);
    return reply;
  };
  try {
    checkWords(request.argv);
    const globals: Record<string, unknown> = {};
    const words = takeLeadingGlobals(request.argv, globals);
    if (words[0] === "do") {
      return await several(state, { ...request, argv: [...asFlags(globals), ...words.slice(1)] }, io);
    }
    const { command, args, session } = parseArgv(registry, request.argv);
    asked = command;
    const answer = await runCommand(state, command, args, {
      cwd: request.cwd,
      env: request.env,
      io,
      session,
      quiet: json,
      words: cliWords(find, command),
      by: "cli",
      command: command.name,
      line: () => ["sonde", ...request.argv.map(shellWord)].join(" "),
      deeds,
      opened: [],
    });
    made = madeBy(answer.data, command.makes);
    return told({
      kind: "raw",
      exit: command.exit?.(answer.data) ?? 0,
      text: json ? `${safeJson({ ok: true, ...bounded(answer.data, ANSWER_CEILING) })}\n` : answer.text,
    });
  } catch (thrown) {
    return told(refusal(failed(state, thrown, cliWords(find, asked)), json));
  }
}

function asFlags(globals: Record<string, unknown>): string[] {
  return [
    ...(globals.json === true ? ["--json"] : []),
    ...(globals.session === undefined ? [] : ["-s", String(globals.session)]),
  ];
}

/** `sonde do 'next; next; print x'`: one start, several commands, up to the first that fails. */
async function several(
  state: EngineState,
  request: EngineRequest & { kind: "raw" },
  io: RequestIo,
): Promise<EngineReply> {
  const { words, globals } = takeGlobals(request.argv);
  const json = globals.json === true;
  const lines = splitLines(words.join(" ; "));
  if (!lines?.length) {
    throw new SondeError("BAD_ARGUMENT", lines ? "do: no commands" : "do: a quote is not closed", {
      hint: advice`usage: ${shell("sonde do 'next; next; print x'")}`,
    });
  }
  let text = "";
  for (const line of lines) {
    const argv = [...asFlags(globals), ...lineWords(registry, line)];
    const reply = await raw(state, { ...request, argv }, io);
    if (reply.kind !== "raw") continue;
    text += `${json ? "" : `> ${line}\n`}${reply.text}`;
    const whole = json ? text : cutBytes(text, ANSWER_CEILING, CUT_DO); // a cut line would be no JSON
    if (reply.exit !== 0) return { ...reply, text: whole };
  }
  return { kind: "raw", exit: 0, text: json ? text : cutBytes(text, ANSWER_CEILING, CUT_DO) };
}

const CUT_DO = "[cut: run fewer commands in one `do`]";

/** An error as a client prints it: on stderr, or as JSON where JSON was asked for. */
function refusal(error: SondeError, json: boolean): EngineReply {
  const exit = exitStatus(error.code);
  if (json) return { kind: "raw", exit, text: `${safeJson({ ok: false, error: error.toJSON() })}\n` };
  return { kind: "raw", exit, text: "", stderr: safeErrorText(error) };
}

/** Also true when the words could not be parsed: a caller that asked for JSON gets its error as JSON. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}

async function runCommand(
  state: EngineState,
  command: Command,
  rawArgs: Record<string, unknown>,
  caller: Caller,
): Promise<Answer> {
  checkArguments(command, rawArgs);
  const args = validate(command, rawArgs);
  refuseForeground(command, args);
  await lookAlive(state.table.live.flatMap((live) => sessionOf(live) ?? []));
  const launch =
    command.needs === "nothing" ? undefined : state.table.choose({ ...caller, explicit: caller.session });
  const context = createContext(state, caller, launch);
  const began = performance.now();
  const data = await noted(state, command, caller, launch, () =>
    launch ? onLaunch(state, command, launch, context, args) : command.run(context, args),
  )
    .catch(async (thrown: unknown) => {
      throw await withOtherDebugger(state, caller, thrown);
    })
    .finally(() => logSlow(state, command.name, performance.now() - began, launch?.name));
  const { words } = caller;
  if (caller.by === "page") state.named.take(command, data, args);
  const told = caller.by === "page" ? pageWithin(data, words) : saidWithin(data, words);
  if (process.env.SONDE_CHECK_RESULTS && caller.by !== "page") command.result.parse(told);
  // A method gives its caller the data alone.
  if (caller.by === "library") return { data: told, text: "" };
  const text = command.text(data, {
    cwd: caller.cwd,
    limits: context.limits,
    say: (one) => said(one, words),
  });
  return { data: told, text: cutBytes(text, ANSWER_CEILING, "[cut at 64 KiB]") };
}

/** The client runs these itself: here they come from elsewhere, or inside a `do`. */
function refuseForeground({ name, foreground }: Command, args: Record<string, unknown>): void {
  if (foreground === undefined || (foreground !== true && args[foreground] === undefined)) return;
  throw new SondeError(
    "UNSUPPORTED",
    advice`${{ do: "name", command: name }} runs in a terminal of its own`,
    {
      hint: advice`type ${shell(`sonde ${name}`)} in a shell`,
    },
  );
}

async function onLaunch(
  state: EngineState,
  command: Command,
  launch: Launch,
  context: Context,
  args: Record<string, unknown>,
): Promise<unknown> {
  state.table.used(launch, context.peeks ? undefined : context.cwd);
  const enter = () => {
    if (command.effect !== "reads" && !command.anyHands) context.mayChange(launch);
  };
  if (context.peeks) enter(); // a person's click counts at once, whatever is under way
  const check = () => {
    enter();
    checkState(command, launch, state.table.live);
    checkCapability(command, launch);
  };
  const run = () =>
    command.run(context, args).catch((thrown: unknown) => {
      if (endedMeanwhile(launch, thrown)) checkState(command, launch, state.table.live);
      throw thrown;
    });
  return inTurn(launch, command, context.signal, { check, run });
}

/** A question to a program that dies before it can answer fails in many ways; the end is what the caller must know. */
function endedMeanwhile({ ended }: Launch, thrown: unknown): boolean {
  const { code } = asSondeError(thrown);
  const unanswered = ["REQUEST_FAILED", "ADAPTER_FAILED", "EVAL_FAILED", "NOT_STOPPED"].includes(code);
  return unanswered && ended !== undefined && ended.how !== "failed";
}

function checkState(command: Command, launch: Launch, others: readonly Launch[]): void {
  if (command.needs === "session") return;
  const session = debugged(launch);
  const { stateName, name } = session;
  if (stateName === "terminated") {
    const another =
      session.opening.request === "attach"
        ? advice`${call("attach", { pid: blank("pid") })} debugs another process, ${START} starts one`
        : advice`${call("restart")} runs it again with the same breakpoints; ${call("output")} shows what it printed`;
    const rest = others
      .slice(0, 3)
      .map((one) => advice`${option({ session: one.name })} is ${one.stateName}`);
    throw new SondeError("SESSION_ENDED", `${name} has ended${howItEnded(session)}`, {
      hint: joined([another, ...rest], "; "),
    });
  }
  if (command.effect === "moves" && session.core !== undefined) {
    throw new SondeError(
      "UNSUPPORTED",
      advice`${nameOf(command)}: ${name} is a core file, so it cannot run`,
      {
        hint: advice`look around with ${call("backtrace")}, ${call("threads")}, ${call("print")}; ${START} runs the program again`,
      },
    );
  }
  if (command.needs === "stopped" && stateName !== "stopped") {
    throw new SondeError("NOT_STOPPED", `${name} is ${stateName}`, {
      hint: advice`${call("pause")} stops it now; ${call("await")} waits for the next stop`,
    });
  }
}

const START = call("start", { program: blank("program") });

function nameOf({ name }: Command): Name {
  return { do: "name", command: name };
}

/** " (exit code 1)", " (killed by SIGKILL)" */
function howItEnded({ ended }: Session): string {
  if (ended === undefined) return "";
  const text = shortEnding(ended);
  return text === "" ? "" : ` (${text})`;
}

function checkCapability(command: Command, launch: Launch): void {
  const { supports } = command;
  if (supports === undefined) return;
  const session = debugged(launch);
  const capabilities: Record<string, unknown> = { ...session.focus.debuggee.capabilities };
  if (capabilities[supports]) return;
  const known = session.adapter.unsupported[supports];
  throw new SondeError(
    "UNSUPPORTED",
    advice`${nameOf(command)}: ${known?.reason ?? `the ${session.adapter.name} adapter does not offer it`}`,
    known ? { hint: known.instead } : {},
  );
}

function failed(state: EngineState, thrown: unknown, words: Words): SondeError {
  const error = noRoomError(thrown) ?? asSondeError(thrown);
  if (error.code === "INTERNAL") {
    state.options.log("error", thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  }
  return shortened(error.in(words));
}

/** Of a failure: what it quotes may be as long as anybody likes. */
const LONGEST_MESSAGE = 8_000;

function shortened(error: SondeError): SondeError {
  const { code, message, hint, details } = error;
  if (message.length <= LONGEST_MESSAGE && (hint ?? "").length <= LONGEST_MESSAGE) return error;
  return new SondeError(code, cut(message, LONGEST_MESSAGE), {
    ...(hint === undefined ? {} : { hint: cut(hint, LONGEST_MESSAGE) }),
    ...(details === undefined ? {} : { details }),
  });
}
