/**
 * Advice is written once, for those who type commands: `sonde …` lines and `--options`. A surface that has other words for the
 * same things says it in those; what cannot be done there stays a command line, which can still be typed in a shell.
 */
import type { ErrorCode } from "../errors.ts";
import { commandIn, type Line, optionOf, readBareLine, readLine, shapeOf } from "./line.ts";
import { isPlaceholder } from "./words.ts";

export interface Surface {
  /** The call that does the same as a command line; undefined where there is none. */
  call(line: Line): string | undefined;
  /** What arguments of a command are called here, with their values; undefined if one of them cannot be given. */
  named(command: string, args: Record<string, unknown>): Record<string, unknown> | undefined;
  /** How a command is called, and what it takes. */
  usage(command: string): string | undefined;
  /** The name that a failure begins with. */
  title(command: string): string | undefined;
  /** Where `--json` would have more. */
  whole: string;
  /** The same of what a program printed that has ended; unless it is `whole` too. */
  output?: string;
  /** A command line for which there is no call here. */
  shell?(line: string): string;
  /** A value as it is written here. */
  value(value: unknown): string;
}

/** No advice of ours is longer; whatever is, holds a program's words. */
const LONGEST = 2_000;

/** `asked` is the command that was run: an option that stands alone is one of its own. */
export function said(text: string, surface: Surface, asked?: string): string {
  if (text.length > LONGEST) return text;
  let out = "";
  let last = asked;
  let from = 0;
  let afterOption = -1;
  const mentions = new RegExp(MENTION, "g");
  for (let found = mentions.exec(text); found; found = mentions.exec(text)) {
    const [whole, usage, ticked, , bare, after, option] = found;
    // Options in a row are a list here.
    out += from === afterOption && option !== undefined ? ", " : text.slice(from, found.index);
    from = mentions.lastIndex;
    if (ticked !== undefined) {
      last = commandIn(ticked.split(" "))?.shape.name ?? last;
      out += linesSaid(ticked, surface) ?? surface.shell?.(whole) ?? whole;
    } else if (bare !== undefined) {
      const { text: call, length } = bareSaid(bare, surface);
      out += call;
      from = mentions.lastIndex = found.index + length;
    } else if (after !== undefined) out += restSaid(whole, surface, asked);
    else if (usage !== undefined) out += usageSaid(whole, surface);
    else if (option === "--json" && text[from] === ")" && text.startsWith("program output ("))
      out += surface.output ?? surface.whole;
    else if (option !== undefined) {
      const words = optionSaid(found, surface, [last, asked]);
      out += words;
      if (words !== whole && text[from] === " " && text[from + 1] === "-") afterOption = from;
    } else out += whole; // another program's command line
  }
  return out + text.slice(from);
}

/** In these a debugger, a compiler or the program speaks. */
const OF_OTHERS: ReadonlySet<ErrorCode> = new Set([
  "ADAPTER_FAILED",
  "ATTACH_FAILED",
  "EVAL_FAILED",
  "INTERNAL",
  "LAUNCH_FAILED",
  "REQUEST_FAILED",
  "SETUP_FAILED",
] satisfies ErrorCode[]);
/** A failure: what it says, and what to do about it. */
export function saidError(
  { code, message, hint }: { code: ErrorCode; message: string; hint?: string | undefined },
  surface: Surface,
  asked: string | undefined,
): { message: string; hint?: string } {
  const foreign = OF_OTHERS.has(code);
  const advice = hint === undefined ? hint : said(hint, surface, asked);
  return {
    message: saidFailure(message, surface, asked, foreign),
    ...(advice === undefined ? {} : { hint: advice }),
  };
}

