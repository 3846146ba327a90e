/** The bridge as a middleware of the AI SDK: `wrapLanguageModel({ model, middleware: aiSdkMiddleware(bridge) })`. */
import { createHash } from "node:crypto";
import { SondeError } from "../../../errors.ts";
import type { AgentRef, ModelDecision } from "../../core/model.ts";
import { place } from "../../wire/placement.ts";
import type { AgentBridge } from "../bridge.ts";
import { agentRef, type Inside, insideOf } from "../live.ts";
import { errorFacts } from "../outcomes.ts";
import {
  answerOf,
  type Fields,
  fields,
  list,
  NO_USAGE,
  partOf,
  promptMessage,
  viewOfParams,
} from "./ai-prompt.ts";
import { ruledContent, ruledStream, type ToolRuling } from "./ai-tools.ts";
import type { HttpAdapterOptions } from "./call.ts";
import { reportResults } from "./results.ts";

/** As much of the SDK's own type as is used: it must not be needed to compile. */
export interface AiSdkMiddleware {
  transformParams<P extends object>(options: {
    type: "generate" | "stream";
    params: P;
    model?: unknown;
  }): Promise<P>;
  wrapGenerate<R extends object>(options: { doGenerate(): PromiseLike<R>; params: object }): Promise<R>;
  wrapStream<R extends object>(options: { doStream(): PromiseLike<R>; params: object }): Promise<R>;
}

/** What was decided about a call whose parameters were transformed. */
interface Decided {
  req: number;
  /** Said in the model's place. */
  answer?: string;
}

export function aiSdkMiddleware(bridge: AgentBridge, options: HttpAdapterOptions = {}): AiSdkMiddleware {
  const inside = insideOf(bridge);
  if (!inside) return PASSING;
  const { core } = inside;
  const agent = agentRef(options.agent);
  const decided = new WeakMap<object, Decided>();
  const ruling = (req: number): ToolRuling | undefined =>
    options.tools === false
      ? undefined
      : ({ id, name, input }) => core.beforeTool({ id, name, input, agent, req, source: "proxy" });

  return {
    async transformParams({ type, params, model }) {
      const decision = await decide(inside, agent, fields(params), fields(model), type === "stream");
      const { req } = decision;
      if (decision.do === "fail") {
        core.modelFailed(req, { type: "refused", message: decision.message });
        throw new SondeError("CANCELLED", decision.message);
      }
      const sent = decision.do === "send" ? changedParams(inside, agent, params, decision) : { ...params };
      decided.set(sent, decision.do === "answer" ? { req, answer: decision.text } : { req });
      return sent;
    },

    async wrapGenerate({ doGenerate, params }) {
      const call = decided.get(params);
      if (!call) return doGenerate();
      const { req, answer } = call;
      if (answer !== undefined)
        return saidInstead(inside, req, answer) as Awaited<ReturnType<typeof doGenerate>>;
      const began = performance.now();
      const result = await failing(inside, req, doGenerate);
      const content = list(fields(result).content);
      const parts = content.map((one) => partOf(fields(one)));
      core.afterModel(req, answerOf(parts, fields(result)), { durationMs: performance.now() - began });
      const rule = ruling(req);
      return rule
        ? { ...result, ...(await ruledContent(content, fields(result).finishReason, rule)) }
        : result;
    },

    async wrapStream({ doStream, params }) {
      const call = decided.get(params);
      if (!call) return doStream();
      const { req, answer } = call;
      if (answer !== undefined)
        return { stream: saidStream(inside, req, answer) } as unknown as Awaited<ReturnType<typeof doStream>>;
      const began = performance.now();
      const result = await failing(inside, req, doStream);
      const { stream } = result as { stream?: unknown };
      if (!(stream instanceof ReadableStream)) return result;
      return { ...result, stream: ruledStream(stream, { core, req, began, rule: ruling(req) }) };
    },
  };
}

const PASSING: AiSdkMiddleware = {
  transformParams: async ({ params }) => params,
  wrapGenerate: async ({ doGenerate }) => doGenerate(),
  wrapStream: async ({ doStream }) => doStream(),
};

async function decide(
  { core }: Inside,
  agent: AgentRef,
  params: Fields,
  model: Fields,
  stream: boolean,
): Promise<ModelDecision> {
  const request = viewOfParams(params, typeof model.modelId === "string" ? model.modelId : "", stream);
  reportResults(core, request.messages, agent);
  const key = createHash("sha256").update(agent.id).update("\0").update(request.body).digest("base64");
  const provider = typeof model.provider === "string" ? model.provider : "ai-sdk";
  const kind = agent.id === "main" ? "main" : "subagent";
  const signal = params.abortSignal instanceof AbortSignal ? params.abortSignal : undefined;
  return core.beforeModel({ key, agent, class: kind, provider, request }, signal);
}

/** The SDK keeps the conversation: what was injected is put in again each time. */
function changedParams<P extends object>(
  { core }: Inside,
  agent: AgentRef,
  params: P,
  { req, inject, set, body }: ModelDecision & { do: "send" },
): P {
  const edits = body === undefined ? set : editedParams(fields(JSON.parse(body)));
  const changed = { ...params, ...edits } as Record<string, unknown>;
  const prompt = [...list(changed.prompt)];
  const fresh = new Set(inject.map(({ id }) => id));
  const before = core.ledgerFor(agent).filter(({ id }) => !fresh.has(id));
  const { insert, lost } = place("library", JSON.stringify({ messages: prompt }), before, inject);
  // By the agent's own messages: those are what its next request will have.
  const own = JSON.stringify({ messages: list(fields(params).prompt) });
  for (const { id, anchor } of place("library", own, before, inject).anchors) core.placed(id, anchor);
  if (body === undefined) for (const id of lost) core.anchorLost(id);
  for (const { before: at, injection } of insert.toReversed()) prompt.splice(at, 0, promptMessage(injection));
  changed.prompt = prompt;
  if (insert.length > 0 || body !== undefined || Object.keys(set).length > 0)
    core.requestEdited(
      req,
      JSON.stringify({ ...changed, prompt: undefined, abortSignal: undefined, messages: prompt }),
    );
  return changed as P;
}

/** An edited request has the names that were shown. */
function editedParams({ messages, model: _, ...rest }: Fields): Fields {
  return { ...rest, ...(messages === undefined ? {} : { prompt: messages }) };
}

async function failing<R>({ core }: Inside, req: number, run: () => PromiseLike<R>): Promise<R> {
  const began = performance.now();
  try {
    return await run();
  } catch (thrown) {
    core.modelFailed(req, { ...errorFacts(thrown), durationMs: performance.now() - began });
    throw thrown;
  }
}

function said(inside: Inside, req: number, text: string): void {
  inside.core.afterModel(req, { parts: [{ kind: "text", text }], stopReason: "stop" }, { durationMs: 0 });
}

function saidInstead(inside: Inside, req: number, text: string): object {
  said(inside, req, text);
  return { content: [{ type: "text", text }], finishReason: "stop", usage: NO_USAGE, warnings: [] };
}

function saidStream(inside: Inside, req: number, text: string): ReadableStream<unknown> {
  said(inside, req, text);
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
      controller.enqueue({ type: "text-start", id: "0" });
      controller.enqueue({ type: "text-delta", id: "0", delta: text });
      controller.enqueue({ type: "text-end", id: "0" });
      controller.enqueue({ type: "finish", finishReason: "stop", usage: NO_USAGE });
      controller.close();
    },
  });
}
