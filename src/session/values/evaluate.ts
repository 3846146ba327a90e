/** Expressions in the frame in focus, and opening values. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, blank, call, type Told } from "../../advice/advice.ts";
import type { WithPointer } from "../../dap/refused-part.ts";
import { DapRequestError } from "../../dap/request-error.ts";
import { SondeError } from "../../errors.ts";
import { changedByUs } from "../breakpoints/watched-values.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Aim } from "../stack/focus.ts";
import { assigns } from "./assigning.ts";
import { findVariable } from "./find-variable.ts";
import { reading } from "./lost-reading.ts";
import { children } from "./parts.ts";
import { toLine, type ValueLine } from "./value-line.ts";

export interface EvaluateOptions {
  /** `watch` promises no side effects where the adapter can; `repl` may have them. */
  context: "watch" | "repl";
  chars: number;
  hex?: boolean;
  /** Pointers that are shown as what they point to come with their address too. */
  addresses?: boolean;
  aim?: Aim;
}

export async function evaluate(
  session: Session,
  expression: string,
  options: EvaluateOptions,
): Promise<ValueLine> {
  if (options.context === "watch" && assigns(expression))
    throw new SondeError("EVAL_FAILED", `\`${expression}\` would have side effects`, {
      hint: withEffects(expression),
    });
  const { debuggee, frameId } = await frameFor(session, options.aim ?? {});
  const body = await failing(
    expression,
    () =>
      reading(
        session.adapter.name,
        debuggee.client.request("evaluate", {
          expression,
          context: options.context,
          ...(frameId === undefined ? {} : { frameId }),
          ...(options.hex ? { format: { hex: true } } : {}),
        }),
        { name: expression, key: expression },
      ),
    { running: debuggee.stop === undefined, hint: asCommand(session, expression) },
  );
  if (options.context === "repl") await changedByUs(session, debuggee, options.aim);
  // A call may have written, whatever it was asked for; handles that were given stay good.
  else if (expression.includes("(")) session.reads.drop(debuggee);
  const { result, variablesReference, type, indexedVariables } = body;
  const { pointer } = body as WithPointer;
  const variable = {
    name: expression,
    value: options.addresses && pointer !== undefined ? `${pointer} ${result}` : result,
    variablesReference,
    ...(indexedVariables === undefined ? {} : { indexedVariables }),
    ...(type === undefined ? {} : { type }),
  };
  return toLine(session, debuggee, variable, options.chars);
}

/** A program that runs has no frame, and globals all the same. */
async function frameFor(
  { focus }: Session,
  aim: Aim,
): Promise<{ debuggee: Debuggee; frameId: number | undefined }> {
  const { debuggee } = focus;
  const named = aim.thread !== undefined || aim.frame !== undefined;
  if (!named && !debuggee.stop) return { debuggee, frameId: undefined };
  const place = await focus.place(undefined, aim);
  return { debuggee: place.debuggee, frameId: place.frame?.adapterId };
}

/** What runs it. A long expression is one that the reader has typed just now. */
function withEffects(expression: string): Told {
  const isShort = expression.length <= 100 && !expression.includes("\n");
  const run = call("eval", { expression: isShort ? expression : blank("expression") });
  return advice`${run} runs it with its side effects`;
}

/** The adapter's refusal, in its own words, as our error. */
async function failing<T>(
  expression: string,
  ask: () => Promise<T>,
  { running = false, hint }: { running?: boolean; hint?: Told | undefined } = {},
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof DapRequestError)) throw error;
    const effects = /side effect/i.test(error.text);
    throw new SondeError("EVAL_FAILED", effects ? error.text : `${expression}: ${error.text}`, {
      ...(effects ? { hint: withEffects(expression) } : hint === undefined ? {} : { hint }),
      ...(running
        ? { hint: advice`the program is running, so only global names are known; ${call("pause")} first` }
        : {}),
      cause: error,
    });
  }
}

/** The same without the expression, for those who have named it. */
export function whyNoValue(error: unknown): Told {
  if (!(error instanceof SondeError)) return error instanceof Error ? error.message : String(error);
  const { cause, code, told } = error;
  const why = code === "EVAL_FAILED" && cause instanceof DapRequestError ? cause.text : told.message;
  return told.hint === undefined ? why : advice`${why}; ${told.hint}`;
}

/** Opens a line's parts down to `depth`, within a total of `limit` lines. */
export async function expand(
  session: Session,
  line: ValueLine,
  depth: number,
  options: { limit: number; chars: number },
): Promise<ValueLine> {
  if (depth <= 0 || line.handle === undefined) return line;
  const { values, more } = await children(session, session.values.resolve(line.handle), options);
  const opened: ValueLine[] = [];
  for (const value of values)
    opened.push(await expand(session, value, depth - 1, { ...options, limit: Math.ceil(options.limit / 2) }));
  return { ...line, children: opened, ...(more > 0 ? { moreChildren: more } : {}) };
}

/** Changes a variable or, where the adapter can, any expression that can be assigned to. */
export async function assign(
  session: Session,
  target: string,
  value: string,
  { chars, aim }: { chars: number; aim?: Aim },
): Promise<ValueLine> {
  const { debuggee, frame } = await session.focus.place(undefined, aim);
  if (!frame) throw new SondeError("NOT_STOPPED", "there is no frame to set a variable in");
  const named = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(target)
    ? await findVariable(session, debuggee, frame.adapterId, target)
    : undefined;
  const change = async () => {
    if (named)
      return debuggee.client.request("setVariable", {
        variablesReference: named.scope,
        name: named.name,
        value,
      });
    // A name that nothing has is a slip; some languages would make a new global of it and call that a success.
    await debuggee.client.request("evaluate", {
      expression: target,
      context: "watch",
      frameId: frame.adapterId,
    });
    if (debuggee.capabilities.supportsSetExpression) {
      return debuggee.client.request("setExpression", {
        expression: target,
        value,
        frameId: frame.adapterId,
      });
    }
    throw new SondeError("BAD_ARGUMENT", `no variable ${target} in this frame`, {
      hint: advice`${call("locals")} lists them`,
    });
  };
  const body = await failing(`${target} = ${value}`, change, { hint: asText(target, value) });
  await changedByUs(session, debuggee, aim);
  return toLine(
    session,
    debuggee,
    { name: target, variablesReference: 0, ...body } as DebugProtocol.Variable,
    chars,
  );
}

/** Words without quotes may be a text whose quotes the shell took. */
function asText(target: string, value: string): Told | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_ ,.!?-]*$/u.test(value)) return undefined;
  return advice`a string needs quotes: ${call("set", { target, value: JSON.stringify(value) })}`;
}

/** `frame variable x`: words in a row are no expression, and the first is a command of the debugger's. */
function asCommand({ adapter }: Session, expression: string): Told | undefined {
  const word = /^([a-z]+)(?:\/\w+)? +[\w$][\w $./>-]*$/.exec(expression.trim())?.[1];
  if (word === undefined || !adapter.consoleWords?.includes(word)) return undefined;
  return advice`that is a debugger command, not an expression: ${call("raw", { command: expression.trim() })} runs it`;
}
