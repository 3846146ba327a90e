/** The instruction at which a thread stands, where that is all that a step has changed: `step --instruction` within a line. */
import type { Debuggee } from "../debuggee.ts";
import type { Place } from "../stack/focus.ts";
import type { Stop } from "../state.ts";
import { type Instruction, instructionsAt } from "./machine.ts";

interface Stand {
  stop: Stop;
  line: string;
  pointer: string;
  instruction?: Instruction;
}

/** Where each debuggee stood when it was last looked at. */
const last = new WeakMap<Debuggee, Stand>();

export async function instructionHere(place: Place): Promise<Instruction | undefined> {
  const { debuggee, stop, threadId, frame } = place;
  const pointer = frame?.instructionPointer;
  if (pointer === undefined || frame?.index !== 0 || !debuggee.capabilities.supportsDisassembleRequest)
    return undefined;
  const before = last.get(debuggee);
  if (before?.stop === stop) return before.instruction;
  const line = `${threadId} ${frame.name} ${frame.path}:${frame.line}`;
  const within = stop.reason === "step" && before?.line === line && before.pointer !== pointer;
  // Lines say nothing where there is no source.
  const [instruction] = within || frame.line < 1 ? await instructionsAt(place, pointer, 1) : [];
  last.set(debuggee, { stop, line, pointer, ...(instruction === undefined ? {} : { instruction }) });
  return instruction;
}
