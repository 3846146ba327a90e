/** Who may come in, and what they bring. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SondeError } from "../../errors.ts";
import { canUnpack, encodingsOf, unpackWhole } from "../proxy/encodings.ts";

/** No request of a model is longer. */
const MOST_BYTES = 256 * 2 ** 20;

/** The path behind the token; undefined for anybody else's request. A page in a browser has another Host or no token. */
export function isOurs(request: IncomingMessage, token: string): string | undefined {
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  if (host !== "127.0.0.1" && host !== "localhost" && host !== "[::1]") return undefined;
  const [, given = ""] = (request.url ?? "").split("/", 2);
  const [a, b] = [Buffer.from(given.split("?")[0] ?? ""), Buffer.from(token)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) return undefined;
  return (request.url ?? "").slice(1 + token.length) || "/";
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
