/** Advice is written for those who type commands; here it names the call that does the same. */
import { SondeError } from "../errors.ts";
import { type Line, shapeOf } from "../surface/line.ts";
import { type Surface, saidError } from "../surface/said.ts";
import { isPlaceholder } from "../surface/words.ts";

type Arguments = Record<string, unknown>;

/** A method that does what a command does: arguments that it takes by place, all others in its options. */
interface Method {
  name: string;
  given?: readonly string[];
  /** It takes nothing but what is given by place; what else its command takes goes by `call`. */
  bare?: boolean;
  /** Options that its command does not have by that name. */
  also?: readonly string[];
  /** What its options are called, where the command calls them otherwise. */
  options?: (args: Arguments) => Arguments | undefined;
}

/** Methods that are not called as their command is; the rest have its name, or are reached by `call`. */
const METHODS: Record<string, Method> = {
  start: { name: "launch", options: launchOptions, also: ["args"] },
  attach: { name: "attach", options: launchOptions, also: ["cwd"] },
  probe: { name: "probe", options: runOptions },
  trace: { name: "trace", options: runOptions },
  crash: { name: "crash", options: runOptions },
  hang: { name: "hang", options: runOptions },
  test: { name: "test", options: runOptions },
  diff: { name: "diff", options: runOptions },
  stop: { name: "session.stop", bare: true },
  sessions: { name: "sonde.sessions" },
  await: { name: "session.wait" },
  "restart-frame": { name: "session.restartFrame" },
  "breakpoint add": { name: "session.breakpoints.add", given: ["location"] },
  "breakpoint list": { name: "session.breakpoints.list" },
  "breakpoint remove": { name: "session.breakpoints.remove", given: ["ids"] },
  "breakpoint enable": { name: "session.breakpoints.enable", given: ["ids"] },
  "breakpoint disable": { name: "session.breakpoints.disable", given: ["ids"] },
  catch: { name: "session.catches.add", given: ["filter"] },
  "catch list": { name: "session.catches.list" },
  "catch remove": { name: "session.catches.remove", given: ["id"] },
  watch: { name: "session.watches.add", given: ["expression"] },
  "watch info": { name: "session.watches.info", given: ["expression"] },
  "watch list": { name: "session.watches.list" },
  "watch remove": { name: "session.watches.remove", given: ["ids"] },
  "memory read": { name: "session.memory.read", given: ["address"] },
  "memory write": { name: "session.memory.write", given: ["address", "bytes"] },
  until: { name: "session.until", given: ["location"] },
  frame: { name: "session.frame", given: ["number"] },
  thread: { name: "session.thread", given: ["number"] },
  variables: { name: "session.variables", given: ["handle"] },
  print: { name: "session.print", given: ["expression"] },
  eval: { name: "session.evaluate", given: ["expression"] },
  request: { name: "session.request", given: ["command", "arguments"] },
  set: { name: "session.set", given: ["target", "value"] },
  input: { name: "session.input", given: ["text"] },
  ...Object.fromEntries(
    [
      ..."continue next step finish pause restart context source backtrace up down locals args scopes".split(
        " ",
      ),
      ..."threads registers disassemble output capabilities detach".split(" "),
    ].map((name) => [name, { name: `session.${name}` }]),
  ),
};

export const LIBRARY_WORDS: Surface = {
  call: ({ command, args, session }: Line) => {
    const text = callText(command, args);
    return session === undefined ? text : text?.replace(/^session\./, `sonde.session(${literal(session)}).`);
  },
  named: (command, args) => (METHODS[command]?.options ?? ((same: Arguments) => same))(args),
  usage: (command) => {
    if (!shapeOf(command)) return undefined;
    const named = [...optionsOf(command).keys()];
    const inOptions = named.length === 0 ? [] : [`{ ${named.join(", ")} }`];
    return `\`${methodOf(command).name}(${[...methodOf(command).given, ...inOptions].join(", ")})\``;
  },
  title: (command) => METHODS[command]?.name,
  whole: "the answer",
  value: literal,
};

