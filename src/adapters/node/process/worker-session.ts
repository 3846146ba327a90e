/** A worker's CDP session, carried inside its parent's by the NodeWorker domain. */
import type { Cdp } from "../target.ts";
import { CdpSession } from "./cdp-session.ts";

export function workerSession(parent: Cdp, sessionId: string, log: (message: string) => void): CdpSession {
  const session = new CdpSession((text) => {
    const message = toAscii(text);
    // A refusal means the worker is gone; `detachedFromWorker` or the parent's end says so to everyone waiting.
    parent.sendRaw("NodeWorker.sendMessageToWorker", { sessionId, message }).catch(() => {});
  }, log);
  const isOurs = (params: unknown) => (params as { sessionId?: string }).sessionId === sessionId;
  const unsubscribe = [
    parent.onRaw("NodeWorker.receivedMessageFromWorker", (params) => {
      if (isOurs(params)) session.receive((params as { message: string }).message);
    }),
    parent.onRaw("NodeWorker.detachedFromWorker", (params) => {
      if (isOurs(params)) session.end("the worker has ended");
    }),
  ];
  void parent.closed.then(() => session.end("the program's connection was closed"));
  void session.closed.then(() => {
    for (const off of unsubscribe) off();
  });
  return session;
}

/** JSON with everything else escaped: Node 20 garbles some characters (ƒ, →) on the way to a worker, which then never answers. */
function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
