/** What a report would hold: each part looked through once, its bytes counted and hashed as they would be written. */
import { createHash } from "node:crypto";
import type { Item, Missing } from "./item.ts";
import { lostText } from "./line-item.ts";
import { Redaction, redacted } from "./redaction.ts";
import type { Redactor, Removals } from "./redactor.ts";

export interface Part {
  name: string;
  kind: Item["kind"];
  bytes: number;
  sha256: string;
  removed: Removals;
  leftOut?: string;
}

export interface Survey {
  parts: Part[];
  missing: Missing[];
  removed: Removals;
}

export async function survey(
  items: readonly Item[],
  missing: readonly Missing[],
  redactor: Redactor,
  signal: AbortSignal,
): Promise<Survey> {
  const parts: Part[] = [];
  for (const item of items) parts.push(await look(item, redactor, signal));
  return {
    parts,
    missing: missing.map(({ name, why }) => ({ name, why: redactor.text(why) })),
    removed: inOrder(sum(parts.map(({ removed }) => removed))),
  };
}

async function look(item: Item, redactor: Redactor, signal: AbortSignal): Promise<Part> {
  const hash = createHash("sha256");
  const redaction = new Redaction(redactor);
  let bytes = 0;
  for await (const chunk of contentOf(item, redaction)) {
    signal.throwIfAborted();
    bytes += chunk.length;
    hash.update(chunk);
  }
  const { name, kind, lost } = item;
  const leftOut = [item.leftOut, lost && lostText(lost)].filter((text) => text !== undefined);
  return {
    name,
    kind,
    bytes,
    sha256: hash.digest("hex"),
    removed: inOrder(sum([item.removed ?? {}, redaction.removals])),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOut.join("; ") }),
  };
}

export function contentOf(item: Item, redaction: Redaction): AsyncIterable<Buffer> | Iterable<Buffer> {
  return item.kind === "text" ? redacted(item.open(), redaction) : item.open();
}

function sum(all: readonly Removals[]): Removals {
  const total: Removals = {};
  for (const one of all)
    for (const [kind, count] of Object.entries(one)) total[kind] = (total[kind] ?? 0) + count;
  return total;
}

/** Two reports of the same must not differ by the order in which things were found. */
function inOrder(removals: Removals): Removals {
  return Object.fromEntries(Object.entries(removals).sort(([a], [b]) => (a < b ? -1 : 1)));
}
