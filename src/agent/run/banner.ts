/** What the user is told before the agent starts: what is different for it, and how to stop it. Pure. */

export interface BannerFacts {
  title: string;
  sessionId: string;
  name?: string | undefined;
  upstream: string;
  upstreamFrom?: string | undefined;
  changed: { env: Readonly<Record<string, string | null>>; args: readonly string[] };
  costs: readonly string[];
  hooks: boolean;
  startPaused: boolean;
  breakpoints: number;
}

const WIDTH = 110;

export function banner(facts: BannerFacts): string {
  const { title, sessionId, name, upstream, upstreamFrom, costs } = facts;
  const changes = [
    ...Object.entries(facts.changed.env).map(([name, value]) =>
      value === null ? `${name} (removed)` : name,
    ),
    ...facts.changed.args,
  ];
  const held = [
    ...(facts.startPaused ? ["held before its first call"] : []),
    ...(facts.breakpoints > 0
      ? [`${facts.breakpoints} breakpoint${facts.breakpoints === 1 ? "" : "s"}`]
      : []),
  ];
  const lines = [
    `${title} runs as agent session ${name === undefined ? sessionId : `${name} (${sessionId})`}${held.length === 0 ? "" : `: ${held.join(", ")}`}.`,
    `Its calls pass through Sonde to ${upstream}${upstreamFrom === undefined ? "" : ` (from ${upstreamFrom})`}${facts.hooks ? "; its hooks report tool calls" : ""}.`,
    ...wrapped("Changed for this run only:", changes),
    ...costs,
    "In another terminal: sonde agent attach, sonde agent pause.",
  ];
  return lines.map((line) => `sonde: ${line}`).join("\n");
}

/** Words in lines of a readable length. */
function wrapped(first: string, words: readonly string[]): string[] {
  const lines = [first];
  for (const [i, word] of words.entries()) {
    const text = i === words.length - 1 ? word : `${word},`;
    const last = lines.at(-1) ?? "";
    if (last.length + 1 + text.length > WIDTH) lines.push(`  ${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}
