/** DAP on one side, the debugger inside one Perl process (boot/) on the other. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Message } from "../../dap/transport.ts";
import { callingCapabilities } from "../kit/calling.ts";
import { DapEndpoint } from "../kit/dap-endpoint.ts";
import { parseLogMessage } from "../kit/log-message.ts";
import type { PerlConnection } from "./connection.ts";

const THREAD = 1;
/** Of a scope; those of values are counted from 1 by the program. */
const SCOPES = 1_000_000;

// biome-ignore lint/suspicious/noExplicitAny: each request knows its own arguments
type Args = any;

interface Frame {
  frame: number;
  pad: number;
  package: string;
  path?: string;
  file: string;
  line: number;
  name: string;
}

interface Break {
  reason: string;
  hits: number[];
  path?: string;
  line: number;
  thrown?: { type: string; text: string };
  uncaught?: number;
}

interface Rule {
  id: number;
  line?: number;
  plain: boolean;
  became: Became;
}

interface Became {
  verified: number;
  message?: string;
  line?: number;
  path?: string;
}

const LAST_STATEMENT =
  "sonde: this line has several statements, and Perl stops before the last of them; the others have already run\n";

/** By its text, without what is quoted or a comment. */
function hasSeveralStatements(path: string | undefined, line: number): boolean {
  try {
    const text = readFileSync(path ?? "", "utf8").split("\n")[line - 1] ?? "";
    const plain = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(^|\s)#.*$/g, " ");
    return /;\s*[^\s;})]/.test(plain.replace(/\bfor\s*\([^)]*\)/g, " "));
  } catch {
    return false; // no file: an eval's text
  }
}

export class PerlAdapter {
  readonly #endpoint: DapEndpoint;
  readonly #program: PerlConnection;
  readonly #rules = new Map<number, Rule>();
  #next = 1;
  #frames: Frame[] = [];
  #stop: Break | undefined;
  #stopOnEntry = false;
  #pausing = false;
  /** To be told as soon as the program stands. */
  #later: (() => Promise<void>)[] = [];

  constructor(send: (message: Message) => void, program: PerlConnection) {
    this.#program = program;
    this.#endpoint = new DapEndpoint(send, (command, args) => this.#handle(command, args ?? {}));
    program.onClose = () => this.#endpoint.emit("terminated", {});
  }

  receive(message: Message): void {
    this.#endpoint.receive(message);
  }

  dispose(): void {
    this.#endpoint.close();
    this.#program.close();
  }

