/** A debugger that knows nothing of sources that have moved, told of them by the paths that it knows. */
import { builtPath, herePath, type PathMap } from "../util/path-map.ts";
import type { Message, Transport } from "./transport.ts";

export function mapped(inner: Transport, map: PathMap): Transport {
  if (map.length === 0) return inner;
  return {
    send: (message) => inner.send(withPaths(message, (path) => builtPath(map, path))),
    start: (onMessage, onClose) =>
      inner.start((message) => onMessage(withPaths(message, (path) => herePath(map, path))), onClose),
    close: () => inner.close(),
  };
}

function withPaths(message: Message, change: (path: string) => string): Message {
  return changed(message, change, false) as Message;
}

/** What DAP calls a source is an object with a path, under a name of its own wherever it stands. */
function changed(value: unknown, change: (path: string) => string, isSource: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, change, isSource));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    isSource && key === "path" && typeof one === "string"
      ? change(one)
      : changed(one, change, key === "source" || key === "sources"),
  ]);
  return Object.fromEntries(entries);
}
