/** The parts of two requests, in the order in which a provider reads them: tools, instructions, then the conversation. Pure. */

export interface RequestPart {
  /** `tools[3]`, `system`, `messages[7]`, `temperature`. */
  path: string;
  kind: "same" | "changed" | "new" | "gone";
  title: string;
  before?: string;
  after?: string;
}

const LISTS = ["tools", "functions", "system", "instructions", "messages", "input"];

export function compareRequests(before: unknown, after: unknown): RequestPart[] {
  const [old, now] = [record(before), record(after)];
  const parts: RequestPart[] = [];
  const names = new Set([...LISTS, ...Object.keys(old), ...Object.keys(now)]);
  for (const name of names) {
    if (old[name] === undefined && now[name] === undefined) continue;
    if (!Array.isArray(old[name]) && !Array.isArray(now[name])) {
      parts.push(partOf(name, old[name], now[name]));
      continue;
    }
    const [was, is] = [listOf(old[name]), listOf(now[name])];
    for (let at = 0; at < Math.max(was.length, is.length); at++)
      parts.push(partOf(`${name}[${at}]`, was[at], is[at]));
  }
  return parts;
}

function partOf(path: string, before: unknown, after: unknown): RequestPart {
  const [was, is] = [textOf(before), textOf(after)];
  const kind = was === is ? "same" : was === undefined ? "new" : is === undefined ? "gone" : "changed";
  return {
    path,
    kind,
    title: titleOf(after ?? before),
    ...(was === undefined ? {} : { before: was }),
    ...(is === undefined ? {} : { after: is }),
  };
}

/** Which block carries the cache's mark changes with each call, and does not matter. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string"
    ? value
    : JSON.stringify(value, (key, one: unknown) => (key === "cache_control" ? undefined : one), 2);
}

function titleOf(value: unknown): string {
  const { role, name, type } = record(value);
  return [role, name, type].filter((one) => typeof one === "string").join(" · ");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
