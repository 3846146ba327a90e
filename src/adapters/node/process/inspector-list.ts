/** Asks a port whether an inspector answers there, and for its address. */
import { lookup } from "node:dns/promises";
import { get } from "node:http";
import { isIP } from "node:net";

export interface ListedTarget {
  title: string;
  /** Of the main script: `file:///…`, or empty. */
  url: string;
  webSocketUrl: string;
}

/** `undefined` when something else, or nothing, answers. */
export async function askInspector(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<ListedTarget | undefined> {
  // Node refuses a Host header that is neither an address nor `localhost`, against DNS rebinding.
  const address = isIP(host) > 0 ? host : (await lookup(host)).address;
  const body = await fetchText(address, port, timeoutMs);
  if (body === undefined) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const entries = list as { title?: string; url?: string; webSocketDebuggerUrl?: string }[];
  const entry = entries.find(({ webSocketDebuggerUrl }) => typeof webSocketDebuggerUrl === "string");
  if (entry?.webSocketDebuggerUrl === undefined) return undefined;
  // The port may be forwarded: what the inspector thinks its address is may not be how we reach it.
  const url = new URL(entry.webSocketDebuggerUrl);
  url.hostname = address.includes(":") ? `[${address}]` : address;
  url.port = String(port);
  return { title: entry.title ?? "", url: entry.url ?? "", webSocketUrl: url.href };
}

function fetchText(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { host, port, path: "/json/list", agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const asked = get(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        // Not an inspector but some other server with a lot to say.
        if (chunks.length > 64) asked.destroy();
      });
      response.on("error", () => resolve(undefined));
      response.on("close", () => resolve(undefined));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    asked.on("error", () => resolve(undefined));
  });
}
