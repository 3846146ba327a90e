/**
 * HTTP servers of ours on 127.0.0.1. Every web page that the user looks at can send requests there, and have a name of its own point there: so only
 * strict forms pass, and what passes has to show a token besides.
 */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const LOOPBACK = "127.0.0.1";

export type Asked = Pick<IncomingMessage, "headers" | "rawHeaders" | "url"> & {
  socket: Pick<IncomingMessage["socket"], "localPort">;
};

export interface Strange {
  status: 400 | 403;
  message: string;
}

/**
 * Why it is no request of a program that was given our address. Names are compared, never parsed: four times a check of this kind took an
 * odd spelling for 127.0.0.1 (CVE-2018-7160, 2021-22884, 2022-32212, 2022-43548).
 */
export function strangeness({ headers, rawHeaders, url = "", socket }: Asked): Strange | undefined {
  const own = [`${LOOPBACK}:${socket.localPort}`, `localhost:${socket.localPort}`];
  const named = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length;
  if (named !== 1 || !own.includes(headers.host ?? ""))
    return { status: 403, message: `Host must be ${own.join(" or ")}` };
  const { origin } = headers;
  if (origin !== undefined && !own.some((name) => origin === `http://${name}`))
    return { status: 403, message: "requests from other origins are refused" };
  // A target with a host of its own would count for more than the Host that was looked at.
  return /^\/(?!\/)/.test(url) ? undefined : { status: 400, message: "the request's target must be a path" };
}

/** In a time that tells nothing of where they differ. */
export function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