/** The start of a failure names the command, and its argument as the declaration does. */
export function saidFailure(
  text: string,
  surface: Surface,
  asked: string | undefined,
  foreign = false,
): string {
  const ours = (part: string) => (foreign ? part : said(part, surface, asked));
  const title = asked === undefined ? undefined : surface.title(asked);
  if (asked === undefined || title === undefined || !text.startsWith(asked)) return ours(text);
  const rest = text.slice(asked.length);
  const found = /^(: | was cancelled| needs <(\w+)>| takes no argument `\w+`$| (\w+)(?=: ))/.exec(rest);
  if (!found) return ours(text);
  const key = found[2] ?? found[3];
  const name = key === undefined ? undefined : Object.keys(surface.named(asked, { [key]: "" }) ?? {})[0];
  const start =
    key === undefined ? found[0] : `${found[2] === undefined ? " " : " needs "}\`${name ?? key}\``;
  return `${title}${start}${ours(rest.slice(found[0].length))}`;
}

/** Lines of an answer that are ours throughout; a program's own words are never on one that begins like that. */
const ADVICE = new RegExp(
  `^(?:${[
    String.raw` *\(\+`,
    "next: ",
    "more: ",
    "not bound: ",
    "not set: ",
    String.raw`only \d+ characters of a value are recorded: `,
    "note: ",
    String.raw`\[cut: `,
    String.raw`program output \(`,
    "ran .* itself; if another program ",
    String.raw`\(\d+ earlier line`,
    String.raw`\(not shown: `,
    String.raw`runs: A t\d+ `,
    String.raw`\d+ other failing tests?: `,
    "more was recorded than is kept: ",
    String.raw`[\w ]+: ${"`"}sonde variables @v\d+${"`"}$`,
    String.raw`thread \d+ .*is stopped too: `,
    String.raw`(?:breakpoint|watch) \d+ .*(?:is not bound: |not bound: )`,
  ].join("|")})`,
);

export function saidText(text: string, surface: Surface, asked?: string): string {
  return text
    .split("\n")
    .map((line) => (ADVICE.test(line) || ENDS.test(line) ? said(line, surface, asked) : line))
    .join("\n");
}

/** …or that end in words of ours. */
const ENDS = / has no value here: `sonde probe [^`]*` says why$| \(`sonde threads` shows where each waits\)$/;

/** Of what commands answer, these keys hold our own words; everything else may be the program's. */
const OURS = new Set(["notes", "why", "fix", "hint", "again", "next"]);
/** Nothing of ours is in these, and there may be very much of them. */
const PROGRAMS = new Set(["hits", "values", "source", "output", "stack", "frames", "lines", "body"]);

export function saidData(data: unknown, surface: Surface, asked?: string): unknown {
  if (Array.isArray(data)) return data.map((one) => saidData(one, surface, asked));
  if (typeof data !== "object" || data === null) return data;
  const row = "state" in data && "hits" in data && "kind" in data; // a breakpoint's message is ours or its debugger's
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const ours = OURS.has(key) || (row && key === "message");
      if (PROGRAMS.has(key)) return [key, value];
      return [key, ours ? saidWithin(value, surface, asked) : saidData(value, surface, asked)];
    }),
  );
}

function saidWithin(value: unknown, surface: Surface, asked: string | undefined): unknown {
  // A value that is a command line and nothing else needs no quotes.
  if (typeof value === "string") return callsFor(value, surface)?.join("; ") ?? said(value, surface, asked);
  return Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.map((one) => said(one, surface, asked))
    : saidData(value, surface, asked);
}

/** A value of an option, as advice shows them; any other word after an option is the sentence going on. */
const VALUE = String.raw`<[^<>]*>|'[^']*'|\[[^\]]*\][\w:]*|-?\d[\w.]*|[A-Z]+=[A-Z]+|[xy](?= )|[\w./-]+[:=.][\w:./=-]*[\w]|[^\s${"`"}]+(?=${"`"})`;
/**
 * In this order: a usage line; a line in backticks; anything else in backticks but an option; a bare line with its clause;
 * `after --`; an option with its value, and the command line behind it.
 */
const MENTION = [
  "(usage: sonde [^;]+?)(?= ; |$)",
  "`sonde ([^`]+)`",
  "(`(?!--|-s )[^`]*`)",
  String.raw`(?<![\w${"`"}'"/-])sonde ([a-z](?:'[^']*'|<[^<>]*>|[^;,('<]|,(?! ))*)`,
  "(after (?:`--`|--(?=[ ;,]|$)))",
  String.raw`(?<![\w'"<-])${"`?"}(--[a-z][a-z-]*|-s(?![\w-]))(?:[ =](${VALUE}))?${"`?"}(?: -- (<[^<>]*>|…))?`,
].join("|");

/** One line, or several that belong together: `sonde start …; sonde pause`. */
function linesSaid(text: string, surface: Surface): string | undefined {
  return callsFor(`sonde ${text}`, surface)
    ?.map((one) => `\`${one}\``)
    .join(", then ");
}

function callsFor(text: string, surface: Surface): string[] | undefined {
  if (!text.startsWith("sonde ")) return undefined;
  const calls = text
    .slice("sonde ".length)
    .split("; sonde ")
    .flatMap((one) => {
      const line = readLine(one.trim());
      return (line && surface.call(line)) ?? [];
    });
  return calls.length === text.split("; sonde ").length ? calls : undefined;
}

function bareSaid(text: string, surface: Surface): { text: string; length: number } {
  const typed = "sonde ".length;
  const found = readBareLine(text);
  if (!found) return { text: "sonde ", length: typed };
  const call = surface.call(found.line);
  const length = typed + found.length;
  if (call !== undefined) return { text: `\`${call}\``, length };
  const line = `sonde ${text.slice(0, found.length)}`;
  return { text: surface.shell?.(line) ?? line, length };
}

function usageSaid(whole: string, surface: Surface): string {
  const found = commandIn(whole.replace("usage: sonde ", "").split(" "));
  const usage = found && surface.usage(found.shape.name);
  return usage === undefined ? whole : `usage: ${usage}`;
}

/** Of the command that was named last, if it has such an option; else of the one that was run. */
function optionSaid(
  [whole, , , , , , flag = "", value, rest]: readonly (string | undefined)[],
  surface: Surface,
  commands: readonly (string | undefined)[],
): string {
  if (flag === "--json") return surface.whole;
  const command = commands.find((one) => one !== undefined && optionOf(one, flag) !== undefined);
  const option = optionOf(command, flag);
  if (!option || (command === undefined && option.key !== "session")) return whole ?? "";
  const plain = value?.replace(/^'(.*)'$/, "$1");
  const takes = option.type !== "boolean" && plain !== undefined;
  const given = takes ? (option.repeat ? [plain] : numeric(option.type, plain)) : option.repeat ? [""] : "";
  const ofAll = option.key === "session"; // every surface calls it that
  const named = ofAll ? { session: plain } : surface.named(command ?? "", { [option.key]: given });
  const [entry, ...more] = Object.entries(named ?? {});
  if (!entry || more.length > 0) return whole ?? "";
  const [name, shown] = entry;
  const restName = rest === undefined ? undefined : restOf(surface, command);
  const tail =
    rest === undefined ? "" : restName === undefined ? ` -- ${rest}` : `, \`${restName}: ${rest}\``;
  const left = !takes && plain !== undefined ? ` ${value}` : "";
  return `\`${name}${takes ? `: ${shownValue(shown, surface)}` : ""}\`${left}${tail}`;
}

function numeric(type: string, text: string): unknown {
  return type === "number" && !isPlaceholder(text) && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function shownValue(value: unknown, surface: Surface): string {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isPlaceholder(one) ? String(one) : surface.value(one);
}

function restSaid(whole: string, surface: Surface, asked: string | undefined): string {
  const name = restOf(surface, asked);
  return name === undefined ? whole : `in \`${name}\``;
}

function restOf(surface: Surface, command: string | undefined): string | undefined {
  const rest = command === undefined ? undefined : shapeOf(command)?.rest;
  if (command === undefined || !rest) return undefined;
  return Object.keys(surface.named(command, { [rest.key]: ["<command>"] }) ?? {})[0];
}
