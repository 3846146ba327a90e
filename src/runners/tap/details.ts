/** The block of details below a `not ok`: as much of YAML as writers of TAP use. */

/** `key: 'value'`, `key: 30`, or a block below `key: |-`. */
export function scalar(details: string, key: string): string | undefined {
  const [, value, block] =
    new RegExp(`^${key}:(?: (?![|>][-+\\d]*$)(.*)| [|>][-+\\d]*((?:\\n(?: +.*)?)*))$`, "m").exec(details) ??
    [];
  if (block !== undefined) return dedented(block.replace(/^\n/, "")).trimEnd();
  return value === undefined ? undefined : unquoted(value);
}

/** What stands indented below `key:`. */
export function section(details: string, key: string): string | undefined {
  const [, block] = new RegExp(`^${key}:((?:\\n +.*)+)$`, "m").exec(details) ?? [];
  return block === undefined ? undefined : dedented(block.slice(1));
}

/** `- one`, `- two` below `key:`. */
export function list(details: string, key: string): string[] {
  const [, block = ""] = new RegExp(`^${key}:((?:\\n *- .*)+)$`, "m").exec(details) ?? [];
  return [...block.matchAll(/^ *- (.*)$/gm)].map(([, one = ""]) => unquoted(one));
}

function dedented(text: string): string {
  const indents = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  const least = Math.min(...indents, 80);
  return text
    .split("\n")
    .map((line) => line.slice(least))
    .join("\n");
}

function unquoted(value: string): string {
  if (/^'.*'$/s.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/s.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1); // an escape that JSON does not have
  }
}
