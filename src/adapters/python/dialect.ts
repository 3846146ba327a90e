/**
 * Where debugpy differs from DAP. It answers nothing any more after a request it does not know; it takes a normal end by
 * `sys.exit` for an exception; it announces child processes by an event of its own; it says too much or too little about
 * breakpoints and values.
 */
import { constants } from "node:os";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { wait } from "../../util/wait.ts";
import type { Dialect, Wire } from "../kit/dialect.ts";
import { functionArguments, type Placed, place } from "./breakpoints.ts";
import { type Compiler, Conditions, type Refused } from "./conditions.ts";
import { withCauses, withTypes } from "./exceptions.ts";
import { definitionsIn, doubtOf } from "./functions.ts";
import { HeldStops } from "./held-stops.ts";

/** Requests after which it never answers again. */
const DEADLY = [
  ...[
    "loadedSources",
    "breakpointLocations",
    "disassemble",
    "readMemory",
    "writeMemory",
    "restart",
    "restartFrame",
  ],
  ...[
    "setInstructionBreakpoints",
    "dataBreakpointInfo",
    "setDataBreakpoints",
    "terminateThreads",
    "stepBack",
  ],
  ...["reverseContinue", "cancel", "locations"],
];

/** Longer than boot/sonde_guards.py lets an evaluation run, and within the time that a request may take. */
const EVALUATE_MS = 25_000;

const LET_GO_MS = 5000;

/** Rows that group what is no part of the value. */
const GROUPS = new Set([
  "special variables",
  "function variables",
  "class variables",
  "protected variables",
  "len()",
]);

interface Told {
  sondeArguments?: string[];
}

interface Program {
  /** When what injects debugpy into a running process is done with it. */
  injected?: Promise<unknown> | undefined;
  /** Where its own files are, if that is known. */
  folders?: readonly string[] | undefined;
  compiler?: Compiler | undefined;
  /** Tells the client of processes that it starts. */
  announce?: ((wire: Wire) => void) | undefined;
}

export function dialect(version: string, program: Program = {}): Dialect {
  return new DebugpyDialect(version, program).table;
}

class DebugpyDialect {
  readonly #version: string;
  readonly #injected: Promise<unknown> | undefined;
  readonly #folders: readonly string[] | undefined;
  /** Frames of a module's own code: their locals are the globals. */
  readonly #moduleFrames = new Set<number>();
  /** By frame, as boot/sonde_scopes.py tells them. */
  readonly #arguments = new Map<number, string[]>();
  /** By the name debugpy reports: it does not say which breakpoint was hit. */
  readonly #functions = new Map<string, number[]>();
  /** Told as not bound: the first hit tells otherwise. */
  readonly #doubted = new Set<number>();
  /** By the arguments of the request, whose answer they correct. */
  readonly #placed = new WeakMap<object, Placed>();
  readonly #held = new HeldStops();
  readonly #failedConditions = new Set<string>();
  readonly #conditions: Conditions;
  /** What evaluations have printed that are not answered yet. */
  readonly #printed = new Set<string[]>();
  readonly #announce: ((wire: Wire) => void) | undefined;

  constructor(version: string, { injected, folders, compiler, announce }: Program) {
    this.#announce = announce;
    this.#conditions = new Conditions(compiler);
    this.#version = version;
    this.#injected = injected;
    this.#folders = folders;
  }

