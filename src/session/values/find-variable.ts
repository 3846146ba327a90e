/** The variable of a frame that has this name, nearest scope first. `unset`: also one whose declaration has not run yet. */
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";

export async function findVariable(
  session: Session,
  debuggee: Debuggee,
  frameId: number,
  name: string,
  { unset = false }: { unset?: boolean } = {},
): Promise<{ scope: number; name: string } | undefined> {
  for (const scope of await session.reads.scopes(debuggee, frameId)) {
    if (scope.expensive) continue;
    const { reads } = session;
    const { variablesReference } = scope;
    const variables = unset
      ? await reads.declared(debuggee, variablesReference)
      : await reads.variables(debuggee, variablesReference);
    const found = variables.find((variable) => variable.name === name);
    if (found) return { scope: scope.variablesReference, name: found.name };
  }
  return undefined;
}