  async #handle(command: string, args: Args): Promise<object | undefined> {
    const handlers: Record<string, () => Promise<object | undefined>> = {
      initialize: async () => callingCapabilities("eval"),
      launch: async () => this.#open(args),
      attach: async () => this.#open(args),
      configurationDone: () => this.#begin(),
      setBreakpoints: () => this.#setBreakpoints(args),
      setFunctionBreakpoints: () => this.#setFunctions(args),
      setExceptionBreakpoints: () => this.#setExceptions(args),
      threads: async () => ({ threads: [{ id: THREAD, name: "main" }] }),
      stackTrace: () => this.#stackTrace(args),
      scopes: async () => this.#scopes(args.frameId),
      variables: () => this.#variables(args),
      evaluate: () => this.#evaluate(args),
      setVariable: () => this.#setVariable(args),
      setExpression: () => this.#assign(args.expression, args.value, args.frameId),
      exceptionInfo: async () => this.#exceptionInfo(),
      continue: async () => this.#move("continue", { allThreadsContinued: true }),
      next: async () => this.#move("next"),
      stepIn: async () => this.#move("step_in"),
      stepOut: async () => this.#move("step_out"),
      pause: () => this.#pause(),
      disconnect: () => this.#disconnect(args),
    };
    const handler = handlers[command];
    if (!handler) throw new Error(`the Perl adapter does not support the request ${command}`);
    return handler();
  }

  #open({ stopOnEntry }: Args): undefined {
    this.#stopOnEntry = stopOnEntry === true;
    this.#program.listen((command, body) => {
      if (command === "di_break") void this.#stopped(body);
      else if (command === "sonde_said")
        this.#endpoint.emit("output", { category: "console", output: body.text });
      else if (command === "sonde_failed")
        this.#endpoint.emit("output", {
          category: "important",
          output: body.text,
          about: "failed-condition",
        });
      else if (command === "sonde_bound") this.#bound(body.became, true);
    });
  }

  async #stopped(stop: Break): Promise<void> {
    this.#stop = stop;
    this.#frames = [];
    if (stop.reason === "entry") {
      const { pid, name } = await this.#program.introduction;
      this.#endpoint.emit("process", { name, systemProcessId: pid, startMethod: "launch" });
      this.#endpoint.emit("initialized", {});
      return;
    }
    for (const send of this.#later.splice(0)) await send();
    // Interrupted for those only.
    if (stop.reason === "pause" && !this.#pausing) return void this.#move("sonde_resume");
    this.#pausing = false;
    this.#tell(stop);
  }

  #tell({ reason, hits, thrown, path, line }: Break): void {
    // Perl itself looks for breakpoints only there.
    if (reason === "breakpoint" && hasSeveralStatements(path, line))
      this.#endpoint.emit("output", { category: "important", output: LAST_STATEMENT });
    this.#endpoint.emit("stopped", {
      reason,
      threadId: THREAD,
      allThreadsStopped: true,
      ...(hits.length > 0 ? { hitBreakpointIds: hits } : {}),
      ...(thrown ? { description: thrown.type, text: thrown.text } : {}),
    });
  }

  /** The program stands before its first statement: what is to stop there has been reached. */
  async #begin(): Promise<undefined> {
    const entry = this.#stop;
    const hits = [...this.#rules.values()]
      .filter(({ plain, became }) => plain && became.path === entry?.path && became.line === entry?.line)
      .map(({ id }) => id);
    if (entry && hits.length > 0) this.#tell({ ...entry, reason: "breakpoint", hits });
    else if (entry && this.#stopOnEntry) this.#tell(entry);
    else this.#move("continue");
  }

  #move<T extends object>(command: string, body?: T): T | undefined {
    this.#still();
    this.#stop = undefined;
    this.#program.send(command).catch(() => {}); // the program's end is told by its own means
    return body;
  }

  /** A signal that a program ignores unless it is asked for. A program that waits hears it when it has done so. */
  async #interrupt(): Promise<void> {
    const { pid } = await this.#program.introduction;
    try {
      process.kill(pid, "SIGURG");
    } catch {
      throw new Error("the program is no longer running");
    }
  }

  async #pause(): Promise<undefined> {
    this.#pausing = true;
    await this.#interrupt();
  }

  async #disconnect({ terminateDebuggee }: Args): Promise<undefined> {
    // Who finds nobody at the other end goes on alone.
    if (terminateDebuggee !== true) this.#program.close();
  }

  async #setBreakpoints({ source, breakpoints = [] }: Args): Promise<object> {
    const { path } = source as { path: string };
    return this.#set("sonde_breakpoints", { path }, breakpoints, (spec) => `${basename(path)}:${spec.line}`);
  }

  async #setFunctions({ breakpoints = [] }: Args): Promise<object> {
    return this.#set("sonde_functions", {}, breakpoints, (spec) => spec.name);
  }

  async #set(command: string, args: object, specs: Args[], label: (spec: Args) => string): Promise<object> {
    const rules = specs.map(({ line, name, condition, hitCondition: hit, logMessage }) => ({
      id: this.#next++,
      label: label({ line, name }),
      line,
      name,
      condition,
      hit,
      ...(logMessage === undefined ? {} : { log: parseLogMessage(logMessage) }),
    }));
    for (const { id, line, condition, hit, log } of rules)
      this.#rules.set(id, {
        id,
        line,
        plain: (condition ?? hit ?? log) === undefined,
        became: {
          verified: 0,
          message: "Perl accepts no requests while it runs: the breakpoint is set at its next statement",
        },
      });
    const send = async () => (await this.#program.send(command, { ...args, rules })).became;
    if (this.#stop) this.#bound(await send(), false);
    else {
      this.#later.push(async () => this.#bound(await send(), true));
      await this.#interrupt();
    }
    return { breakpoints: rules.map(({ id }) => this.#answer(id)) };
  }

  #bound(became: Record<string, Became>, tell: boolean): void {
    for (const [id, one] of Object.entries(became)) {
      const rule = this.#rules.get(Number(id));
      if (!rule) continue;
      rule.became = one;
      if (tell)
        this.#endpoint.emit("breakpoint", { reason: "changed", breakpoint: this.#answer(Number(id)) });
    }
  }

  #answer(id: number): DebugProtocol.Breakpoint {
    const { verified, message, line, path } = this.#rules.get(id)?.became ?? { verified: 0 };
    return {
      id,
      verified: verified === 1,
      ...(message === undefined ? {} : { message }),
      ...(line === undefined ? {} : { line }),
      ...(path === undefined ? {} : { source: { path } }),
    };
  }

  async #setExceptions({ filters, filterOptions = [] }: Args): Promise<object> {
    const all = [...filters, ...filterOptions.map((one: { filterId: string }) => one.filterId)];
    const send = async () => void (await this.#program.send("sonde_catch", { filters: all }));
    if (this.#stop) await send();
    else {
      this.#later.push(send);
      await this.#interrupt();
    }
    return { breakpoints: all.map(() => ({ verified: true })) };
  }

  async #stack(): Promise<Frame[]> {
    this.#still();
    if (this.#frames.length === 0) this.#frames = (await this.#program.send("sonde_stack")).frames;
    return this.#frames;
  }

  async #stackTrace({ startFrame = 0, levels = 0 }: Args): Promise<object> {
    const all = await this.#stack();
    const some = all.slice(startFrame, levels > 0 ? startFrame + levels : undefined);
    return {
      totalFrames: all.length,
      stackFrames: some.map(({ name, path, file, line }, index) => ({
        id: startFrame + index + 1,
        name,
        line,
        column: 1,
        source: path ? { path, name: basename(path) } : { name: file },
        ...(path ? {} : { presentationHint: "subtle" }),
      })),
    };
  }

  async #frame(id = 1): Promise<Frame> {
    const frame = (await this.#stack())[id - 1];
    if (!frame) throw new Error("that frame no longer exists");
    return frame;
  }

  #scopes(frameId: number): object {
    const variablesReference = SCOPES + frameId;
    return {
      scopes: [{ name: "Locals", presentationHint: "locals", variablesReference, expensive: false }],
    };
  }

  async #variables({ variablesReference: reference, filter, start, count }: Args): Promise<object> {
    this.#still();
    if (reference > SCOPES) {
      const { pad } = await this.#frame(reference - SCOPES);
      return this.#program.send("sonde_locals", { pad });
    }
    if (filter === "named") return { variables: [] };
    return this.#program.send("sonde_parts", { reference, start, count });
  }

  async #evaluate({ expression, frameId }: Args): Promise<object> {
    const { frame, pad, package: name } = await this.#frame(frameId);
    const { value } = await this.#program.send("sonde_evaluate", { frame, pad, package: name, expression });
    const { value: result, name: _, ...rest } = value;
    return { ...rest, result };
  }

  async #setVariable({ variablesReference, name, value }: Args): Promise<object> {
    if (variablesReference > SCOPES) return this.#assign(name, value, variablesReference - SCOPES);
    const { variables } = await this.#program.send("sonde_parts", { reference: variablesReference });
    const path = variables.find((one: { name: string }) => one.name === name)?.evaluateName;
    if (path === undefined) throw new Error(`${name} cannot be set here: write it as the program would`);
    return this.#assign(path, value, undefined);
  }

  async #assign(target: string, value: string, frameId: number | undefined): Promise<object> {
    const { result, ...rest } = (await this.#evaluate({ expression: `${target} = (${value})`, frameId })) as {
      result: string;
    };
    return { ...rest, value: result };
  }

  #exceptionInfo(): DebugProtocol.ExceptionInfoResponse["body"] {
    const { thrown, uncaught } = this.#stop ?? {};
    if (!thrown) throw new Error("the program did not stop at an exception");
    const { type, text } = thrown;
    return {
      exceptionId: type,
      description: text,
      breakMode: uncaught === 1 ? "unhandled" : "always",
      details: { typeName: type, message: text },
    };
  }

  #still(): void {
    if (!this.#stop) throw new Error("the program is running");
  }
}
