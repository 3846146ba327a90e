/** Whose call it is and what for: by the headers that clients send, and by what a request looks like where they send none. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type AgentRef, type CallClass, MAIN, type RequestView } from "../core/model.ts";
import { fields, parse, text } from "../wire/fields.ts";
import { entriesOf } from "../wire/json-slices.ts";
import type { Route } from "../wire/routes.ts";

export interface Identity {
  agent: AgentRef;
  class: CallClass;
}

export class Identities {
  /** Codex: the thread that the user talks to. */
  #mainThread: string | undefined;
  #sawTools = false;

  of(headers: IncomingHttpHeaders, request: RequestView, route: Route): Identity {
    const known = isCodex(headers) ? this.#codex(headers) : claude(headers);
    const agent = known?.agent ?? MAIN;
    if (route.auxiliary) return { agent, class: "auxiliary" };
    if (known?.class) return { agent, class: known.class };
    if (this.#looksAuxiliary(request, known !== undefined)) return { agent, class: "auxiliary" };
    if (request.tools.length > 0) this.#sawTools = true;
    return { agent, class: agent.id === MAIN.id ? "main" : "subagent" };
  }

  /**
   * Titles and the like need no tools. A program that we know nothing about may be all plain questions, so there a call is taken for one only after
   * others came with tools.
   */
  #looksAuxiliary({ tools, params, system }: RequestView, known: boolean): boolean {
    if (tools.length > 0 || !(known || this.#sawTools)) return false;
    const most = params.max_tokens ?? params.max_completion_tokens ?? params.max_output_tokens;
    return (typeof most === "number" && most <= SMALL) || /\btitles?\b/i.test(system.slice(0, 4000));
  }

  #codex(headers: IncomingHttpHeaders): { agent: AgentRef; class?: CallClass } {
    const turn = fields(parse(one(headers["x-codex-turn-metadata"])));
    const thread = one(headers["thread-id"]) || text(turn.thread_id);
    const parent = one(headers["x-codex-parent-thread-id"]);
    const kind = one(headers["x-openai-subagent"]) || text(turn.subagent_kind);
    const isCompaction = /compact/.test(kind) || /compact/.test(text(turn.request_kind));
    const callClass = isCompaction ? { class: "compaction" as const } : {};
    const isSub = parent !== "" || (kind !== "" && !isCompaction);
    if (!isSub) this.#mainThread ??= thread;
    if (thread === "" || !isSub) return { agent: MAIN, ...callClass };
    const name = text(turn.agent_name) || kind;
    const above = parent === "" || parent === this.#mainThread ? MAIN.id : parent;
    return { agent: { id: thread, parent: above, ...(name && { name }) }, ...callClass };
  }
}

/** Tokens; an answer of an agent at work may be longer. */
const SMALL = 1024;

const CLASSES: Readonly<Record<string, CallClass>> = {
  main: "main",
  subagent: "subagent",
  workflow: "subagent",
  compaction: "compaction",
  auxiliary: "auxiliary",
};

/** Undefined: not Claude Code. */
function claude(headers: IncomingHttpHeaders): { agent: AgentRef; class?: CallClass } | undefined {
  const session = one(headers["x-claude-code-session-id"]);
  if (session === "" && !/^claude-cli\b/.test(one(headers["user-agent"]))) return undefined;
  const id = one(headers["x-claude-code-agent-id"]);
  const name = one(headers["x-claude-code-agent-type"]);
  const parent = one(headers["x-claude-code-parent-agent-id"]) || MAIN.id;
  const agent = id === "" ? MAIN : { id, parent, ...(name && { name }) };
  const said = CLASSES[one(headers["x-claude-code-request-class"])];
  // A call of the user's own conversation is "main" whatever it serves.
  const callClass = said === "subagent" && agent === MAIN ? "main" : said;
  return { agent, ...(callClass && { class: callClass }) };
}

function isCodex(headers: IncomingHttpHeaders): boolean {
  return headers["x-codex-turn-metadata"] !== undefined || /^codex/.test(one(headers.originator));
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** What a client may change when it sends a call again: how it wants the answer, not what it asks. */
const ASKED = new Set([
  "model",
  "system",
  "instructions",
  "messages",
  "input",
  "tools",
  "previous_response_id",
]);

/** The same for a retry of a call. */
export function callKey(agent: AgentRef, body: string): string {
  const hash = createHash("sha256").update(agent.id);
  const entries = entriesOf(body);
  if (!entries) hash.update("\0").update(body);
  for (const { key, value } of entries ?? [])
    if (ASKED.has(key)) hash.update(`\0${key}\0`).update(body.slice(value.start, value.end));
  return hash.digest("hex").slice(0, 32);
}
