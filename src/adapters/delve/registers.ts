/**
 * The registers of a frame. dlv reads all of them with every list of scopes if it is told to show them, which costs each stop
 * as much as its values do. So it is told to when they are asked for: until then their scope is one of ours.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { refusalText } from "./plain-texts.ts";

/** Far from dlv's own numbers; the frame's is added. */
const FIRST = 1_000_000_000;

export function registersScope(frameId: number): DebugProtocol.Scope {
  return {
    name: "Registers",
    presentationHint: "registers",
    variablesReference: FIRST + frameId,
    expensive: true,
  };
}

/** If that is what the reference stands for. */
export function readRegisters(
  wire: Wire,
  { variablesReference }: DebugProtocol.VariablesArguments,
): Promise<unknown> | undefined {
  return variablesReference < FIRST ? undefined : read(wire, variablesReference - FIRST);
}

async function read(wire: Wire, frameId: number): Promise<unknown> {
  // Sent in one go: nothing of the client's can come in between and see the scopes with registers in them.
  const [, scopes] = await Promise.all([
    show(wire, true),
    wire.ask("scopes", { frameId }),
    show(wire, false),
  ]);
  if (!scopes.success) throw new Error(refusalText(scopes));
  const list: DebugProtocol.Scope[] = scopes.body.scopes;
  const found = list.find(({ name }) => name === "Registers");
  if (found === undefined) throw new Error("delve does not show registers for this frame");
  const answer = await wire.ask("variables", { variablesReference: found.variablesReference });
  if (!answer.success) throw new Error(refusalText(answer));
  // Padded, to stand in columns.
  const variables: DebugProtocol.Variable[] = answer.body.variables;
  return { variables: variables.map((one) => ({ ...one, name: one.name.trim() })) };
}

function show(wire: Wire, yes: boolean): Promise<DebugProtocol.Response> {
  return wire.ask("evaluate", { expression: `dlv config showRegisters ${yes}`, context: "repl" });
}
