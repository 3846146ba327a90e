/** Who may come in, and what they bring. */
import type { IncomingMessage } from "node:http";
import { SondeError } from "../../errors.ts";
import { isToken, strangeness } from "../../util/loopback.ts";
import { canUnpack, encodingsOf, unpackWhole } from "../proxy/encodings.ts";

/** No request of a model is longer. */
const MOST_BYTES = 256 * 2 ** 20;

/** The path behind the token; undefined for anybody else's request. */
export function isOurs(request: IncomingMessage, token: string): string | undefined {
  if (strangeness(request) !== undefined) return undefined;
  const { url = "/" } = request;
  const [, given = ""] = /^\/([^/?#]*)/.exec(url) ?? [];
  return isToken(given, token) ? url.slice(1 + token.length) || "/" : undefined;
}

/** The whole body, unpacked. */
export async function readWhole(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new SondeError("BAD_ARGUMENT", `a request of more than ${MOST_BYTES / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  const encodings = encodingsOf(request.headers["content-encoding"]);
  if (!canUnpack(encodings))
    throw new SondeError("UNSUPPORTED", `a request that is packed as ${encodings.join(", ").slice(0, 40)}`);
  return unpackWhole(Buffer.concat(chunks), encodings, MOST_BYTES);
}
