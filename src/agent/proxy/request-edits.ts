/** A request as it is sent: the client's own, with injected messages where they belong and values that were set. */
import type { AgentRef, CallClass, ModelDecision, RequestChanges, Seams } from "../core/model.ts";
import { editRequest } from "../wire/edit-request.ts";
import { place } from "../wire/placement.ts";
import type { HttpWire } from "../wire/routes.ts";

interface Asked {
  wire: HttpWire;
  agent: AgentRef;
  class: CallClass;
  /** As the client wrote it. */
  body: string;
}

type Ledger = Pick<Seams, "ledgerFor" | "placed" | "anchorLost">;

/** With what was injected before: what a person looks at while the call is held. */
export function withLedger(bridge: Ledger, { wire, agent, body, ...asked }: Asked): string {
  const ledger = asked.class === "auxiliary" ? [] : bridge.ledgerFor(agent);
  const standing = ledger.filter(({ anchor }) => anchor !== undefined);
  return editRequest(wire, body, { insert: place(wire, body, standing, []).insert });
}

/** What would go to the provider with these changes: nothing is put down. */
export function bodyWith(bridge: Pick<Seams, "ledgerFor">, asked: Asked, changes: RequestChanges): string {
  const { wire, agent, body } = asked;
  const base = changes.body ?? body;
  const { insert } = place(wire, base, bridge.ledgerFor(agent), changes.inject, isOwn(changes));
  return editRequest(wire, base, { insert, ...(changes.body === undefined && { set: changes.set }) });
}

/** The client's own messages, or those of a person, who may have put in what was injected. */
function isOwn({ body }: RequestChanges): "own" | "edited" {
  return body === undefined ? "own" : "edited";
}

/** What goes to the provider. New injections are put down in the ledger, lost ones reported. */
export function bodyToSend(bridge: Ledger, asked: Asked, decision: ModelDecision & { do: "send" }): string {
  const { wire, agent, body } = asked;
  if (asked.class === "auxiliary") return body;
  const ledger = bridge.ledgerFor(agent);
  const sent = bodyWith(bridge, asked, decision);
  const { lost } = place(wire, decision.body ?? body, ledger, decision.inject);
  // By the client's own messages: those are what the next request will have.
  for (const { id, anchor } of place(wire, body, ledger, decision.inject).anchors) bridge.placed(id, anchor);
  // Where a summary is made, the conversation may be told in another way than in the calls before and after it.
  if (asked.class !== "compaction" && decision.body === undefined)
    for (const id of lost) bridge.anchorLost(id);
  return sent;
}
