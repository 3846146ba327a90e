/** DAP on one side, DBGp on the other: one PHP process that Xdebug debugs. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Message } from "../../dap/transport.ts";
import { callingCapabilities } from "../kit/calling.ts";
import { DapEndpoint } from "../kit/dap-endpoint.ts";
import { Breakpoints, type Rule } from "./breakpoints.ts";
import { tryBlocks } from "./catching.ts";
import type { DbgpConnection } from "./dbgp-connection.ts";
import { Rules } from "./rules.ts";
import { nameOf, type Place, toVariable } from "./values.ts";
import { child, type Element } from "./xml.ts";

const THREAD = 1;
const PAGE = 200;

/** PHP's messages, which Xdebug reports as if they were exceptions: those that end the program, and those that do not. */
const FATAL = new Set(["Fatal error", "Catchable fatal error", "Parse error"]);
const HARMLESS = new Set(["Warning", "Notice", "Strict standards", "Deprecated", "Xdebug", "Unknown error"]);

interface Thrown {
  type: string;
  message: string;
  uncaught: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: each request knows its own arguments
type Args = any;

export class PhpAdapter {
  readonly #endpoint: DapEndpoint;
  readonly #engine: DbgpConnection;
  readonly #breakpoints: Breakpoints;
  readonly #rules: Rules;
  readonly #places: Place[] = [];
  #filters = new Set<string>();
  #exceptionId: string | undefined;
  #stopOnEntry = false;
  #running = false;
  #begun = false;
  #thrown: Thrown | undefined;
  /** The last exception stopped at was an uncaught one. */
  #shown = false;

