/** The body of a request that is to be read before it goes on. */
import type { IncomingMessage } from "node:http";

export type RequestBody =
  | { whole: Buffer }
  /** Longer than is read here: what came until now; the rest is still to come. */
  | { tooLong: Buffer[] };

/** Rejects if the client goes away first. */
export function readBody(request: IncomingMessage, most: number): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = () => {
      request.off("data", take);
      request.off("end", end);
      request.off("error", fail);
      request.off("close", gone);
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= most) return;
      request.pause();
      done();
      resolve({ tooLong: chunks });
    };
    const end = () => {
      done();
      resolve({ whole: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length) });
    };
    const fail = (error: Error) => {
      done();
      reject(error);
    };
    const gone = () => fail(new Error("the client disconnected before its request was complete"));
    request.on("data", take);
    request.once("end", end);
    request.once("error", fail);
    request.once("close", gone);
  });
}
