/** One DAP variable as a line we show: cut, with a handle when there is more to open. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { cut } from "../../util/text.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";

export interface ValueLine {
  name: string;
  value: string;
  type?: string;
  /** Opens it: `variables @v7`. Present when the value has parts or was cut. */
  handle?: string;
  change?: "new" | "changed";
  was?: string;
  /** Set for values that are not the function's own: `closure`, `global`. */
  scope?: string;
  children?: ValueLine[];
  moreChildren?: number;
}

export function toLine(
  session: Session,
  debuggee: Debuggee,
  variable: DebugProtocol.Variable,
  chars: number,
): ValueLine {
  const { name, value, type, variablesReference, indexedVariables } = variable;
  return {
    name,
    value: cut(value, chars),
    ...(type === undefined || type === "" ? {} : { type }),
    ...(variablesReference > 0
      ? { handle: session.values.handle(debuggee, variablesReference, indexedVariables) }
      : {}),
  };
}

export function isFunction(variable: {
  type?: string;
  presentationHint?: DebugProtocol.VariablePresentationHint;
}): boolean {
  return (
    variable.presentationHint?.kind === "method" ||
    /^(async |generator )*function$/i.test(variable.type ?? "")
  );
}
