/** Words to arguments, by what a command declares of itself. Pure. */
import { SondeError } from "../errors.ts";
import type { ArgumentType } from "../util/argument-type.ts";
import { closest } from "../util/closest.ts";
import { splitWords } from "../util/shell-words.ts";

export interface ArgumentShape {
  key: string;
  /** `--remove-break` */
  flag: string;
  short?: string;
  type: ArgumentType;
  repeat: boolean;
  required?: boolean;
}

export interface CommandShape {
  name: string;
  positionals: readonly ArgumentShape[];
  flags: readonly ArgumentShape[];
  /** Takes everything after `--`. */
  rest?: ArgumentShape | undefined;
  /** The last positional takes all remaining words. */
  join: boolean;
  /** Flags that say something of the repeated flag before them. */
  belongs?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Reading {
  /** Flags of every command; their values go into `values`. */
  globals: { flags: readonly ArgumentShape[]; values: Record<string, unknown> };
  usage(): string;
}

export function readWords(
  command: CommandShape,
  words: readonly string[],
  reading: Reading,
): Record<string, unknown> {
  const byName = new Map<string, ArgumentShape>();
  const { globals } = reading;
  // A positional may be given by its name as well: `next 3` and `next --count 3`.
  for (const flag of [...globals.flags, ...command.flags, ...command.positionals]) {
    byName.set(flag.flag, flag);
    if (flag.short) byName.set(flag.short, flag);
  }
  const args: Record<string, unknown> = {};
  const places: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      if (command.rest) args[command.rest.key] = queue.splice(0);
      else places.push(...queue.splice(0));
    } else if (/^--?[a-zA-Z]/.test(word)) {
      const [name, inline] = splitInline(word);
      const flag = byName.get(name);
      if (!flag) throw unknownFlag(command, name, byName.keys());
      const target = globals.flags.includes(flag) ? globals.values : args;
      const value =
        flag.type === "boolean" ? booleanOf(flag, inline) : readValue(flag, inline ?? queue.shift());
      if (!putUnder(args, command.belongs?.[flag.key], flag, value)) put(target, flag, value);
    } else places.push(word);
  }
  placePositionals(command, places, args, reading);
  return args;
}

function placePositionals(
  command: CommandShape,
  places: string[],
  args: Record<string, unknown>,
  reading: Reading,
): void {
  const value = (one: ArgumentShape, word: string | undefined) =>
    readValue({ ...one, flag: `${command.name} ${one.key}` }, word);
  command.positionals.forEach((one, index) => {
    const last = index === command.positionals.length - 1;
    if (places.length === 0) return;
    if (last && one.type === "pairs") for (const word of places.splice(0)) put(args, one, value(one, word));
    else if (last && one.repeat) args[one.key] = places.splice(0).map((word) => value(one, word));
    else if (last && command.join) args[one.key] = places.splice(0).join(" ");
    else args[one.key] = value(one, places.shift());
  });
  if (places.length > 0) {
    if (places[0] === "if") {
      throw new SondeError("BAD_ARGUMENT", `${command.name}: a condition belongs inside the quotes`, {
        hint: `--break '<file:line> if <expression>'`,
      });
    }
    throw new SondeError("BAD_ARGUMENT", `${command.name}: what is \`${places[0]}\`?`, {
      hint: command.rest
        ? `usage: ${reading.usage()} ; the program's own arguments go after \`--\`, and so does a whole command line: sonde ${command.name} -- node app.js`
        : `usage: ${reading.usage()}`,
    });
  }
}

/** `--depth=3` */
export function splitInline(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
}

function put(target: Record<string, unknown>, flag: ArgumentShape, value: unknown): void {
  if (flag.type === "pairs")
    target[flag.key] = { ...(target[flag.key] as object | undefined), ...(value as object) };
  else if (!flag.repeat) target[flag.key] = value;
  else target[flag.key] = [...((target[flag.key] as unknown[] | undefined) ?? []), value];
}

/** As part of the owner that was given last: its text becomes `{location, watch: […]}`. */
function putUnder(
  args: Record<string, unknown>,
  owner: string | undefined,
  flag: ArgumentShape,
  value: unknown,
): boolean {
  const owners = owner === undefined ? undefined : (args[owner] as unknown[] | undefined);
  const last = owners?.pop();
  if (owners === undefined || last === undefined) return false;
  const whole: Record<string, unknown> =
    typeof last === "string" ? { location: last } : { ...(last as Record<string, unknown>) };
  if (flag.key === "condition") whole.condition = value;
  else whole[flag.key] = [...((whole[flag.key] as unknown[] | undefined) ?? []), value];
  owners.push(whole);
  return true;
}

function booleanOf(flag: ArgumentShape, inline: string | undefined): boolean {
  if (inline === undefined || inline === "true") return true;
  if (inline === "false") return false;
  throw new SondeError("BAD_ARGUMENT", `${flag.flag} takes no value, or true or false`);
}

export function readValue(spec: ArgumentShape, word: string | undefined): unknown {
  if (word === undefined) throw new SondeError("BAD_ARGUMENT", `${spec.flag} needs a value`);
  switch (spec.type) {
    case "number":
      return numberOf(spec, word);
    case "pairs":
      return pairOf(spec, word);
    case "json":
      return objectOf(spec, word);
    case "file":
      return { file: word };
    case "words":
      return splitWords(word);
    default:
      return word;
  }
}

function numberOf({ flag }: ArgumentShape, word: string): number {
  const number = Number(word);
  if (word.trim() === "" || Number.isNaN(number))
    throw new SondeError("BAD_ARGUMENT", `${flag}: \`${word}\` is not a number`);
  return number;
}

function pairOf({ flag }: ArgumentShape, word: string): Record<string, string> {
  const at = word.indexOf("=");
  if (at < 1)
    throw new SondeError("BAD_ARGUMENT", `${flag}: \`${word}\` is not KEY=VALUE`, {
      hint: "a name and its value with = between them, as in command='ls -la'",
    });
  return { [word.slice(0, at)]: word.slice(at + 1) };
}

function objectOf({ flag, key }: ArgumentShape, word: string): object {
  let why = "";
  try {
    const value: unknown = JSON.parse(word);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (thrown) {
    why = `: ${(thrown as Error).message}`;
  }
  throw new SondeError(
    "BAD_ARGUMENT",
    `${flag === `--${key}` ? `<${key}>` : flag} must be a JSON object${why}`,
    { hint: `as in '{"name":"value"}', in single quotes` },
  );
}

function unknownFlag(command: CommandShape, name: string, known: Iterable<string>): SondeError {
  // One letter is near to every other.
  const near = name.startsWith("--") ? closest(name, known) : undefined;
  const rest =
    command.rest === undefined
      ? "to pass it as a value put it after `--`"
      : "options of the program go with its command line after `--`";
  return new SondeError("BAD_ARGUMENT", `${command.name}: unknown option ${name}`, {
    hint: near ? `did you mean ${near}?` : `\`sonde help ${command.name}\` lists the options; ${rest}`,
  });
}
