/** A request as it is sent: the client's own, with injected messages where they belong and values that were set. */
import type { AgentRef, CallClass, ModelDecision, Seams } from "../core/model.ts";
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

/** What goes to the provider. New injections are put down in the ledger, lost ones reported. */
export function bodyToSend(bridge: Ledger, asked: Asked, decision: ModelDecision & { do: "send" }): string {
  const { wire, agent, body } = asked;
  if (asked.class === "auxiliary") return body;
  const ledger = bridge.ledgerFor(agent);
  const base = decision.body ?? body;
  const { insert, lost } = place(wire, base, ledger, decision.inject);
  const sent = editRequest(wire, base, { insert, ...(decision.body === undefined && { set: decision.set }) });
  // By the client's own messages: those are what the next request will have.
  for (const { id, anchor } of place(wire, body, ledger, decision.inject).anchors) bridge.placed(id, anchor);
  // Where a summary is made, the conversation may be told in another way than in the calls before and after it.
  if (asked.class !== "compaction" && decision.body === undefined)
    for (const id of lost) bridge.anchorLost(id);
  return sent;
}
