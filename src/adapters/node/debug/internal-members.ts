/** What only V8 can see: private fields, a promise's result, a proxy's target, a weak map's entries. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";

/** A value as DAP shows it, whatever it is called. */
export type Shape = Omit<DebugProtocol.Variable, "name">;

/** Names of no use to a reader. */
const NOISE = new Set([
  "[[Prototype]]",
  "[[FunctionLocation]]",
  "[[Scopes]]",
  "[[IsRevoked]]",
  "[[GeneratorReceiver]]",
  "[[GeneratorFunction]]",
]);

export async function internalMembers(
  cdp: Cdp,
  objectId: string,
  shape: (object: Protocol.Runtime.RemoteObject) => Shape,
): Promise<DebugProtocol.Variable[]> {
  const answer = await cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
  const found: DebugProtocol.Variable[] = [];
  for (const { name, value } of answer.privateProperties ?? []) {
    if (value === undefined || value.type === "function") continue;
    found.push({ name, ...shape(value), presentationHint: { visibility: "private" } });
  }
  for (const { name, value } of answer.internalProperties ?? []) {
    if (value === undefined || NOISE.has(name)) continue;
    found.push({ name, ...shape(value), presentationHint: { visibility: "internal" } });
  }
  return found;
}
