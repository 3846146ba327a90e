/** One HTTP call to a model through the bridge, for adapters that stand between an SDK and the network. */
import { createHash } from "node:crypto";
import type {
  AgentRef,
  ModelCall,
  ModelDecision,
  Placed,
  RequestChanges,
  RequestView,
} from "../../core/model.ts";
import { editRequest } from "../../wire/edit-request.ts";
import { place } from "../../wire/placement.ts";
import { cutsOf, readRequest } from "../../wire/request.ts";
import { type HttpWire, wireOf } from "../../wire/routes.ts";
import { errorBody, syntheticAnswer } from "../../wire/synthetic.ts";
import { agentRef, type Inside } from "../live.ts";
import { errorFacts } from "../outcomes.ts";
import { heard } from "./answer.ts";
import type { HttpAdapterOptions } from "./call.ts";
import { reportResults } from "./results.ts";

export interface Outgoing {
  url: string;
  method: string;
  body: string;
  signal?: AbortSignal | undefined;
}

/** `send` is given the body as it is to go; a URL that no model answers is sent as it is. */
export async function exchange(
  inside: Inside,
  { url, method, body, signal }: Outgoing,
  options: HttpAdapterOptions,
  send: (body: string) => Promise<Response>,
): Promise<Response> {
  const { pathname, host } = new URL(url);
  const route = wireOf(method, pathname);
  if (!route) return send(body);
  const { core } = inside;
  const { wire } = route;
  const request = readRequest(wire, body);
  const agent = agentRef(options.agent);
  const isMain = agent.id === "main";
  const call: ModelCall = {
    // The same for a try of the SDK's own, which sends the same body again.
    key: createHash("sha256").update(agent.id).update("\0").update(body).digest("base64"),
    agent,
    class: route.auxiliary ? "auxiliary" : isMain ? "main" : "subagent",
    provider: host,
    request,
    changed: (changes) =>
      readRequest(wire, route.auxiliary ? body : editedBody(core, wire, agent, body, changes).text),
  };
  if (!route.auxiliary) reportResults(core, request.messages, agent);
  const decision = await core.beforeModel(call, signal);
  if (decision.do !== "send") return standIn(inside, wire, request, decision);
  const { req } = decision;
  const sent = route.auxiliary ? body : edited(inside, wire, call, decision);
  if (sent !== body) core.requestEdited(req, sent, cutsOf(sent));
  const began = performance.now();
  let response: Response;
  try {
    response = await send(sent);
  } catch (thrown) {
    core.modelFailed(req, { ...errorFacts(thrown), durationMs: performance.now() - began });
    throw thrown;
  }
  return heard(inside, { ...call, wire, req, began, options }, response);
}

function edited(
  { core }: Inside,
  wire: HttpWire,
  { agent, request }: ModelCall,
  decision: ModelDecision & { do: "send" },
): string {
  const { text, before, lost } = editedBody(core, wire, agent, request.body, decision);
  // By the agent's own messages: those are what its next request will have.
  for (const { id, anchor } of place(wire, request.body, before, decision.inject).anchors)
    core.placed(id, anchor);
  if (decision.body === undefined) for (const id of lost) core.anchorLost(id);
  return text;
}

function editedBody(
  core: Inside["core"],
  wire: HttpWire,
  agent: AgentRef,
  own: string,
  { inject, set, body }: RequestChanges,
): { text: string; before: readonly Placed[]; lost: readonly string[] } {
  const fresh = new Set(inject.map(({ id }) => id));
  const before = core.ledgerFor(agent).filter(({ id }) => !fresh.has(id));
  const { insert, lost } = place(wire, body ?? own, before, inject, body === undefined ? "own" : "edited");
  // Whoever wrote the whole request has the last word on its values.
  const text = editRequest(wire, body ?? own, { insert, ...(body === undefined && { set }) });
  return { text, before, lost };
}

/** In the model's place. */
function standIn(
  { core }: Inside,
  wire: HttpWire,
  request: RequestView,
  decision: Exclude<ModelDecision, { do: "send" }>,
): Response {
  const { req } = decision;
  if (decision.do === "fail") {
    core.modelFailed(req, { type: "refused", message: decision.message });
    return new Response(errorBody(wire, "invalid_request_error", decision.message), {
      status: 400,
      headers: { "content-type": "application/json", "x-should-retry": "false" },
    });
  }
  const { text } = decision;
  core.afterModel(req, { parts: [{ kind: "text", text }], stopReason: "end_turn" }, { durationMs: 0 });
  return new Response(syntheticAnswer(wire, request, req, text), {
    headers: { "content-type": request.stream ? "text/event-stream; charset=utf-8" : "application/json" },
  });
}