  constructor(send: (message: Message) => void, engine: DbgpConnection) {
    this.#engine = engine;
    this.#endpoint = new DapEndpoint(send, (command, args) => this.#handle(command, args ?? {}));
    this.#breakpoints = new Breakpoints(engine, (breakpoint) =>
      this.#endpoint.emit("breakpoint", { reason: "changed", breakpoint }),
    );
    this.#rules = new Rules(engine, (output, about) =>
      this.#endpoint.emit(
        "output",
        about === undefined ? { category: "console", output } : { category: "important", output, about },
      ),
    );
    engine.onNotify = (notification) => {
      if (notification.attributes.name === "breakpoint_resolved") this.#breakpoints.resolved(notification);
    };
    engine.onClose = () => this.#endpoint.emit("terminated", {});
  }

  receive(message: Message): void {
    this.#endpoint.receive(message);
  }

  dispose(): void {
    this.#endpoint.close();
    this.#engine.close();
  }

  async #handle(command: string, args: Args): Promise<object | undefined> {
    const handlers: Record<string, () => Promise<object | undefined>> = {
      initialize: async () => callingCapabilities("try"),
      launch: () => this.#open(args),
      attach: () => this.#open(args),
      configurationDone: async () => void this.#begin(),
      setBreakpoints: () => this.#setBreakpoints(args),
      setFunctionBreakpoints: async () =>
        answers(await this.#breakpoints.setFunctions(args.breakpoints, this.#running)),
      setExceptionBreakpoints: () => this.#setExceptionBreakpoints(args),
      threads: async () => ({ threads: [{ id: THREAD, name: "main" }] }),
      stackTrace: () => this.#stackTrace(args),
      scopes: async () => this.#scopes(args.frameId),
      variables: () => this.#variables(args),
      evaluate: () => this.#evaluate(args),
      setVariable: () => this.#setVariable(args),
      setExpression: () => this.#setExpression(args),
      exceptionInfo: async () => this.#exceptionInfo(),
      continue: async () => this.#move("run", { allThreadsContinued: true }),
      next: async () => this.#move("step_over"),
      stepIn: async () => this.#move("step_into"),
      stepOut: async () => this.#move("step_out"),
      disconnect: async () => {
        if (!this.#running) await this.#engine.send("detach").catch(() => {});
        return undefined;
      },
    };
    const handler = handlers[command];
    if (!handler) throw new Error(`the PHP adapter does not support the request ${command}`);
    return handler();
  }

  async #open({ stopOnEntry }: Args): Promise<undefined> {
    this.#stopOnEntry = stopOnEntry === true;
    const features = { max_depth: 2, max_children: PAGE, max_data: 10_000, resolved_breakpoints: 1 };
    for (const [n, v] of Object.entries({ ...features, breakpoint_details: 1, notify_ok: 1 }))
      await this.#engine.send("feature_set", { n, v }).catch(() => {}); // older ones lack some
    const { attributes } = await this.#engine.init;
    const systemProcessId = Number(attributes.appid);
    this.#endpoint.emit("process", {
      name: attributes.fileuri ?? "php",
      systemProcessId,
      startMethod: "launch",
    });
    // Not before: what is sent after the program was let go is answered at its next stop.
    this.#endpoint.emit("initialized", {});
    return undefined;
  }

  #begin(): void {
    this.#begun = true;
    void this.#move(this.#stopOnEntry ? "step_into" : "run");
  }

  /** The answer to the move is the next stop, so it is not waited for. */
  async #move(command: string, body?: object): Promise<object | undefined> {
    this.#running = true;
    this.#thrown = undefined;
    this.#places.length = 0;
    void this.#engine.send(command).then(
      (response) => this.#arrived(command, response),
      () => {}, // it has gone; the end of the connection tells
    );
    return body;
  }

  async #arrived(command: string, response: Element): Promise<void> {
    if (response.attributes.status !== "break") {
      // At its end PHP waits to be let go.
      await this.#engine.send("run").catch(() => {});
      return;
    }
    this.#running = false;
    await this.#breakpoints.catchUp();
    const stop = await this.#stopFor(command, response);
    if (stop === undefined) {
      // A step that met a breakpoint which did not hold goes on as a step.
      void this.#move(command);
      return;
    }
    this.#endpoint.emit("stopped", { threadId: THREAD, allThreadsStopped: true, ...stop });
  }

  /** `undefined`: nothing to stop for. */
  async #stopFor(command: string, response: Element): Promise<object | undefined> {
    const place = child(response, "xdebug:message")?.attributes ?? {};
    if (place.exception !== undefined && place.exception !== "")
      return this.#exceptionStop(place.exception, child(response, "xdebug:message")?.text ?? "");
    const named = this.#breakpoints.hit(response);
    const path = place.filename === undefined ? "" : toPath(place.filename);
    const met = named.length > 0 ? named : this.#breakpoints.at(path, Number(place.lineno));
    const held = [];
    for (const rule of met) if (await this.#rules.stops(rule)) held.push(rule);
    if (held.length > 0)
      return {
        reason: held.every(({ path: file }) => file === undefined) ? "function breakpoint" : "breakpoint",
        hitBreakpointIds: held.map(({ id }) => id),
      };
    if (command === "run") return undefined;
    if (this.#stopOnEntry) {
      this.#stopOnEntry = false;
      return { reason: "entry" };
    }
    return { reason: "step" };
  }

  async #exceptionStop(type: string, message: string): Promise<object | undefined> {
    if (HARMLESS.has(type)) return undefined;
    // The end of one that was shown where it was thrown. If it was taken for a caught one, this is the last chance to see it.
    if (message.startsWith("Uncaught ") && this.#shown) return undefined;
    const uncaught = FATAL.has(type) || !(await this.#isCaught(type));
    if (!this.#filters.has("all") && !(uncaught && this.#filters.has("uncaught"))) return undefined;
    this.#thrown = { type, message, uncaught };
    this.#shown = uncaught;
    return { reason: "exception", description: type, text: message };
  }

  /** Some frame is inside a `try` that catches this class. */
  async #isCaught(type: string): Promise<boolean> {
    for (const { attributes } of await this.#stack()) {
      const line = Number(attributes.lineno);
      for (const { from, to, catches } of tryBlocks(sourceOf(attributes.filename ?? ""))) {
        if (line < from || line > to) continue;
        for (const name of catches) if (await this.#isA(type, name)) return true;
      }
    }
    return false;
  }

  /** A name may have been imported under another; its last part is then all there is to go by. */
  async #isA(type: string, name: string): Promise<boolean> {
    const short = name.split("\\").at(-1)?.toLowerCase();
    const code = `json_encode(array_values(array_merge(["${escaped(type)}"], class_parents("${escaped(type)}") ?: [], class_implements("${escaped(type)}") ?: [])))`;
    const result = await this.#engine.send("eval", {}, code).catch(() => undefined);
    const property = result && child(result, "property");
    const all = property ? (JSON.parse(Buffer.from(property.text, "base64").toString()) as string[]) : [type];
    return all.some((one) => one.split("\\").at(-1)?.toLowerCase() === short);
  }

  async #setBreakpoints({ source, breakpoints = [] }: Args): Promise<object> {
    return answers(await this.#breakpoints.setLines(source.path, breakpoints, this.#running));
  }

  async #setExceptionBreakpoints({ filters, filterOptions = [] }: Args): Promise<object> {
    this.#filters = new Set([...filters, ...filterOptions.map((one: { filterId: string }) => one.filterId)]);
    const wanted = this.#filters.size > 0;
    if (wanted && this.#exceptionId === undefined) {
      if (this.#running) throw new Error("PHP accepts no requests while it runs: set exceptions at a stop");
      const { attributes } = await this.#engine.send("breakpoint_set", { t: "exception", x: "*" });
      this.#exceptionId = attributes.id;
    }
    return { breakpoints: [...this.#filters].map(() => ({ verified: true })) };
  }

  async #stack(): Promise<Element[]> {
    const response = await this.#still().send("stack_get");
    return response.children.filter(({ name }) => name === "stack");
  }

  async #stackTrace({ startFrame = 0, levels = 0 }: Args): Promise<object> {
    const all = await this.#stack();
    const some = all.slice(startFrame, levels > 0 ? startFrame + levels : undefined);
    return {
      totalFrames: all.length,
      stackFrames: some.map(({ attributes: { level, where = "", filename = "", lineno } }) => ({
        id: Number(level) + 1,
        name: where,
        line: Number(lineno),
        column: 1,
        source: { path: toPath(filename), name: toPath(filename).split("/").at(-1) },
      })),
    };
  }

  #scopes(frameId: number): object {
    const depth = frameId - 1;
    const scope = (name: string, context: number) => ({
      name,
      variablesReference: this.#opened({ depth, context, fullName: "", total: 0 }),
      expensive: context !== 0,
      ...(context === 0 ? { presentationHint: "locals" } : {}),
    });
    return { scopes: [scope("Locals", 0), scope("Superglobals", 1)] };
  }

  #opened(place: Place): number {
    return this.#places.push(place);
  }

  #place(reference: number): Place {
    const place = this.#places[reference - 1];
    if (!place) throw new Error("stale value: the program has moved since");
    return place;
  }

  async #variables({ variablesReference, filter, start, count }: Args): Promise<object> {
    if (filter === "indexed") return { variables: [] };
    const place = this.#place(variablesReference);
    const properties = await this.#parts(place, start ?? 0, count);
    const open = (one: Place) => this.#opened(one);
    const variables = properties.map((one) => toVariable(one, place, open));
    const unread = count === undefined ? place.total - properties.length : 0;
    return { variables: unread > 0 ? [...variables, moreRow(unread)] : variables };
  }

  async #parts(place: Place, start: number, count: number | undefined): Promise<Element[]> {
    const { depth, context, fullName, parts } = place;
    if (parts && start >= parts.length && start < place.total)
      throw new Error(
        `Xdebug shows only the first ${PAGE} parts of an expression's value; ask for a part of it`,
      );
    if (parts) return parts.slice(start, count === undefined ? undefined : start + count);
    if (fullName === "") {
      const response = await this.#still().send("context_get", { d: depth, c: context });
      return properties(response.children);
    }
    const found: Element[] = [];
    const first = Math.floor(start / PAGE);
    const last = Math.floor((start + (count ?? PAGE) - 1) / PAGE);
    for (let p = first; p <= last; p++) {
      const response = await this.#still().send("property_get", { d: depth, c: context, n: fullName, p });
      const page = properties(child(response, "property")?.children ?? []);
      found.push(...page);
      if (page.length < PAGE) break;
    }
    const skip = start - first * PAGE;
    return found.slice(skip, count === undefined ? undefined : skip + count);
  }

  async #evaluate({ expression, frameId }: Args): Promise<object> {
    const depth = frameId === undefined ? 0 : frameId - 1;
    const property =
      (await this.#named(nameOf(expression), depth)) ?? (await this.#rules.evaluate(expression, depth));
    if (!property) return { result: "null", type: "null", variablesReference: 0 };
    const {
      value,
      name: _,
      ...rest
    } = toVariable(property, { depth, context: 0 }, (one) => this.#opened(one));
    return { ...rest, result: value };
  }

  /** What has a name is asked for by it: then its parts can be, and theirs. */
  async #named(name: string | undefined, depth: number): Promise<Element | undefined> {
    if (name === undefined) return undefined;
    const answer = await this.#still()
      .send("property_get", { d: depth, c: 0, n: name })
      .catch(() => undefined); // PHP says why, when it is asked to evaluate it
    const property = answer && child(answer, "property");
    return property?.attributes.type === "uninit" ? undefined : property;
  }

  async #setVariable({ variablesReference, name, value }: Args): Promise<object> {
    const { depth, fullName } = this.#place(variablesReference);
    if (fullName !== "") throw new Error("write the part to set from its variable on: $name[key]");
    return this.#setExpression({ expression: name, value, frameId: depth + 1 });
  }

  async #setExpression({ expression, value, frameId }: Args): Promise<object> {
    const { result, ...rest } = (await this.#evaluate({
      expression: `${expression} = ${value}`,
      frameId,
    })) as {
      result: string;
    };
    return { ...rest, value: result };
  }

  #exceptionInfo(): DebugProtocol.ExceptionInfoResponse["body"] {
    if (!this.#thrown) throw new Error("the program did not stop at an exception");
    const { type, message, uncaught } = this.#thrown;
    return {
      exceptionId: type,
      description: message,
      breakMode: uncaught ? "unhandled" : "always",
      details: { typeName: type, message },
    };
  }

  /** Xdebug answers only while the program stands. */
  #still(): DbgpConnection {
    if (this.#running || !this.#begun) throw new Error("the program is running");
    return this.#engine;
  }
}

function answers(rules: Rule[]): object {
  return { breakpoints: rules.map(({ answer }) => answer) };
}

function properties(elements: Element[]): Element[] {
  return elements.filter(({ name }) => name === "property");
}

function toPath(uri: string): string {
  return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
}

function sourceOf(uri: string): string {
  try {
    return readFileSync(toPath(uri), "utf8");
  } catch {
    return ""; // code of an eval, or gone
  }
}

function escaped(text: string): string {
  return text.replace(/[\\"$]/g, "\\$&");
}

/** Tells how many parts were not read. */
function moreRow(unread: number): DebugProtocol.Variable {
  return {
    name: "…",
    value: `${unread} more`,
    variablesReference: 0,
    presentationHint: { kind: "virtual" },
  };
}
