/** The variable of a frame that has this name, nearest scope first. */
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";

export async function findVariable(
  session: Session,
  debuggee: Debuggee,
  frameId: number,
  name: string,
): Promise<{ scope: number; name: string } | undefined> {
  for (const scope of await session.reads.scopes(debuggee, frameId)) {
    if (scope.expensive) continue;
    const variables = await session.reads.variables(debuggee, scope.variablesReference);
    const found = variables.find((variable) => variable.name === name);
    if (found) return { scope: scope.variablesReference, name: found.name };
  }
  return undefined;
}
