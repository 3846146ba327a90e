/** The values of one frame's own scopes. */
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Frame } from "../stack/frames.ts";
import type { Limits } from "../stack/snapshot.ts";
import { isFunction, toLine, type ValueLine } from "./value-line.ts";

export interface ScopeValues {
  name: string;
  handle: string;
  expensive: boolean;
  kind?: string;
  values: ValueLine[];
}

/** Every scope; the cheap ones with their values. */
export async function readScopes(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  chars: number,
): Promise<ScopeValues[]> {
  const scopes = await session.reads.scopes(debuggee, frame.adapterId);
  return Promise.all(
    scopes.map(async (scope) => {
      const { variablesReference, name, expensive } = scope;
      const variables = expensive ? [] : await session.reads.variables(debuggee, variablesReference);
      return {
        name,
        expensive,
        handle: session.values.handle(debuggee, variablesReference, scope.indexedVariables),
        ...(scope.presentationHint === undefined ? {} : { kind: scope.presentationHint }),
        values: variables.map((variable) => toLine(session, debuggee, variable, chars)),
      };
    }),
  );
}

/** Arguments and locals only, for a line or two under a frame. */
export async function frameValues(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  limits: Limits,
): Promise<ValueLine[]> {
  const scopes = await session.reads.scopes(debuggee, frame.adapterId).catch(() => []);
  const own = scopes.filter(
    ({ presentationHint, expensive }) => !expensive && OWN.has(presentationHint ?? ""),
  );
  const lists = own.map((scope) =>
    session.reads.variables(debuggee, scope.variablesReference).catch(() => []),
  );
  return (await Promise.all(lists))
    .flat()
    .filter(({ presentationHint }) => presentationHint?.kind !== "virtual")
    .map((variable) => toLine(session, debuggee, variable, limits.valueChars))
    .filter((value) => !isFunction(value))
    .slice(0, limits.variables);
}

const OWN = new Set(["locals", "arguments"]);
