/** The bridge when it is on: the core behind the methods that an agent calls. */
import { SondeError } from "../../errors.ts";
import type { Bridge } from "../core/bridge.ts";
import { type AgentRef, MAIN, type ModelDecision, type RequestChanges } from "../core/model.ts";
import type { EventLog } from "../store/log.ts";
import { readAnswer } from "../wire/answers/index.ts";
import { cutsOf } from "../wire/request.ts";
import type { HttpWire } from "../wire/routes.ts";
import { syntheticAnswer } from "../wire/synthetic.ts";
import type {
  AgentBridge,
  AgentConversation,
  AgentName,
  AllowedCall,
  AllowedTool,
  ModelCallFacts,
  ToolCallFacts,
  ToolOutcomeFacts,
  ToolRun,
} from "./bridge.ts";
import type { CurrentConversation } from "./current-conversation.ts";
import { asText, errorFacts } from "./outcomes.ts";
import { changed, copyOf, viewOf, wireOfShape } from "./requests.ts";

export interface LiveParts {
  core: Bridge;
  log: EventLog;
  conversations: CurrentConversation;
  session: string;
  folder: string;
  close(): Promise<void>;
}

/** What is behind a bridge that an adapter is given; none when it is off. */
const INSIDES = new WeakMap<AgentBridge, Inside>();

export interface Inside {
  core: Bridge;
  log: EventLog;
}

export function insideOf(bridge: AgentBridge): Inside | undefined {
  return INSIDES.get(bridge);
}

export class LiveBridge implements AgentBridge {
  readonly enabled = true;
  readonly session: string;
  readonly folder: string;
  readonly #core: Bridge;
  readonly #conversations: CurrentConversation;
  readonly #close: () => Promise<void>;
  /** Calls that are under way, for their answers. */
  readonly #sent = new Map<number, { wire: HttpWire; began: number }>();
  #calls = 0;

  constructor({ core, log, conversations, session, folder, close }: LiveParts) {
    this.#core = core;
    this.#conversations = conversations;
    this.session = session;
    this.folder = folder;
    this.#close = close;
    INSIDES.set(this, { core, log });
  }

