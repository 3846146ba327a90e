/** Of an agent's run: its record, its events and what was asked of it, and the conversation as a person reads it. */

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "../../../agent/events.ts";
import { agentOf } from "../../../agent/explain/fields.ts";
import { transcript } from "../../../agent/explain/transcript.ts";
import { Blobs } from "../../../agent/store/blobs.ts";
import { parseEvent } from "../../../agent/store/tail.ts";
import { fileItem, isItem } from "../../../diagnostics/report/file-item.ts";
import type { Item, Lost, Missing } from "../../../diagnostics/report/item.ts";
import { lineItem, linesOf, nothingLost } from "../../../diagnostics/report/line-item.ts";
import { SondeError } from "../../../errors.ts";
import { plural } from "../../../util/text.ts";
import { runToRead } from "../../agent/choosing.ts";
import type { Context } from "../../context.ts";

/** Of sub-agents; the others' events are left out and counted. */
const MOST_AGENTS = 10;

/** `run`: as the caller names it; the newest if left out. */
export async function agentParts(context: Context, run: string | undefined): Promise<(Item | Missing)[]> {
  let folder: Awaited<ReturnType<typeof runToRead>>["row"]["folder"];
  try {
    // What -s names is the session of a program.
    const agents = { ...context.agents, named: run };
    folder = (await runToRead({ cwd: context.cwd, agents }, {})).row.folder;
  } catch (thrown) {
    // Which one is meant must be said; that there is none is no error.
    if (run !== undefined || !(thrown instanceof SondeError)) throw thrown;
    return [{ name: "agent", why: thrown.message }];
  }
  const at = (name: string) => `agent/${folder.id}/${name}`;
  const kept = await newestAgents(folder.events, context.signal);
  const parts = [
    await fileItem(at("session.json"), folder.record),
    await eventsItem(at("events.jsonl"), folder.events, kept),
    await fileItem(at("commands.jsonl"), folder.commands),
  ];
  const events = parts[1];
  if (events !== undefined && isItem(events))
    parts.push(await transcriptItem(at("transcript.txt"), folder.events, folder.blobs, kept, context.signal));
  return parts;
}

interface Agents {
  /** Those whose events go in, besides the main agent's. */
  kept: ReadonlySet<string>;
  leftOut: number;
  /** Of the file, when it was looked at. */
  size: number;
}

/** Sub-agents by when they last did something. */
async function newestAgents(path: string, signal: AbortSignal): Promise<Agents> {
  const last = new Map<string, number>();
  let size = 0;
  try {
    ({ size } = await lstat(path));
    let number = 0;
    for await (const batch of linesOf(path, size)) {
      signal.throwIfAborted();
      for (const line of batch) {
        const agent = agentIn(line);
        number += 1;
        if (agent === undefined) continue;
        last.delete(agent);
        last.set(agent, number);
        // Far more than any run has: whoever writes such a file does not decide how much memory it takes.
        if (last.size > 100_000) last.delete(last.keys().next().value ?? "");
      }
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
    // It is listed as missing.
  }
  const newest = [...last.keys()].reverse();
  return {
    kept: new Set(newest.slice(0, MOST_AGENTS)),
    leftOut: Math.max(0, newest.length - MOST_AGENTS),
    size,
  };
}

/** Undefined for the main agent's, and for what is no event. */
function agentIn(line: string): string | undefined {
  if (!line.includes('"agent"')) return undefined;
  const event = parseEvent(line);
  const agent = event === undefined ? "main" : agentOf(event.data);
  return agent === "main" ? undefined : agent;
}

async function eventsItem(name: string, path: string, { kept, leftOut }: Agents): Promise<Item | Missing> {
  const item = await lineItem(name, path, () => (line) => {
    const agent = agentIn(line);
    return agent === undefined || kept.has(agent) ? line : undefined;
  });
  if (!isItem(item) || leftOut === 0) return item;
  return { ...item, leftOut: `without ${plural(leftOut, "older sub-agent")}` };
}

async function transcriptItem(
  name: string,
  path: string,
  blobs: string,
  { kept, size, leftOut }: Agents,
  signal: AbortSignal,
): Promise<Item> {
  const texts = new Blobs(join(blobs));
  const lost = nothingLost();
  return {
    name,
    kind: "text",
    lost,
    open: () => {
      Object.assign(lost, nothingLost());
      return conversation(eventsOf(path, size, kept, lost), texts, signal);
    },
    ...(leftOut === 0 ? {} : { leftOut: `without ${plural(leftOut, "older sub-agent")}` }),
  };
}

async function* eventsOf(
  path: string,
  size: number,
  kept: ReadonlySet<string>,
  lost: Lost,
): AsyncGenerator<AgentEvent[]> {
  for await (const batch of linesOf(path, size, lost)) {
    const events = batch
      .filter((line) => line !== "")
      .map((line) => parseEvent(Buffer.from(line, "latin1").toString()))
      .filter((event) => {
        if (event === undefined) lost.unreadable += 1;
        return event !== undefined;
      })
      .filter(({ data }) => agentOf(data) === "main" || kept.has(agentOf(data)));
    if (events.length > 0) yield events;
  }
}

async function* conversation(
  events: AsyncIterable<AgentEvent[]>,
  blobs: Blobs,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const parts = transcript(events as AsyncGenerator<AgentEvent[]>, {
    readBody: (body) => blobs.shown(body),
    signal,
  });
  for await (const part of parts) yield Buffer.from(part);
}