  get table(): Dialect {
    return {
      events: {
        initialized: (body, wire) => {
          // Or a condition that names nothing is never true, without a word.
          void wire.ask("setDebuggerProperty", {
            skipPrintBreakpointException: [],
            skipSuspendOnBreakpointException: [],
          });
          this.#announce?.(wire);
          return body;
        },
        debugpyAttach: (body, wire) => void wire.askClient("startDebugging", asChild(body)),
        debugpySockets: () => undefined,
        debugpyWaitingForServer: () => undefined,
        stopped: (body, wire) => (this.#held.keeps(body) ? undefined : this.#stopped(body, wire)),
        output: (body) => this.#output(body),
        exited: ended,
      },
      requests: {
        ...Object.fromEntries(DEADLY.map((command) => [command, () => refuse(command)])),
        continue: (args, wire) => this.#goOn(wire) ?? { args: { ...args, threadId: "*" } },
        next: (_, wire) => this.#steps(wire),
        stepIn: (_, wire) => this.#steps(wire),
        stepOut: (_, wire) => this.#steps(wire),
        pause: (args) => ({ args: { ...args, threadId: "*" } }),
        configurationDone: (args, wire) => this.#configured(args, wire),
        evaluate: (args, wire) => ({ answer: this.#evaluated(args, wire) }),
        "sonde/arguments": ({ frameId }) => ({ answer: this.#argumentNames(frameId) }),
        variables: (args, wire) => ({ answer: variablesOf(args, wire) }),
        setBreakpoints: (args, wire) => {
          this.#held.drop(false);
          if (this.#conditions.areDoubtful(args.breakpoints)) return { answer: this.#setChecked(args, wire) };
          const placed = place(args);
          this.#placed.set(args, placed);
          return { args: placed.args };
        },
        setFunctionBreakpoints: (args, wire) => ({ answer: this.#setFunctions(args, wire) }),
        setExceptionBreakpoints: (args) => {
          try {
            return { args: withTypes(args) };
          } catch (error) {
            return { answer: Promise.reject(error) };
          }
        },
      },
      responses: {
        initialize: (body) => this.#capabilities(body),
        setBreakpoints: (body, args) => this.#placed.get(args)?.answer(body) ?? body,
        stackTrace: (body) => this.#stackTrace(body),
        scopes: (body, args) => this.#scopes(body, args),
        exceptionInfo: withCauses,
      },
    };
  }

  /** To the next thread that has stopped as well. */
  #goOn(wire: Wire): { answer: Promise<unknown> } | undefined {
    const held = this.#held.next();
    if (held === undefined) return undefined;
    // After the answer, as a stop comes.
    setImmediate(() => {
      const body = this.#stopped(held, wire);
      if (body !== undefined) wire.emit("stopped", body);
    });
    return { answer: Promise.resolve({ allThreadsContinued: true }) };
  }

  #steps(wire: Wire): undefined {
    const count = this.#held.drop();
    if (count === 0) return undefined;
    const threads = count === 1 ? "1 other thread was" : `${count} other threads were`;
    wire.emit("output", {
      category: "important",
      output: `sonde: ${threads} stopped too, and went on with this step; use continue to see them one by one\n`,
    });
    return undefined;
  }

  /** Attached only when the process is no longer held by what brought debugpy into it, and runs its own code again. */
  #configured(args: unknown, wire: Wire): { answer: Promise<unknown> } | undefined {
    const injected = this.#injected;
    if (injected === undefined) return undefined;
    const done = () => wait(injected, { timeoutMs: LET_GO_MS });
    return { answer: succeeded(wire.ask("configurationDone", args)).then((body) => done().then(() => body)) };
  }

  /** Without those whose condition is no expression. */
  async #setChecked(
    args: DebugProtocol.SetBreakpointsArguments,
    wire: Wire,
  ): Promise<DebugProtocol.SetBreakpointsResponse["body"]> {
    const asked = args.breakpoints ?? [];
    const refused = await this.#conditions.refused(asked);
    const good = asked.filter((_, at) => refused[at] === undefined);
    const lines = args.lines ? { lines: good.map(({ line }) => line) } : {};
    const placed = place({ ...args, ...lines, breakpoints: good });
    const body = placed.answer(await succeeded(wire.ask("setBreakpoints", placed.args)));
    return { ...body, breakpoints: withRefused(body.breakpoints, refused) };
  }

  #capabilities(body: DebugProtocol.Capabilities): DebugProtocol.Capabilities {
    const old = /^1\.[0-7]\b/.test(this.#version);
    return {
      ...body,
      supportsExceptionFilterOptions: true,
      // Announced long before it worked.
      ...(old ? { supportsStepInTargetsRequest: false } : {}),
    };
  }

  #stopped(body: DebugProtocol.StoppedEvent["body"], wire: Wire): unknown {
    this.#moduleFrames.clear();
    this.#arguments.clear();
    if (body.reason === "function breakpoint") {
      void this.#namingFunction(body, wire).then((named) => wire.emit("stopped", named));
      return undefined;
    }
    if (body.reason === "exception" && /^(builtins\.)?SystemExit$/.test(body.text ?? "")) {
      void this.#unlessExit(body, wire);
      return undefined;
    }
    return body;
  }

  /** The program ends as it wants to. Only where it is raised may a reader want to see it. */
  async #unlessExit(body: DebugProtocol.StoppedEvent["body"], wire: Wire): Promise<void> {
    const { threadId } = body;
    const { success, body: info } = await wire.ask("exceptionInfo", { threadId });
    if (success && info?.breakMode === "always") wire.emit("stopped", body);
    else await wire.ask("continue", { threadId });
  }

  async #namingFunction(body: DebugProtocol.StoppedEvent["body"], wire: Wire): Promise<unknown> {
    const answer = await wire.ask("stackTrace", { threadId: body.threadId, startFrame: 0, levels: 1 });
    const name: unknown = answer.body?.stackFrames?.[0]?.name;
    const ids = typeof name === "string" ? this.#functions.get(name) : undefined;
    for (const id of ids ?? [])
      if (this.#doubted.delete(id))
        wire.emit("breakpoint", { reason: "changed", breakpoint: { id, verified: true } });
    return ids === undefined ? body : { ...body, hitBreakpointIds: ids };
  }

  async #setFunctions(
    args: DebugProtocol.SetFunctionBreakpointsArguments,
    wire: Wire,
  ): Promise<DebugProtocol.SetFunctionBreakpointsResponse["body"]> {
    if (!this.#conditions.areDoubtful(args.breakpoints)) return this.#setGoodFunctions(args, wire);
    const refused = await this.#conditions.refused(args.breakpoints);
    const good = args.breakpoints.filter((_, at) => refused[at] === undefined);
    const body = await this.#setGoodFunctions({ ...args, breakpoints: good }, wire);
    return { ...body, breakpoints: withRefused(body.breakpoints, refused) };
  }

  /** Verified by debugpy whatever they are called: only what the program's own files define counts as bound before it is hit. */
  async #setGoodFunctions(
    args: DebugProtocol.SetFunctionBreakpointsArguments,
    wire: Wire,
  ): Promise<DebugProtocol.SetFunctionBreakpointsResponse["body"]> {
    const sent = functionArguments(args);
    const folders = args.breakpoints.length > 0 ? this.#folders : undefined;
    const [body, definitions] = await Promise.all([
      succeeded<DebugProtocol.SetFunctionBreakpointsResponse["body"]>(
        wire.ask("setFunctionBreakpoints", sent),
      ),
      folders && definitionsIn(folders),
    ]);
    this.#functions.clear();
    this.#doubted.clear();
    const breakpoints = body.breakpoints.map((one, index) => {
      const [asked, name] = [args.breakpoints[index]?.name, sent.breakpoints[index]?.name];
      if (asked === undefined || name === undefined || one.id === undefined) return one;
      this.#functions.set(name, [...(this.#functions.get(name) ?? []), one.id]);
      const doubt = one.verified ? doubtOf(asked, definitions) : undefined;
      if (doubt === undefined) return one;
      this.#doubted.add(one.id);
      return { ...one, verified: false, message: doubt };
    });
    return { ...body, breakpoints };
  }

  #stackTrace(body: DebugProtocol.StackTraceResponse["body"]): unknown {
    // It marks the frame that an exception has been passed up to; where it stands, the arrow tells.
    const stackFrames = body.stackFrames.map((frame) => ({
      ...frame,
      name: frame.name.replace(/ \(Current frame\)$/, ""),
    }));
    for (const { id, name } of stackFrames) if (name === "<module>") this.#moduleFrames.add(id);
    return { ...body, stackFrames };
  }

