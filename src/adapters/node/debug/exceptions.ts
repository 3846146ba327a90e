/** Which throws stop the program, and what is known of one that did. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { DapError } from "./host.ts";
import type { Kit } from "./kit.ts";
import type { Pause } from "./pause.ts";
import { remoteText } from "./values.ts";

type State = Protocol.Debugger.SetPauseOnExceptionsRequest["state"];
type Filter = "all" | "caught" | "uncaught";

const CONDITION = "a JavaScript expression; `error` is what was thrown: error.code === 'ENOENT'";

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

export class Exceptions {
  readonly #cdp: Cdp;
  readonly #kit: Kit;
  /** Filter → its condition, "" for none. */
  #filters = new Map<string, string>();

  constructor(cdp: Cdp, kit: Kit) {
    this.#cdp = cdp;
    this.#kit = kit;
  }

  async set(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const asked = [
      ...args.filters.map((filterId) => ({ filterId, condition: "" })),
      ...(args.filterOptions ?? []).map(({ filterId, condition = "" }) => ({
        filterId,
        condition: condition.trim(),
      })),
    ];
    const states = await Promise.all(asked.map((one) => this.#check(one.filterId, one.condition)));
    const good = asked.filter((_, at) => states[at]?.verified === true);
    this.#filters = new Map(good.map(({ filterId, condition }) => [filterId, condition]));
    await this.#cdp.send("Debugger.setPauseOnExceptions", { state: this.#state() });
    return states;
  }

  /** Whether this throw is one the user asked about. */
  async matches(event: Protocol.Debugger.PausedEvent): Promise<boolean> {
    const thrown = (event.data ?? {}) as Thrown;
    const kind: Filter = thrown.uncaught === true ? "uncaught" : "caught";
    const conditions = [this.#filters.get("all"), this.#filters.get(kind)].filter((one) => one !== undefined);
    if (conditions.includes("")) return true;
    const answers = await Promise.all(conditions.map((condition) => this.#holds(condition, event)));
    return answers.includes(true);
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
          stack: outer?.stack || (thrown.description ?? ""),
        }),
        ...(details === undefined ? {} : { innerException: [details] }),
      },
    };
  }

  async #check(filter: string, condition: string): Promise<DebugProtocol.Breakpoint> {
    if (!EXCEPTION_FILTERS.some((known) => known.filter === filter))
      return { verified: false, message: `no exception filter ${filter}: all, caught or uncaught` };
    if (condition === "") return { verified: true };
    const { exceptionDetails } = await this.#cdp.send("Runtime.compileScript", {
      expression: `(${condition}\n)`,
      sourceURL: "",
      persistScript: false,
    });
    const fault = exceptionDetails?.exception?.description?.split("\n")[0];
    return exceptionDetails === undefined
      ? { verified: true }
      : { verified: false, message: `condition: ${fault}` };
  }

  #state(): State {
    const has = (filter: Filter) => this.#filters.has(filter);
    if (has("all") || (has("caught") && has("uncaught"))) return "all";
    if (has("caught")) return "caught" as State;
    return has("uncaught") ? "uncaught" : "none";
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
