/** A line from a client, checked before anything believes its type. */

import type { ClientMessage } from "../client/wire.ts";
import { SondeError } from "../errors.ts";

const SURFACES = ["tool", "method", "page"];

export function parseMessage(line: string): ClientMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new SondeError("BAD_ARGUMENT", "a message must be one JSON object on a line");
  }
  if (!isObject(value) || !Number.isSafeInteger(value.id))
    throw new SondeError("BAD_ARGUMENT", "a message must have an integer id");
  return value as unknown as ClientMessage;
}

/** Undefined when the request is sound, otherwise what is wrong with it. */
export function flaw(message: ClientMessage): string | undefined {
  const it = message as unknown as Record<string, unknown>;
  if ("control" in it)
    return it.control === "status" || it.control === "stop" ? undefined : `unknown control "${it.control}"`;
  if (it.build !== undefined && typeof it.build !== "string") return "build must be a string";
  if (typeof it.cwd !== "string") return "cwd must be a string";
  if ("argv" in it) {
    if (!isNames(it.argv)) return "argv must be strings";
    return isStrings(it.env) ? undefined : "env must be an object of strings";
  }
  if (!("command" in it)) return "neither argv nor command";
  if (typeof it.command !== "string") return "command must be a string";
  if (!isObject(it.args)) return "args must be an object";
  if (it.as !== undefined && !SURFACES.includes(it.as as string))
    return `as must be one of ${SURFACES.join(", ")}`;
  if (it.offered !== undefined && !isNames(it.offered)) return "offered must be strings";
  return it.env === undefined || isStrings(it.env) ? undefined : "env must be an object of strings";
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((item) => typeof item === "string");
}