  #scopes(body: DebugProtocol.ScopesResponse["body"], args: DebugProtocol.ScopesArguments): unknown {
    const scopes = body.scopes.map(({ sondeArguments, ...scope }: DebugProtocol.Scope & Told) => {
      if (sondeArguments) this.#arguments.set(args.frameId, sondeArguments);
      return scope;
    });
    const isModule = this.#moduleFrames.has(args?.frameId);
    return { ...body, scopes: isModule ? scopes.filter(({ name }) => name !== "Globals") : scopes };
  }

  /** Nothing of a debugpy that was started without us. */
  async #argumentNames(frameId: number): Promise<{ names: string[] }> {
    const names = this.#arguments.get(frameId);
    if (names === undefined) throw new Error("this debugpy does not distinguish arguments from locals");
    return { names };
  }

  /** In a REPL's context a failure comes with the traceback of debugpy's own frames, and what is printed before the answer. */
  async #evaluated(args: DebugProtocol.EvaluateArguments, wire: Wire): Promise<unknown> {
    const printed: string[] = [];
    this.#printed.add(printed);
    const { success, message = "", body } = await wire.ask("evaluate", args, EVALUATE_MS);
    this.#printed.delete(printed);
    if (success && body.result === "" && printed.length > 0)
      return { ...body, result: `printed: ${printed.join("").trimEnd()}` };
    if (success) return body;
    const [, reason] = /^Traceback [\s\S]*\n(?! )(.+)\s*$/.exec(message) ?? [];
    throw new Error(reason ?? message);
  }

  /** A condition that fails would be told at every hit, with a traceback of debugpy's own. */
  #output(body: DebugProtocol.OutputEvent["body"]): unknown {
    if (body.category === "stdout" || body.category === "stderr")
      for (const printed of this.#printed) printed.push(body.output);
    const failed =
      /^(?:pydevd: )?Error while evaluating expression in conditional breakpoint: (.*?)\n(?:Traceback| {2}File)([\s\S]*)/.exec(
        body.output ?? "",
      );
    if (!failed) return body;
    const [, condition = "", trace = ""] = failed;
    const reason = trace.trimEnd().split("\n").at(-1) ?? "";
    if (this.#failedConditions.has(`${condition}\n${reason}`)) return undefined;
    this.#failedConditions.add(`${condition}\n${reason}`);
    const output = `breakpoint condition failed: ${condition}: ${reason}\n`;
    return { category: "important", output, about: "failed-condition" };
  }
}

