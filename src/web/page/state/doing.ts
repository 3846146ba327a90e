/** A person does something: the command is run, what went wrong is shown, and the answer given back if it went well. */

import { signal } from "@preact/signals";
import { type CallOptions, call, isReadOnly } from "./link.ts";
import { clearMessage, tellError } from "./say.ts";

/** Commands of a person that are under way. */
export const underWay = signal(0);

export async function act<T>(
  command: string,
  args: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<T | undefined> {
  underWay.value += 1;
  const answer = await call<T>(command, args, options);
  underWay.value -= 1;
  if (answer.ok) {
    clearMessage();
    return answer.data;
  }
  tellError(answer.error);
  return undefined;
}

/** Whether buttons that change something are of any use. */
export function canAct(): boolean {
  return !isReadOnly();
}
