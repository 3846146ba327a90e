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
  /** Answers come from a recording. */
  replay: boolean;
  /** Every name that was changed, not only what for. */
  verbose: boolean;
}

const WIDTH = 110;

/** Four lines at most, unless more is asked for. */
export function banner(facts: BannerFacts): string {
  const { title, sessionId, name, upstream, upstreamFrom, costs } = facts;
  const held = [
    ...(facts.startPaused ? ["held before its first call"] : []),
    ...(facts.breakpoints > 0
      ? [`${facts.breakpoints} breakpoint${facts.breakpoints === 1 ? "" : "s"}`]
      : []),
  ];
  const who = `${title} runs as agent session ${name === undefined ? sessionId : `${name} (${sessionId})`}`;
  const where = `calls go through Sonde to ${upstream}${upstreamFrom === undefined ? "" : ` (from ${upstreamFrom})`}`;
  const notes = [
    ...(facts.replay ? ["Its tools really run, even where the model's answers are recorded ones."] : []),
    ...costs,
  ];
  const lines = [
    `${who}${held.length === 0 ? "" : `: ${held.join(", ")}`}; its ${where}.`,
    ...(facts.verbose
      ? wrapped("Changed for this run only:", namesOf(facts))
      : [
          `Changed for this run only: ${kindsOf(facts).join(", ")} (--verbose lists them; so does session_start in its events).`,
        ]),
    ...(notes.length > 0 ? [notes.join(" ")] : []),
    "In another terminal: sonde agent wait, sonde agent pause, sonde agent attach.",
  ];
  return lines.map((line) => `sonde: ${line}`).join("\n");
}

function namesOf({ changed }: BannerFacts): string[] {
  return [
    ...Object.entries(changed.env).map(([name, value]) => (value === null ? `${name} (removed)` : name)),
    ...changed.args,
  ];
}

const KINDS: readonly (readonly [string, RegExp])[] = [
  ["base URL", /BASE_URL$/],
  ["time-outs", /TIMEOUT|WATCHDOG/],
  ["no proxy for this machine", /^no_proxy$/i],
];

/** What was changed, without the names: `base URL, time-outs, hooks (--settings)`. */
function kindsOf({ changed, hooks }: BannerFacts): string[] {
  const names = Object.keys(changed.env);
  const isSettings = changed.args.includes("--settings");
  const known = KINDS.filter(([, pattern]) => names.some((name) => pattern.test(name))).map(([kind]) => kind);
  const others = names.filter((name) => !KINDS.some(([, pattern]) => pattern.test(name))).length;
  return [
    ...known,
    ...(hooks ? [isSettings ? "hooks (--settings)" : "hooks"] : []),
    ...(changed.args.length > 0 && !(hooks && isSettings) ? [isSettings ? "--settings" : "arguments"] : []),
    ...(others > 0 ? [`${others} more variable${others === 1 ? "" : "s"}`] : []),
  ];
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