  async beforeModel<R extends object>(request: R, about: ModelCallFacts = {}): Promise<AllowedCall<R>> {
    const wire = about.wire ?? wireOfShape(request);
    const call = {
      key: about.key ?? `library ${++this.#calls}`,
      agent: agentRef(about.agent),
      class: callClass(about),
      provider: about.provider ?? PROVIDERS[wire],
      request: viewOf(wire, request),
      changed: (changes: RequestChanges) => viewOf(wire, changed(wire, copyOf(wire, request), changes)),
    };
    const decision = await this.#conversations.atCall(() => this.#core.beforeModel(call, about.signal));
    const { req, heldMs } = decision;
    if (decision.do === "fail") throw this.#refused(decision);
    if (decision.do === "answer") {
      this.#core.afterModel(
        req,
        { parts: [{ kind: "text", text: decision.text }], stopReason: STOOD_IN },
        { durationMs: 0 },
      );
      return { req, request, answer: decision.text, heldMs };
    }
    const sent = changed(wire, request, decision);
    // A rewound list is not what was recorded, though the object is the same.
    const body = JSON.stringify(sent);
    if (body !== call.request.body) this.#core.requestEdited(req, body, cutsOf(body));
    this.#sent.set(req, { wire, began: performance.now() });
    return { req, request: sent, heldMs };
  }

  #refused({ req, message }: ModelDecision & { do: "fail" }): SondeError {
    this.#core.modelFailed(req, { type: "refused", message });
    return new SondeError("CANCELLED", message);
  }

  afterModel({ req }: { req: number }, answer: object, times: { firstMs?: number } = {}): void {
    const sent = this.#sent.get(req);
    if (!sent) return;
    this.#sent.delete(req);
    const durationMs = performance.now() - sent.began;
    const read = readAnswer(sent.wire, JSON.stringify(answer));
    if (read) this.#core.afterModel(req, read, { durationMs, ...times });
    else
      this.#core.modelFailed(req, {
        type: "unreadable",
        message: `no answer from the ${sent.wire} API`,
        durationMs,
      });
  }

  modelFailed({ req }: { req: number }, error: unknown): void {
    const sent = this.#sent.get(req);
    if (!sent) return;
    this.#sent.delete(req);
    this.#core.modelFailed(req, { ...errorFacts(error), durationMs: performance.now() - sent.began });
  }

  async model<R extends object, A extends object>(
    request: R,
    run: (request: R) => Promise<A>,
    about: ModelCallFacts = {},
  ): Promise<A> {
    const wire = about.wire ?? wireOfShape(request);
    const call = await this.beforeModel(request, { ...about, wire });
    // The caller's own type of an answer: the shape is the API's.
    if (call.answer !== undefined) {
      const view = { ...viewOf(wire, request), stream: false };
      return JSON.parse(syntheticAnswer(wire, view, call.req, call.answer)) as A;
    }
    try {
      const answer = await run(call.request);
      this.afterModel(call, answer);
      return answer;
    } catch (thrown) {
      this.modelFailed(call, thrown);
      throw thrown;
    }
  }

  async beforeTool({ id, name, input, agent, signal }: ToolCallFacts): Promise<AllowedTool> {
    const decision = await this.#core.beforeTool(
      { id, name, input, agent: agentRef(agent), source: "library" },
      signal,
    );
    const { heldMs } = decision;
    if (decision.do === "cancel") return { run: false, reason: decision.reason, heldMs };
    const both = signal ? AbortSignal.any([signal, decision.signal]) : decision.signal;
    return { run: true, input: decision.input, edited: decision.edited, heldMs, signal: both };
  }

  afterTool({ id, name, content, isError = false, durationMs, agent }: ToolOutcomeFacts): void {
    const took = durationMs === undefined ? {} : { durationMs };
    this.#core.afterTool({ id, name, text: asText(content), isError, ...took }, agentRef(agent));
  }

  async tool<T>(
    call: ToolCallFacts,
    run: (input: unknown, running: { signal: AbortSignal }) => T | Promise<T>,
  ): Promise<ToolRun<T>> {
    const allowed = await this.beforeTool(call);
    if (!allowed.run) return { cancelled: true, reason: allowed.reason };
    const { input, edited, signal } = allowed;
    const { id, name, agent } = call;
    const of = agent === undefined ? { id, name } : { id, name, agent };
    try {
      const value = await run(input, { signal });
      this.afterTool({ ...of, content: value });
      return { cancelled: false, value, input, edited };
    } catch (thrown) {
      this.afterTool({ ...of, content: errorFacts(thrown).message, isError: true });
      if (!signal.aborted || call.signal?.aborted) throw thrown;
      return { cancelled: true, reason: errorFacts(signal.reason).message };
    }
  }

  message(role: "user" | "assistant" | "system", content: string, agent?: AgentName): void {
    this.#core.message({ role, content, agent: agentRef(agent) });
  }

  turnEnded(agent?: AgentName): void {
    const ref = agentRef(agent);
    if (ref.id === MAIN.id) this.#core.turnEnded(ref);
    else this.#core.agentEnded(ref);
  }

  conversation<M>(messages: M[]): AgentConversation<M> {
    return this.#conversations.take(messages);
  }

  now(agent?: AgentName): number {
    return this.#core.now(agentRef(agent));
  }

  heldMs(agent?: AgentName): number {
    return this.#core.heldMs(agentRef(agent));
  }

  close(): Promise<void> {
    return this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const PROVIDERS: Record<HttpWire, string> = {
  anthropic: "anthropic",
  "openai-chat": "openai",
  "openai-responses": "openai",
};

const STOOD_IN = "end_turn";

export function agentRef(agent: AgentName | undefined): AgentRef {
  if (agent === undefined) return MAIN;
  return typeof agent === "string" ? { id: agent } : agent;
}

function callClass({ class: asked, agent }: ModelCallFacts): "main" | "subagent" | "auxiliary" {
  if (asked === "auxiliary") return "auxiliary";
  return agentRef(agent).id === MAIN.id ? "main" : "subagent";
}
