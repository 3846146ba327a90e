/** The model calls of a recording, in their order, with what was answered: where each is kept, not the text itself. */
import type { Injection } from "../core/model.ts";
import type { StoredBlob } from "../events.ts";
import { agentOf, contentKey, type Fields, isRecord, number, record, text } from "../explain/fields.ts";
import type { EventBatches } from "../explain/range.ts";

export type TapeAnswer =
  | {
      kind: "response";
      status: number;
      contentType: string | undefined;
      raw: StoredBlob | undefined;
      /** What it said, as a list of parts in JSON. */
      content: unknown;
      firstMs: number;
      durationMs: number;
    }
  | {
      kind: "error";
      status: number | undefined;
      contentType: string | undefined;
      type: string;
      message: string;
      body: unknown;
    };

export interface TapeCall {
  req: number;
  agent: string;
  class: string;
  wire: string;
  model: string;
  stream: boolean;
  /** As the agent wrote it. */
  body: unknown;
  /** As it was sent, where that was edited. */
  sent: unknown;
  answer: TapeAnswer | undefined;
  /** Numbers of the events: which calls were under way at the same time. */
  askedAt: number;
  answeredAt: number;
  /** What a person did to tool calls of the answer: the agent saw the answer with that done. */
  rulings: Map<string, TapeRuling>;
}

/** `after`: JSON text, as it is stored. */
export type TapeRuling = { do: "edit"; after: unknown } | { do: "cancel"; reason: string };

/** A message that was put into the conversation by hand. The agent's own requests do not have it. */
export interface TapeInjection {
  id: string;
  /** The call that it went with first. */
  req: number;
  role: Injection["role"];
  /** As it is stored. */
  content: unknown;
}

export interface Tape {
  session: string;
  cwd: string | undefined;
  injections: readonly TapeInjection[];
  /** In the order in which they were made. */
  calls: readonly TapeCall[];
}

/** Who asked did not wait for the answer: there is none. */
const CLIENT_CLOSED = "client_closed";

export async function readTape(events: EventBatches): Promise<Tape> {
  const calls: TapeCall[] = [];
  const injections: TapeInjection[] = [];
  const byReq = new Map<number, TapeCall>();
  const askedBy = new Map<string, { call: TapeCall | undefined; source: string | undefined }>();
  let session = "";
  let cwd: string | undefined;
  let seen = 0;
  for await (const batch of events) {
    for (const event of batch) {
      seen += 1;
      session ||= event.sessionId;
      const data = isRecord(event.data) ? event.data : {};
      const req = number(data.req);
      if (event.type === "session_start") cwd ??= text(data.cwd);
      ruling(event.type, data, askedBy);
      if (req === undefined) continue;
      if (event.type === "injected") injections.push(injectionOf(req, data));
      else if (event.type === "tool_call_start") {
        askedBy.set(text(data.toolId) ?? "", { call: byReq.get(req), source: text(data.source) });
      } else if (event.type === "api_request") {
        const call = callOf(req, data, event.seq ?? seen);
        calls.push(call);
        byReq.set(req, call);
      } else if (event.type === "api_response" || event.type === "api_error") {
        const call = byReq.get(req);
        if (call === undefined) continue;
        call.answeredAt = event.seq ?? seen;
        if (data.errorType === CLIENT_CLOSED) continue;
        call.answer = event.type === "api_error" ? errorOf(data) : responseOf(data);
      }
    }
  }
  return {
    session,
    cwd,
    injections,
    calls: calls.filter((call, at) => !wasAskedAgain(call, calls.slice(at + 1, at + 20))),
  };
}

type AskedBy = ReadonlyMap<string, { call: TapeCall | undefined; source: string | undefined }>;

/** A call that a hook refused was refused by the client: the answer came to it as it was. */
function ruling(type: string, data: Fields, askedBy: AskedBy): void {
  if (type !== "tool_call_edit" && type !== "tool_call_cancel") return;
  const id = text(data.toolId) ?? "";
  const { call, source } = askedBy.get(id) ?? {};
  if (type === "tool_call_edit") call?.rulings.set(id, { do: "edit", after: data.after });
  else if (source === "proxy") call?.rulings.set(id, { do: "cancel", reason: text(data.reason) ?? "" });
}

function injectionOf(req: number, data: Fields): TapeInjection {
  const role = data.role === "assistant" || data.role === "system" ? data.role : "user";
  return { id: text(data.id) ?? `i${req}`, req, role, content: data.content };
}

function callOf(req: number, data: Fields, askedAt: number): TapeCall {
  return {
    req,
    agent: agentOf(data),
    class: text(data.class) ?? "main",
    wire: text(data.wire) ?? "",
    model: text(data.model) ?? "",
    stream: data.stream === true,
    body: data.body,
    sent: data.sent,
    answer: undefined,
    askedAt,
    answeredAt: Number.POSITIVE_INFINITY,
    rulings: new Map(),
  };
}

function responseOf(data: Fields): TapeAnswer {
  const raw = record(data.raw);
  const blob = text(raw.blob);
  return {
    kind: "response",
    status: number(data.status) ?? 200,
    contentType: text(data.contentType),
    raw:
      blob === undefined
        ? undefined
        : { blob, bytes: number(raw.bytes) ?? 0, preview: text(raw.preview) ?? "" },
    content: data.content,
    firstMs: number(data.firstMs) ?? 0,
    durationMs: number(data.durationMs) ?? 0,
  };
}

function errorOf(data: Fields): TapeAnswer {
  return {
    kind: "error",
    status: number(data.status),
    contentType: text(data.contentType),
    type: text(data.errorType) ?? "api_error",
    message: text(data.message) ?? "",
    body: data.body,
  };
}

/** A client that gave up waiting asks again: only the call that was answered is on the tape. */
function wasAskedAgain(call: TapeCall, later: readonly TapeCall[]): boolean {
  if (call.answer !== undefined) return false;
  const key = contentKey(call.body);
  return later.some((other) => other.agent === call.agent && contentKey(other.body) === key);
}
