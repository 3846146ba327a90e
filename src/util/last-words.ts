/** What a process wrote last before it ended, quoted behind a sentence of ours; and the sentence without it. */

const LEAD = "; its last words on stderr:";

/** Empty if it wrote nothing. */
export function lastWords(stderr: string | undefined, indent = "  "): string {
  return stderr ? `${LEAD}\n${stderr.trimEnd().replace(/^/gm, indent)}` : "";
}

/** The first line, which is all of ours. */
export function withoutLastWords(message: string): string {
  const [first = ""] = message.split(/[\r\n]/, 1);
  return first.endsWith(LEAD) ? first.slice(0, -LEAD.length) : first;
}
