/** A hit's stack in one line: `inner() -> main() @ file:line`. */
import type { TraceFrame } from "./record.ts";

/** Frames without a source of their own (the C library's start, the runtime's loader) say nothing. */
export function compactBacktrace(frames: readonly TraceFrame[], place: string): string {
  const named = frames.filter(({ path }, at) => at === 0 || isFile(path));
  return `${named.map((one) => `${one.function}()`).join(" -> ")} @ ${place}`;
}

function isFile(path: string | undefined): boolean {
  return path?.startsWith("/") === true || (path !== undefined && /^[A-Za-z]:\\/.test(path));
}
