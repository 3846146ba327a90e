/** Help as text. Pure: the manifest in, lines out; short, because its reader pays by the word. */
import type { Flag, Manifest, ManifestCommand } from "./manifest-shape.ts";

const EXAMPLES = [
  "sonde start app.js --break app.js:12     stopped at line 12, with source, stack and values",
  "sonde next · sonde print 'user.name'     step, show a value",
  "sonde start -- npm run dev               debug a command line; sonde stop ends it",
];

/** `sonde` alone: names only. */
export function overviewText(manifest: Manifest): string {
  const lines = [`sonde ${manifest.version}: a debugger for coding agents`, ""];
  const width = Math.max(...manifest.groups.map(({ name }) => name.length));
  for (const { name } of manifest.groups) {
    const words = families(manifest.commands.filter(({ group }) => group === name));
    if (words.length > 0) lines.push(`${name.padEnd(width)}  ${words.join(", ")}`);
  }
  lines.push("", ...EXAMPLES, "", "sonde help: what each command does. sonde help <command>: its arguments.");
  return `${lines.join("\n")}\n`;
}

/** `breakpoint add`, `breakpoint list` → `breakpoint add|list`; with a plain `catch` too: `catch [list|remove]`. */
function families(commands: ManifestCommand[]): string[] {
  const names = new Set(commands.map(({ name }) => name));
  const seconds = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = "", ...rest] = name.split(" ");
    seconds.set(first, [...(seconds.get(first) ?? []), ...(rest.length > 0 ? [rest.join(" ")] : [])]);
  }
  return [...seconds].map(([first, rest]) => {
    if (rest.length === 0) return first;
    return names.has(first) ? `${first} [${rest.join("|")}]` : `${first} ${rest.join("|")}`;
  });
}

/** Which command answers which question. */
const START = [
  "Start here",
  "  a test fails                       sonde test -- pytest tests/test_cart.py",
  "  it throws or crashes               sonde crash -- node app.js",
  "  it hangs or never ends             sonde hang -- ./server      (or sonde hang <pid>)",
  "  a value is wrong at some line      sonde trace --at app.py:40=total -- python app.py     (to see it once: sonde probe)",
  "  look around, step, try something   sonde start app.js --break app.js:12",
];

/** `sonde help`: one line a command. */
export function helpText(manifest: Manifest): string {
  const lines = ["usage: sonde <command> [arguments]", "", ...START, ""];
  for (const { name, title } of manifest.groups) {
    const commands = manifest.commands.filter(({ group }) => group === name);
    if (commands.length > 0) lines.push(title, ...listing(commands), "");
  }
  lines.push(
    "Every command takes --json and -s/--session <name>. Locations are file:line[:column].",
    "exit status: 0 done (also: still running, program exited), 1 failed, 2 wrong usage, 3 no such session, 4 not possible in the current state",
    "sonde help <command>: arguments and examples. sonde do '<command>; <command>': several commands in one call.",
  );
  return `${lines.join("\n")}\n`;
}

function listing(commands: ManifestCommand[]): string[] {
  const labels = commands.map(({ name, aliases }) =>
    aliases.length > 0 ? `${name} [${aliases.join(", ")}]` : name,
  );
  const width = Math.min(28, Math.max(...labels.map((label) => label.length)));
  return commands.map(({ summary }, index) => `  ${(labels[index] ?? "").padEnd(width)}  ${summary}`);
}

/** `sonde help print`, or a family: `sonde help breakpoint`. */
export function commandHelpText(commands: ManifestCommand[]): string {
  const [only] = commands;
  if (commands.length === 1 && only) return `${details(only).join("\n")}\n`;
  // Few, and most of what they are is in their options.
  if (commands.every(({ group }) => group === "surfaces"))
    return `${commands.map((one) => details(one).join("\n")).join("\n\n")}\n`;
  const [exact] = commands.filter(({ name }) => !name.includes(" "));
  const family = commands.every(({ group }) => group === "agents") && commands.length > 8;
  const lines = exact ? [...details(exact), ""] : family ? [...AGENTS, ""] : [];
  lines.push(...listing(commands.filter((command) => command !== exact)));
  return `${lines.join("\n")}\n`;
}

/** `sonde help agent` */
const AGENTS = [
  "usage: sonde agent <command> [arguments]",
  "Run an AI agent so that you can hold it before its next step, see what it is about to do, change that, and let it continue.",
  "",
  "Run it in one terminal:              sonde agent run -- claude        (codex, or any other that lets you set the base URL of its model API)",
  "Hold it before a dangerous command, from another terminal (or let another agent do it):",
  "  sonde agent break add tool Bash      hold every Bash call before it runs (a glob; or: pattern 'rm -rf')",
  "  sonde agent wait                     wait until one is held; shows the command it is about to run",
  "  sonde agent edit command='ls -la'    change it (or: sonde agent cancel)",
  "  sonde agent resume                   let the agent continue",
  "Why does it loop, what did it cost:  sonde agent explain · sonde agent transcript · sonde agent inspect diff",
  "The same run again, offline:         sonde agent replay <session> --serve -- claude",
  "",
  "-s <session>: which run, by its id, the last four characters of it, or its name (default: the only one that is running). --json works on all.",
];

function details(command: ManifestCommand): string[] {
  const lines = [`usage: ${command.usage}`, command.summary];
  if (command.aliases.length > 0) lines.push(`also: ${command.aliases.join(", ")}`);
  if (command.needs === "stopped") lines.push("needs a stopped program");
  const rows: [string, string][] = [
    ...command.positionals.map(({ name, summary, values }): [string, string] => [
      name.startsWith("-") ? `${name}…` : `<${name}>`,
      values ? `${values.join("|")}: ${summary}` : summary,
    ]),
    ...command.flags.map((flag): [string, string] => [flagLabel(flag), flagSummary(flag)]),
  ];
  const width = Math.min(28, Math.max(0, ...rows.map(([label]) => label.length)));
  if (rows.length > 0) lines.push("", ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`));
  if (command.examples.length > 0) lines.push("", ...command.examples.map((example) => `  ${example}`));
  return lines;
}

const VALUES: Partial<Record<Flag["type"], string>> = {
  number: "n",
  pairs: "KEY=VALUE",
  file: "file",
  json: "json",
  words: "command",
};

function flagLabel({ name, short, type, values, placeholder = VALUES[type] ?? "text" }: Flag): string {
  const value = type === "boolean" ? "" : ` ${values ? values.join("|") : `<${placeholder}>`}`;
  return `${short ? `${short}, ` : ""}${name}${value}`;
}

function flagSummary({ summary, type, repeat, default: preset }: Flag): string {
  const notes = [
    ...(repeat || type === "pairs" ? ["repeatable"] : []),
    ...(preset === undefined || preset === false ? [] : [`default ${String(preset)}`]),
  ];
  return notes.length > 0 ? `${summary} (${notes.join(", ")})` : summary;
}
