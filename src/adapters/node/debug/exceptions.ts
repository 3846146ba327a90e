/** Which throws stop the program, and what is known of one that did. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { compile } from "./compile.ts";
import type { Fatal, FatalErrors } from "./fatal.ts";
import { DapError } from "./host.ts";
import type { Kit } from "./kit.ts";
import type { Pause } from "./pause.ts";
import type { ThrowFates } from "./throw-fate.ts";
import { remoteText } from "./values.ts";

type State = Protocol.Debugger.SetPauseOnExceptionsRequest["state"];
type Filter = "all" | "caught" | "uncaught";

const CONDITION =
  "a class of errors (TypeError), or a JavaScript expression; `error` is what was thrown: error.code === 'ENOENT'";

export const EXCEPTION_FILTERS: DebugProtocol.ExceptionBreakpointsFilter[] = [
  {
    filter: "all",
    label: "All exceptions",
    default: false,
    supportsCondition: true,
    conditionDescription: CONDITION,
  },
  {
    filter: "caught",
    label: "Caught exceptions",
    default: false,
    supportsCondition: true,
    conditionDescription: CONDITION,
  },
  {
    filter: "uncaught",
    label: "Uncaught exceptions",
    default: true,
    supportsCondition: true,
    conditionDescription: CONDITION,
  },
];

/** What V8 says of a throw: the value itself, and whether anyone will catch it. */
type Thrown = Protocol.Runtime.RemoteObject & { uncaught?: boolean };

/** Throws looked at in vain before the watch on module bodies is given up: each costs the program a pause. */
const VAIN_LIMIT = 300;
const UNDECIDED_LIMIT = 50;

export class Exceptions {
  readonly #cdp: Cdp;
  readonly #kit: Kit;
  readonly #fates: ThrowFates;
  readonly #fatal: FatalErrors;
  /** Filter → its condition, "" for none. */
  #filters = new Map<string, string>();
  #state: State = "none";
  #hasModules = false;
  #vain = 0;
  /** Rejections that may get their handler yet, by their text: where they came from. The latest ones. */
  readonly #undecided = new Map<string, Protocol.Runtime.CallFrame[]>();
  /** The last one shown; it turns up again when it has passed through a promise. */
  #shown: string | undefined;

  constructor(cdp: Cdp, kit: Kit, fates: ThrowFates, fatal: FatalErrors) {
    this.#fatal = fatal;
    this.#cdp = cdp;
    this.#kit = kit;
    this.#fates = fates;
  }

