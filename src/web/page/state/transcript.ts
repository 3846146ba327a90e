/**
 * The `sonde` lines of what was done on this page, oldest first: each click is a command. `Y` copies the last one; the panel shows and
 * saves them all.
 */
import { signal } from "@preact/signals";

export interface Line {
  at: number;
  line: string;
  ok: boolean;
}

const MOST = 1000;

export const lines = signal<readonly Line[]>([]);
export const isPanelOpen = signal(false);

export function noteLine(line: string, ok: boolean): void {
  lines.value = [...lines.value.slice(-MOST + 1), { at: Date.now(), line, ok }];
}

/** As a script that can be run again; what failed stands there as a comment. */
export function asScript(): string {
  return lines.value.map(({ line, ok }) => (ok ? line : `# failed: ${line}`)).join("\n");
}
