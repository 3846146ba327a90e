/** What stands in the place of a text that a recording names and no longer has. */

/** `stored`: as the event has it. `[missing: 12,345 bytes]` */
export function missingText(stored: unknown): string {
  const { bytes } = (typeof stored === "object" && stored !== null ? stored : {}) as { bytes?: unknown };
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) return "[missing]";
  return `[missing: ${bytes.toLocaleString("en-US")} bytes]`;
}
