/** Who may come in, and what they bring. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { SondeError } from "../../errors.ts";

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

const DECODERS: Record<string, (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

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
  const bytes = Buffer.concat(chunks);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding === "identity" || bytes.length === 0) return bytes;
  const decode = DECODERS[encoding];
  if (decode === undefined)
    throw new SondeError("UNSUPPORTED", `a request that is packed as ${encoding.slice(0, 40)}`);
  return decode(bytes, { maxOutputLength: MOST_BYTES });
}
