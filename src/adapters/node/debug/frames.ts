/** The stack as the user sees it: original places, Node's own frames dimmed, awaits as dividers. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { AnyFrame, Pause } from "./pause.ts";
import type { Place, Sources } from "./sources.ts";

export async function stackTrace(
  pause: Pause,
  sources: Sources,
  { startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments,
): Promise<DebugProtocol.StackTraceResponse["body"] & { isCut?: true }> {
  const end = levels > 0 ? startFrame + levels : pause.frames.length;
  const wanted = pause.frames.slice(startFrame, end);
  const stackFrames = await Promise.all(wanted.map(({ id, frame }) => toStackFrame(id, frame, sources)));
  return { stackFrames, totalFrames: pause.frames.length, ...(isCut(pause) ? { isCut: true } : {}) };
}

/** V8 keeps no more than these with an error. */
const KEPT_WITH_ERROR = 200;

/** Whether the stack is that of an error that was thrown before, and longer than what V8 kept of it. Node's own frames begin each. */
function isCut({ frames }: Pause): boolean {
  const end = frames.findIndex(({ frame }) => frame.kind !== "past");
  const kept = end < 0 ? frames : frames.slice(0, end);
  const last = kept.at(-1)?.frame;
  if (kept.length < KEPT_WITH_ERROR || last?.kind !== "past") return false;
  return !last.call.url.startsWith("node:");
}

async function toStackFrame(
  id: number,
  frame: AnyFrame,
  sources: Sources,
): Promise<DebugProtocol.StackFrame> {
  if (frame.kind === "divider")
    return { id, name: frame.text, line: 0, column: 0, presentationHint: "label" };
  const place = await placeOf(frame, sources);
  return {
    id,
    name: nameOf(frame),
    line: place.line + 1,
    column: place.column + 1,
    source: place.source,
    ...(place.foreign || place.unmapped ? { presentationHint: "subtle" as const } : {}),
    ...(frame.kind === "live" ? { canRestart: frame.call.canBeRestarted !== false } : {}),
  };
}

export function placeOf(frame: Exclude<AnyFrame, { kind: "divider" }>, sources: Sources): Promise<Place> {
  if (frame.kind === "past") {
    const { scriptId, lineNumber, columnNumber } = frame.call;
    return sources.place(scriptId, { line: lineNumber, column: columnNumber });
  }
  const { scriptId, lineNumber, columnNumber } = frame.call.location;
  return sources.place(scriptId, { line: lineNumber, column: columnNumber ?? 0 });
}

function nameOf(frame: Exclude<AnyFrame, { kind: "divider" }>): string {
  const { functionName } = frame.call;
  if (functionName !== "") return functionName;
  return frame.kind === "live" && frame.isModule ? "<module>" : "(anonymous)";
}
