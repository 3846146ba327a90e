/** Which commands are not simply sent to the daemon. */

/** Words before `--`: what follows belongs to the debugged program. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

const LOCAL = "help|completion|daemon|dap|mcp|skills|ui|-V|--version".split("|");

/** Answered without the daemon. */
export function isLocal(own: readonly string[]): boolean {
  return own.length === 0 || LOCAL.includes(own[0] ?? "") || own.includes("-h") || own.includes("--help");
}

/** These need the caller's terminal; their declarations say so (`foreground`), and a test holds this list against them. */
const IN_TERMINAL = /^agent (run|attach|fork)$/;
const MENU = "menu";
const IN_TERMINAL_WITH = /^agent replay --serve$/;
/** In a terminal these are a conversation (`interactive`). */
const INTERACTIVE: readonly string[] = [
  ...["logs", "report", "clear-cache"],
  ...["profile cpu", "profile heap", "profile work"],
];
/** Of those, which are one with `--plain` too: lines instead of a screen. */
const PLAIN_TOO: readonly string[] = ["logs"];

export function isForeground(own: readonly string[], inTerminal: () => boolean): boolean {
  const words = [...own];
  while (words[0]?.startsWith("-")) if (/^(-s|--session)$/.test(words.shift() ?? "")) words.shift();
  const name = words.slice(0, 2).join(" ");
  if (IN_TERMINAL.test(name) || words[0] === MENU) return true;
  if (words.some((word) => IN_TERMINAL_WITH.test(`${name} ${word}`))) return true;
  if (!INTERACTIVE.includes(words[0] ?? "") && !INTERACTIVE.includes(name)) return false;
  const answers = PLAIN_TOO.includes(words[0] ?? "") ? /^--(json|yes)$/ : /^--(json|plain|yes)$/;
  return !own.some((word) => answers.test(word)) && inTerminal();
}