/** What the call takes in its options, by name. */
export function optionsOf(command: string): Map<string, { isList: boolean }> {
  const { positionals = [], flags = [], rest } = shapeOf(command) ?? {};
  const { given = [], also = [], options = (same: Arguments) => same } = METHODS[command] ?? {};
  const named = [...positionals, ...flags, ...(rest ? [rest] : [])]
    .filter(({ key }) => !given.includes(key))
    .flatMap(({ key, repeat, type }) => {
      const isList = repeat || type === "words";
      return Object.keys(options({ [key]: [""] }) ?? {}).map((name) => [name, { isList }] as const);
    });
  return new Map([...named, ...also.map((name) => [name, { isList: name === "args" }] as const)]);
}

/** A failure, with the calls and options of the library in what it says. */
export function inOurWords(thrown: unknown, command: string): unknown {
  if (!(thrown instanceof SondeError)) return thrown;
  const { code, message, hint, details } = thrown;
  const said = saidError({ code, message, hint }, LIBRARY_WORDS, command);
  const ours = new SondeError(code, said.message, {
    ...(said.hint === undefined ? {} : { hint: said.hint }),
    ...(details === undefined ? {} : { details }),
    cause: thrown.cause,
  });
  if (thrown.stack !== undefined) ours.stack = thrown.stack.replace(message, () => ours.message);
  return ours;
}

/** By its method, or by the `call` that reaches all of them. */
export function methodOf(command: string): { name: string; given: readonly string[] } {
  const method = METHODS[command];
  if (method) return { name: method.name, given: method.given ?? [] };
  return { name: callOf(command), given: [JSON.stringify(command)] };
}

function callOf(command: string): string {
  return `${shapeOf(command)?.ofSession ? "session" : "sonde"}.call`;
}

function callText(command: string, said: Arguments): string | undefined {
  const args = withBlanks(command, said);
  const method = METHODS[command];
  if (!method || (method.bare && Object.keys(args).length > 0)) {
    const options = Object.keys(args).length === 0 ? "{}" : literal(args);
    return `${callOf(command)}(${JSON.stringify(command)}, ${options})`;
  }
  const { all, ...some } = args;
  const given = method.given ?? [];
  const needed = (shapeOf(command)?.positionals ?? []).filter((one) => one.required).map(({ key }) => key);
  // "all" stands in the place of the numbers.
  const byPlace = given.map((key) => {
    if (key === "ids" && all === true) return "all";
    if (args[key] === undefined) return needed.includes(key) ? `<${key}>` : undefined;
    return oneOf(args[key]);
  });
  const rest = Object.entries(given.includes("ids") ? some : args).filter(([key]) => !given.includes(key));
  const options = (method.options ?? ((same: Arguments) => same))(Object.fromEntries(rest));
  if (options === undefined) return undefined;
  while (byPlace.length > 0 && byPlace.at(-1) === undefined) byPlace.pop();
  // A place may be left out where more is said in words: `breakpoints.add({ function: "main" })`.
  const whole =
    byPlace.length < given.length && rest.length > 0 ? byPlace.filter((one) => one !== undefined) : byPlace;
  if (whole.includes(undefined)) return undefined;
  const texts = [...whole.map(literal), ...(Object.keys(options).length > 0 ? [literal(options)] : [])];
  return `${method.name}(${texts.join(", ")})`;
}

/** A placeholder for a number: it has no quotes. */
class Blank {
  constructor(readonly text: string) {}
}

function withBlanks(command: string, args: Arguments): Arguments {
  const { positionals = [], flags = [] } = shapeOf(command) ?? {};
  const numbers = [...positionals, ...flags].filter(({ type }) => type === "number").map(({ key }) => key);
  const blank = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(blank) : isPlaceholder(value) ? new Blank(String(value)) : value;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, numbers.includes(key) ? blank(value) : value]),
  );
}

function oneOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function runOptions({ args, ...rest }: Arguments): Arguments | undefined {
  return { ...(args === undefined ? {} : { command: args }), ...rest };
}

function launchOptions({ break: breakpoints, args, ...options }: Arguments): Arguments | undefined {
  const what = args === undefined ? {} : options.program === undefined ? { command: args } : { args };
  const { program, ...rest } = options;
  return {
    ...(program === undefined ? {} : { program }),
    ...what,
    ...(breakpoints === undefined ? {} : { breakpoints }),
    ...runOptions(rest),
  };
}

/** As one would write it: `{ program: "app.js", timeout: 5 }`. */
function literal(value: unknown): string {
  if (value instanceof Blank) return value.text;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(one)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}
