/** The bytes with which a recorded call was answered. */
import type { RequestView } from "../core/model.ts";
import { isRecord } from "../explain/fields.ts";
import type { Blobs } from "../store/blobs.ts";
import type { HttpWire } from "../wire/routes.ts";
import { errorBody, errorEvent, syntheticAnswer } from "../wire/synthetic.ts";
import { editedAnswer } from "./edited-answer.ts";
import type { Recorded } from "./play-answer.ts";
import type { TapeAnswer, TapeCall } from "./tape.ts";

export interface Recording {
  blobs: Blobs;
  readText(stored: unknown): Promise<string>;
}

/** `broken`: the connection was lost. Undefined: the bytes were not kept. */
export function recordedAnswer(
  call: TapeCall,
  answer: TapeAnswer,
  asked: { wire: HttpWire; view: RequestView },
  recording: Recording,
): Promise<Recorded | "broken" | undefined> {
  return answer.kind === "error"
    ? recordedError(answer, asked, recording)
    : recordedResponse(call, answer, asked, recording);
}

const MASK = "[masked:";

const streamType = (stream: boolean) => (stream ? "text/event-stream" : "application/json");

async function recordedResponse(
  call: TapeCall,
  { status, contentType, raw, content }: TapeAnswer & { kind: "response" },
  { wire, view }: { wire: HttpWire; view: RequestView },
  { blobs, readText }: Recording,
): Promise<Recorded | undefined> {
  if (raw !== undefined) {
    const type = contentType ?? streamType(view.stream);
    const kept = blobs.read(raw);
    // An agent must not run what stands in the place of a secret.
    if (kept.includes(MASK)) return undefined;
    const bytes = await editedAnswer(call, wire, type.includes("event-stream"), kept, readText);
    return { status, contentType: type, bytes };
  }
  // The words that Sonde itself answered with, when a person ended the call: they can be written again.
  if (contentType !== undefined) return undefined;
  const said = onlyText(await readText(content));
  if (said === undefined) return undefined;
  return {
    status,
    contentType: streamType(view.stream),
    bytes: Buffer.from(syntheticAnswer(wire, view, call.req, said)),
  };
}

function onlyText(content: string): string | undefined {
  const parts: unknown = content === "" ? undefined : JSON.parse(content);
  if (!Array.isArray(parts) || parts.length !== 1) return undefined;
  const [only] = parts as readonly unknown[];
  return isRecord(only) && only.kind === "text" && typeof only.text === "string" ? only.text : undefined;
}

async function recordedError(
  { status, type, message, body }: TapeAnswer & { kind: "error" },
  { wire, view }: { wire: HttpWire; view: RequestView },
  { readText }: Recording,
): Promise<Recorded | "broken"> {
  if (status === undefined) return "broken";
  // It came in the middle of an answer, of which nothing else was kept.
  if (status < 400) {
    const bytes = Buffer.from(
      view.stream ? errorEvent(wire, "", type, message) : errorBody(wire, type, message),
    );
    return { status, contentType: streamType(view.stream), bytes };
  }
  const stored = body === undefined ? "" : await readText(body);
  return {
    status,
    contentType: "application/json",
    bytes: Buffer.from(stored === "" ? errorBody(wire, type, message) : stored),
  };
}
