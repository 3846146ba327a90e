/** Advice is written for those who type commands; here it names the tool and action that do the same. */

const SAME: Record<string, string> = {
  start: "debug launch",
  attach: "debug attach",
  stop: "debug terminate",
  restart: "debug restart",
  await: "debug continue",
  continue: "debug continue",
  next: "debug step_over",
  step: "debug step_in",
  finish: "debug step_out",
  until: "debug until",
  pause: "debug pause",
  break: "debug set_breakpoint",
  "breakpoint add": "debug set_breakpoint",
  catch: "debug set_exception_breakpoints",
  "watch remove": "debug remove_data_breakpoint",
  watch: "debug set_data_breakpoint",
  eval: "debug evaluate",
  raw: "debug evaluate context=raw",
  set: "debug set_variable",
  print: "debug evaluate context=watch",
  context: "inspect context",
  "backtrace --all --limit 100": "inspect stack_trace levels=100",
  "backtrace --all": "inspect stack_trace levels=40",
  backtrace: "inspect stack_trace",
  locals: "inspect scopes",
  scopes: "inspect scopes",
  variables: "inspect variables",
  threads: "inspect threads",
  output: "inspect output",
  sources: "inspect loaded_sources",
  sessions: "inspect sessions",
  "trace show": "trace mode=show",
};

/** Longer names first, so that `watch remove` is not read as `watch`. */
const WORDS = Object.keys(SAME)
  .sort((a, b) => b.length - a.length)
  .join("|");
const COMMAND = new RegExp(`\`sonde (${WORDS})(?=[ \`])`, "g");

/** Lines of an answer that hold advice; the program's own words are never on one that begins like that. */
const ADVICE = /^(?: *\(\+|next: |not bound: |program output \().*`sonde .*$/gm;

export function translatedText(text: string): string {
  return text.replace(ADVICE, (line) => translated(line));
}

export function translated(hint: string): string {
  return hint
    .replace(COMMAND, (_, command: string) => `\`${SAME[command]}`)
    .replace(/`?(?<![\w-])-s (\w[\w.-]*)`?/g, "`session`: $1")
    .replace("name one with -s", "name one with `session`");
}
