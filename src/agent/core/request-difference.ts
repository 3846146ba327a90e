/** What one request has that the one before it had not. */
import { cut } from "../../util/text.ts";
import { textOf } from "./message-text.ts";
import type { Message, RequestView } from "./model.ts";

export interface RequestDifference {
  /** Messages at the beginning that are the same in both. */
  sameMessages: number;
  removed: Line[];
  added: Line[];
  systemChanged: boolean;
  toolsAdded: string[];
  toolsRemoved: string[];
  params: Record<string, { before: unknown; after: unknown }>;
}

interface Line {
  role: string;
  preview: string;
}

const PREVIEW = 500;

export function requestDifference(before: RequestView, after: RequestView): RequestDifference {
  let same = 0;
  while (
    same < Math.min(before.messages.length, after.messages.length) &&
    JSON.stringify(before.messages[same]) === JSON.stringify(after.messages[same])
  )
    same++;
  const names = (view: RequestView) => view.tools.map(({ name }) => name);
  return {
    sameMessages: same,
    removed: before.messages.slice(same).map(line),
    added: after.messages.slice(same).map(line),
    systemChanged: before.system !== after.system,
    toolsAdded: names(after).filter((name) => !names(before).includes(name)),
    toolsRemoved: names(before).filter((name) => !names(after).includes(name)),
    params: changedParams({ model: before.model, ...before.params }, { model: after.model, ...after.params }),
  };
}

function line(message: Message): Line {
  return { role: message.role, preview: cut(textOf(message), PREVIEW) };
}

function changedParams(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed: RequestDifference["params"] = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[key] !== after[key]) changed[key] = { before: before[key], after: after[key] };
  return changed;
}
