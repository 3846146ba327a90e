/** A real program under a TargetDebugger: the adapter's debug half without its process half. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { onTestFinished } from "vitest";
import { TargetDebugger } from "../../src/adapters/node/debug/debugger.ts";
import { bootEnvironment, findBootFile } from "../../src/adapters/node/process/boot-file.ts";
import type { Bridge } from "../../src/adapters/node/process/bridge.ts";
import { BridgeServer } from "../../src/adapters/node/process/bridge-server.ts";
import type { Cdp, Target } from "../../src/adapters/node/target.ts";

const WAIT_MS = 10_000;

export interface StartOptions {
  nodeArgs?: string[];
  args?: string[];
  stopOnEntry?: boolean;
  program?: string;
  node?: string;
  cwd?: string;
  /** As a launched program does, unless told otherwise. */
  readsAhead?: boolean;
}

type Body = Record<string, unknown>;
export type Variable = DebugProtocol.Variable;
export type Frame = DebugProtocol.StackFrame;

/** Files under a fresh folder, gone after the test; the folder's real path. */
export function project(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sonde-debug-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The 1-based line that ends in the comment `@name`. */
export function marker(path: string, name: string): number {
  const at = readFileSync(path, "utf8")
    .split("\n")
    .findIndex((line) => new RegExp(`@${name}\\b`).test(line));
  if (at < 0) throw new Error(`no @${name} in ${path}`);
  return at + 1;
}

/** One debugger and what it said. */
export class Dap {
  readonly events: { event: string; body: Body }[] = [];
  readonly debugger: TargetDebugger;
  #waiters: (() => void)[] = [];
  #seen = 0;

  constructor(target: Target, options: { stopOnEntry: boolean; program?: string }) {
    this.debugger = new TargetDebugger(
      target,
      {
        emit: (event, body) => {
          this.events.push({ event, body: body as Body });
          for (const wake of this.#waiters.splice(0)) wake();
        },
        log: (message) => this.events.push({ event: "log", body: { message } }),
      },
      options,
    );
  }

  async request<T = Body>(command: string, args: object = {}): Promise<T> {
    const handler = this.debugger.requests[command];
    if (handler === undefined) throw new Error(`no handler for ${command}`);
    return (await handler(args)) as T;
  }

  async event(name: string, accept: (body: Body) => boolean = () => true): Promise<Body> {
    const deadline = performance.now() + WAIT_MS;
    for (let at = 0; ; ) {
      for (; at < this.events.length; at++) {
        const one = this.events[at];
        if (one?.event === name && accept(one.body)) return one.body;
      }
      if (performance.now() > deadline)
        throw new Error(`no ${name} event; had ${JSON.stringify(this.events).slice(-2000)}`);
      await new Promise<void>((wake) => {
        this.#waiters.push(wake);
        setTimeout(wake, 200);
      });
    }
  }

  /** The next stop nobody has asked for yet. */
  async stop(): Promise<Body> {
    const want = ++this.#seen;
    return this.event(
      "stopped",
      (body) =>
        this.events.filter(({ event }) => event === "stopped").findIndex((one) => one.body === body) ===
        want - 1,
    );
  }

  get stops(): number {
    return this.events.filter(({ event }) => event === "stopped").length;
  }

  async setBreakpoints(
    path: string,
    breakpoints: (number | DebugProtocol.SourceBreakpoint)[],
  ): Promise<DebugProtocol.Breakpoint[]> {
    const list = breakpoints.map((one) => (typeof one === "number" ? { line: one } : one));
    return (
      await this.request<{ breakpoints: DebugProtocol.Breakpoint[] }>("setBreakpoints", {
        source: { path },
        breakpoints: list,
      })
    ).breakpoints;
  }

  async frames(): Promise<Frame[]> {
    return (await this.request<{ stackFrames: Frame[] }>("stackTrace", { threadId: 1 })).stackFrames;
  }

  async top(): Promise<Frame> {
    const [top] = await this.frames();
    if (top === undefined) throw new Error("no frame");
    return top;
  }

  /** "name:line" of the innermost frame. */
  async at(): Promise<string> {
    const { name, line } = await this.top();
    return `${name}:${line}`;
  }

  async move(command: "next" | "stepIn" | "stepOut" | "continue"): Promise<string> {
    await this.request(command, { threadId: 1 });
    await this.stop();
    return this.at();
  }

  async scopes(frameId?: number): Promise<DebugProtocol.Scope[]> {
    const id = frameId ?? (await this.top()).id;
    return (await this.request<{ scopes: DebugProtocol.Scope[] }>("scopes", { frameId: id })).scopes;
  }

  async variables(variablesReference: number, more: object = {}): Promise<Variable[]> {
    return (await this.request<{ variables: Variable[] }>("variables", { variablesReference, ...more }))
      .variables;
  }

  /** Names and texts of the variables of one scope. */
  async scope(name: string): Promise<Record<string, string>> {
    const found = (await this.scopes()).find((scope) => scope.name === name);
    if (found === undefined) throw new Error(`no scope ${name}`);
    return Object.fromEntries(
      (await this.variables(found.variablesReference)).map((one) => [one.name, one.value]),
    );
  }

  async variable(scope: string, name: string): Promise<Variable> {
    const found = (await this.scopes()).find((one) => one.name === scope);
    const list = await this.variables(found?.variablesReference ?? 0);
    const variable = list.find((one) => one.name === name);
    if (variable === undefined) throw new Error(`no ${name} among ${list.map((one) => one.name).join(", ")}`);
    return variable;
  }

  async evaluate(
    expression: string,
    context = "watch",
    more: object = {},
  ): Promise<DebugProtocol.EvaluateResponse["body"]> {
    const frameId = (await this.top()).id;
    return this.request("evaluate", { expression, frameId, context, ...more });
  }
}

export class Debuggee extends Dap {
  readonly child: ChildProcess;
  readonly cdp: Cdp;
  readonly exited: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(
    child: ChildProcess,
    cdp: Cdp,
    target: Target,
    options: { stopOnEntry: boolean; program?: string },
  ) {
    super(target, options);
    this.child = child;
    this.cdp = cdp;
    child.stdout?.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.exited = new Promise((resolve) => child.on("close", resolve));
  }

  async run(): Promise<void> {
    await this.debugger.run();
  }

  /** The program has written this, and had a moment to get on. */
  async printed(text: string): Promise<void> {
    while (!this.stdout.includes(text))
      await new Promise((resolve) => this.child.stdout?.once("data", resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** The program has ended; its exit code. */
  async end(): Promise<number | null> {
    return this.exited;
  }
}

/** Starts a program and holds it; breakpoints can be set. */
export async function debug(program: string, options: StartOptions = {}): Promise<Debuggee> {
  let called: (bridge: Bridge) => void = () => {};
  const calls = new Promise<Bridge>((resolve) => {
    called = resolve;
  });
  const bridges = await BridgeServer.open(
    (bridge) => called(bridge),
    () => {},
  );
  const env = { ...process.env, NODE_OPTIONS: "" } as Record<string, string>;
  const child = spawn(
    options.node ?? process.execPath,
    [...(options.nodeArgs ?? []), program, ...(options.args ?? [])],
    {
      stdio: ["pipe", "pipe", "pipe"],
      cwd: options.cwd ?? dirname(program),
      env: bootEnvironment(env, findBootFile(), bridges.path),
    },
  );
  const connection = await new Promise<Bridge>((resolve, reject) => {
    void calls.then(resolve);
    child.once("exit", () => reject(new Error("the program ended before it could be debugged")));
  });
  const target: Target = {
    kind: "process",
    title: "main",
    pid: child.pid ?? 0,
    waiting: true,
    cdp: connection.cdp,
    ...(options.readsAhead === false
      ? {}
      : { readAtPause: (kits: string[]) => connection.tell("Sonde.readAtPause", { kits }) }),
  };
  const debuggee = new Debuggee(child, connection.cdp, target, {
    stopOnEntry: options.stopOnEntry === true,
    program: options.program ?? program,
  });
  onTestFinished(async () => {
    connection.close();
    bridges.close();
    child.kill("SIGKILL");
    await debuggee.exited;
  });
  await debuggee.debugger.enable();
  return debuggee;
}