  async set(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const asked = [
      ...args.filters.map((filterId) => ({ filterId, condition: "" })),
      ...(args.filterOptions ?? []).map(({ filterId, condition = "" }) => ({
        filterId,
        condition: conditionText(condition.trim()),
      })),
    ];
    const states = await Promise.all(asked.map((one) => this.#check(one.filterId, one.condition)));
    const good = asked.filter((_, at) => states[at]?.verified === true);
    this.#filters = new Map(good.map(({ filterId, condition }) => [filterId, condition]));
    await Promise.all([this.#apply(), this.#filters.size > 0 ? this.#fatal.arm() : undefined]);
    return states;
  }

  /** From now on V8's word for "uncaught" is not enough: see ThrowFates. */
  moduleLoaded(): void {
    if (this.#hasModules) return;
    this.#hasModules = true;
    // A program that has just ended does not mind.
    this.#apply().catch(() => {});
  }

  /** Whether this throw is one the user asked about. */
  async matches(event: Protocol.Debugger.PausedEvent): Promise<boolean> {
    const thrown = (event.data ?? {}) as Thrown;
    const isForeign = !this.#fates.concernsUser(event, thrown.uncaught === true);
    const fate = isForeign ? "others" : thrown.uncaught === true ? "nobody" : await this.#fates.of(event);
    const kind: Filter = fate === "nobody" ? "uncaught" : "caught";
    const text = textOf(thrown);
    // Thrown again by Node itself. V8 forgets such an exception once anything is evaluated there: nothing may be asked.
    const isAgain = thrown.uncaught === true && this.#fates.isRethrown(event);
    // By then Node has put the place before its text.
    const isEcho =
      this.#shown !== undefined &&
      (event.reason === "promiseRejection" ? text === this.#shown : isAgain && text.endsWith(this.#shown));
    const conditions = [this.#filters.get("all"), this.#filters.get(kind)].filter((one) => one !== undefined);
    if (fate === "others" || isEcho || conditions.length === 0 || (await this.#isUndecided(event, text))) {
      this.#vain++;
      if (this.#vain === VAIN_LIMIT) await this.#apply();
      return false;
    }
    const answers = conditions.includes("")
      ? [true]
      : await Promise.all(conditions.map((one) => this.#holds(one, event)));
    if (!answers.includes(true)) return false;
    if (kind === "uncaught") (event.data as Thrown).uncaught = true;
    this.#shown = text;
    return true;
  }

  /** Node says that nobody caught it. Whether the user is told, and where it came from. */
  async matchesFatal(event: Protocol.Debugger.PausedEvent): Promise<Fatal | undefined> {
    const fatal = await this.#fatal.read(event);
    const conditions = [this.#filters.get("all"), this.#filters.get("uncaught")].filter(
      (one) => one !== undefined,
    );
    if (fatal === undefined || conditions.length === 0) return undefined;
    const text = textOf(fatal.thrown);
    const calls = this.#undecided.get(text) ?? fatal.calls;
    const wasShown = this.#shown !== undefined && text.endsWith(this.#shown);
    if (wasShown || !this.#fates.areUsers(calls)) return undefined;
    const judged = { ...event, data: fatal.thrown };
    const answers = await Promise.all(conditions.map((one) => one === "" || this.#holds(one, judged)));
    if (!answers.includes(true)) return undefined;
    this.#shown = text;
    return { thrown: { ...fatal.thrown, uncaught: true } as Thrown, calls };
  }

  isFatal(event: Protocol.Debugger.PausedEvent): boolean {
    return this.#fatal.isHit(event);
  }

  async #isUndecided(event: Protocol.Debugger.PausedEvent, text: string): Promise<boolean> {
    const { uncaught } = (event.data ?? {}) as Thrown;
    if (event.reason !== "promiseRejection" || uncaught !== true || this.#filters.has("all")) return false;
    if (!(await this.#fates.mayBeHandled(event))) return false;
    await this.#fatal.armListeners();
    const [oldest] = this.#undecided.keys();
    if (this.#undecided.size >= UNDECIDED_LIMIT && oldest !== undefined) this.#undecided.delete(oldest);
    const calls = event.callFrames.map(({ functionName, url, location }) => ({
      functionName,
      url,
      scriptId: location.scriptId,
      lineNumber: location.lineNumber,
      columnNumber: location.columnNumber ?? 0,
    }));
    this.#undecided.set(text, calls);
    return true;
  }

  async info(pause: Pause): Promise<DebugProtocol.ExceptionInfoResponse["body"]> {
    if (!isThrow(pause.reason)) throw new DapError("the program did not stop at an exception");
    const thrown = (pause.data ?? {}) as Thrown;
    const breakMode = thrown.uncaught === true ? "unhandled" : "always";
    if (thrown.objectId === undefined) {
      const text = remoteText(thrown);
      return {
        exceptionId: thrown.type,
        description: text,
        breakMode,
        details: { message: text, typeName: thrown.type },
      };
    }
    const [outer, ...causes] = await this.#kit.causes(thrown.objectId);
    const details = causes.reduceRight<DebugProtocol.ExceptionDetails | undefined>(
      (inner, cause) => ({
        ...detailsOf(cause),
        ...(inner === undefined ? {} : { innerException: [inner] }),
      }),
      undefined,
    );
    const name = outer?.name ?? thrown.className ?? "Error";
    return {
      exceptionId: name,
      description: outer?.message ?? "",
      breakMode,
      details: {
        ...detailsOf({
          name,
          message: outer?.message ?? "",
          stack: thrown.description ?? "",
        }),
        ...(details === undefined ? {} : { innerException: [details] }),
      },
    };
  }

  async #check(filter: string, condition: string): Promise<DebugProtocol.Breakpoint> {
    if (!EXCEPTION_FILTERS.some((known) => known.filter === filter))
      return { verified: false, message: `no exception filter ${filter}: use all, caught or uncaught` };
    if (condition === "") return { verified: true };
    const { exceptionDetails } = await compile(this.#cdp, {
      expression: `(${condition}\n)`,
      sourceURL: "",
      persistScript: false,
    });
    const fault = exceptionDetails?.exception?.description?.split("\n")[0];
    return exceptionDetails === undefined
      ? { verified: true }
      : { verified: false, message: `condition: ${fault}` };
  }

  async #apply(): Promise<void> {
    const has = (filter: Filter) => this.#filters.has(filter);
    const watchesModules = this.#hasModules && this.#vain < VAIN_LIMIT;
    const wide = has("all") || (has("caught") && has("uncaught")) || (has("uncaught") && watchesModules);
    const state = wide ? "all" : has("caught") ? ("caught" as State) : has("uncaught") ? "uncaught" : "none";
    if (state === this.#state) return;
    this.#state = state;
    await this.#cdp.send("Debugger.setPauseOnExceptions", { state });
  }

  async #holds(condition: string, event: Protocol.Debugger.PausedEvent): Promise<boolean> {
    const thrown = (event.data ?? {}) as Thrown;
    if (thrown.objectId === undefined) {
      const text =
        thrown.type === "undefined"
          ? "undefined"
          : (thrown.unserializableValue ?? JSON.stringify(thrown.value));
      const { result } = await this.#cdp.send("Runtime.evaluate", {
        expression: `((error) => (${condition}\n))(${text})`,
        silent: true,
        returnByValue: true,
        timeout: 1000,
      });
      return Boolean(result.value);
    }
    const { result, exceptionDetails } = await this.#cdp.send("Runtime.callFunctionOn", {
      objectId: thrown.objectId,
      functionDeclaration: `function () { const error = this; return Boolean(${condition}\n) }`,
      returnByValue: true,
      silent: true,
    });
    // A condition that itself throws does not say no.
    return exceptionDetails !== undefined || result.value === true;
  }
}

const CLASS_PATH =
  /^(?!(?:error|this|true|false|null|undefined)\b)[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u;

/** `TypeError` or `errors.BudgetError` asks what kind of error it is. Classes are mostly not global: then the name decides. */
function conditionText(condition: string): string {
  if (!CLASS_PATH.test(condition)) return condition;
  const name = JSON.stringify(condition.slice(condition.lastIndexOf(".") + 1));
  return `((error) => {
    let meant;
    try { meant = ${condition} } catch {}
    if (meant !== undefined && typeof meant !== "function") return Boolean(meant);
    if (error === null || error === undefined) return false;
    try { if (meant !== undefined && error instanceof meant) return true } catch {}
    if (error.name === ${name}) return true;
    for (let kind = Object.getPrototypeOf(Object(error)); kind !== null; kind = Object.getPrototypeOf(kind))
      if (kind.constructor?.name === ${name}) return true;
    return false;
  })(error)`;
}

const textOf = ({ description, value }: Thrown): string => description ?? String(value);

export const isThrow = (reason: string): boolean => reason === "exception" || reason === "promiseRejection";

/** `TypeError: x is not a function`, for the stop's text. */
export function thrownLine(data: unknown): string {
  const thrown = (data ?? {}) as Thrown;
  if (thrown.subtype === "error") {
    const line = thrown.description?.split("\n    at ")[0] ?? "Error";
    // A subclass that sets no name of its own calls itself Error.
    return /^Error\b/.test(line) ? line.replace("Error", thrown.className ?? "Error") : line;
  }
  return thrown.type === undefined ? "" : remoteText(thrown);
}

function detailsOf({
  name,
  message,
  stack,
}: {
  name: string;
  message: string;
  stack: string;
}): DebugProtocol.ExceptionDetails {
  return { typeName: name, message, stackTrace: stack };
}