/** The adapter's answers, with ours where it was not asked. */
function withRefused(
  answers: readonly DebugProtocol.Breakpoint[],
  refused: readonly (Refused | undefined)[],
): DebugProtocol.Breakpoint[] {
  const left = [...answers];
  return refused.map((one) => one ?? left.shift() ?? { verified: false });
}

/** A death by signal comes as 256 less its number. Only those of a crash or a kill: 255 is what `sys.exit(-1)` gives. */
const DEADLY_SIGNALS = ["SIGILL", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGTERM"] as const;

function ended(body: { exitCode?: number }): unknown {
  const signal = DEADLY_SIGNALS.find((name) => constants.signals[name] === 256 - (body.exitCode ?? 0));
  return signal === undefined ? body : { exitCode: 128 + constants.signals[signal], signal };
}

function refuse(command: string): { answer: Promise<never> } {
  return { answer: Promise.reject(new Error(`debugpy has no ${command} request`)) };
}

/** The body is a whole configuration; its name is for an editor's list. */
function asChild(body: { subProcessId?: unknown }): unknown {
  const name = `process ${body.subProcessId ?? ""}`.trim();
  return { request: "attach", configuration: { ...body, name } };
}

/** The row by which boot/sonde_pages.py tells how much of a container it has not shown. */
const MORE = "sonde: more";

/** Longer than boot/sonde_guards.py takes to interrupt what it can: code that waits outside Python, in a thread, it cannot. */
const VARIABLES_MS = 13_000;

async function variablesOf(args: DebugProtocol.VariablesArguments, wire: Wire): Promise<unknown> {
  const { success, message = "", body, unanswered } = await wire.ask("variables", args, VARIABLES_MS);
  if (success) return { ...body, variables: plainVariables(body.variables ?? []) };
  if (!unanswered) throw new Error(message);
  const value = "the values could not be read: the program's own code that formats one of them is blocked";
  return { variables: [{ name: "…", value, variablesReference: 0 }] };
}

/** What an import brought in is no value of the program's. */
function plainVariables(variables: DebugProtocol.Variable[]): DebugProtocol.Variable[] {
  return variables
    .filter(({ name }) => !GROUPS.has(name))
    .map((one) => {
      if (one.name === MORE)
        return {
          name: "…",
          value: `${one.value} more`,
          variablesReference: 0,
          presentationHint: { kind: "virtual" },
        };
      return one.type === "module" ? { ...one, presentationHint: { kind: "virtual" } } : one;
    });
}

async function succeeded<T = unknown>(asked: Promise<DebugProtocol.Response>): Promise<T> {
  const { success, message, body } = await asked;
  if (!success) throw new Error(message);
  return body;
}
