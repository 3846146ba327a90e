/** What every answer of the page's server carries, and what every request to it must. */
import type { IncomingMessage } from "node:http";
import { LOOPBACK, strangeness } from "../../util/loopback.ts";
import { isSameUser } from "../../util/same-user.ts";
import { SOCKET_PROTOCOL } from "../protocol.ts";
import type { Grant, Keys } from "./keys.ts";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export const SECRET_HEADER = "x-sonde-secret";

export interface Refusal {
  status: number;
  message: string;
}

/** Why it is no request of a browser that was sent here, whoever it shows. `strict`: it does something, so its Origin must be there. */
export function refusal(request: IncomingMessage, strict: boolean): Refusal | undefined {
  if (!isSameUser(request.socket)) return { status: 403, message: "only for the user who started it" };
  const strange = strangeness(request);
  if (strange !== undefined) return strange;
  if (strict && request.headers.origin === undefined) return { status: 403, message: "Origin is missing" };
  return undefined;
}

/** Cookies know no ports: another server of this machine must not have one of the same name. */
export function cookieName(port: number): string {
  return `sonde-${port}`;
}

export function cookieOf({ headers, socket }: IncomingMessage): string | undefined {
  const name = cookieName(socket.localPort ?? 0);
  const found = (headers.cookie ?? "").split(";").map((one) => one.trim().split("="));
  const values = found.filter(([key]) => key === name).map(([, value]) => value ?? "");
  return values.length === 1 ? values[0] : undefined;
}

export function grantOf(keys: Keys, request: IncomingMessage): Grant | undefined {
  const header = request.headers[SECRET_HEADER];
  return keys.check(cookieOf(request), typeof header === "string" ? header : undefined);
}

/** A browser's socket cannot have headers of its own: the secret is the second of the protocols that it offers. */
export function socketGrantOf(keys: Keys, request: IncomingMessage): Grant | undefined {
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((one) => one.trim());
  const [protocol, secret, ...more] = offered;
  if (protocol !== SOCKET_PROTOCOL || more.length > 0) return undefined;
  return keys.check(cookieOf(request), secret);
}

export function addressOf(port: number, key: string): string {
  return `http://${LOOPBACK}:${port}/#k=${key}`;
}
