/** Arguments that are written otherwise in a tool call than on the command line, both ways. */
import * as z from "zod";
import { Blank } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { shellWord, splitWords } from "../../util/shell-words.ts";
import type { Spelling, Values } from "./offer.ts";

const text = (brief?: string) =>
  z
    .string()
    .optional()
    .meta(brief === undefined ? {} : { brief });
const count = (least: number) => z.number().int().min(least).optional();

/** `file:line[:column][ if expr]` */
const PLACE = /^(?:(.+?):)?(\d+)(?::(\d+))?(?:\s+if\s+(.+))?$/s;

/** A place as `file` and `line`; also as one text, in `file` or in `location`. */
export function placeAs(key: string): Spelling {
  return {
    keys: [key],
    names: { [key]: "file line" },
    properties: { file: text(), line: count(1), column: count(1).meta({ unsaid: true }) },
    understood: placed,
    read: ({ file, line, column }) => ({
      [key]: [file, line, column].filter((part) => part !== undefined).join(":"),
    }),
    write: ({ [key]: value }) => {
      if (value instanceof Blank) return { file: new Blank("file"), line: new Blank("line") };
      const [, file, line, column, condition] = PLACE.exec(String(value)) ?? [];
      if (line === undefined) return undefined;
      return {
        ...(file === undefined ? {} : { file }),
        line: Number(line),
        ...(column === undefined ? {} : { column: Number(column) }),
        ...(condition === undefined ? {} : { condition }),
      };
    },
  };
}

/** One text is taken apart; what is said in parts stays as it is. */
function placed(given: Values): Values {
  const { location, ...rest } = given;
  const written = location ?? rest.file;
  if ((location !== undefined && rest.file !== undefined) || typeof written !== "string") return given;
  const [, file, line, column, condition] = PLACE.exec(written.trim()) ?? [];
  // A bare number is a line only where a place is asked for.
  if (line === undefined || rest.line !== undefined || (file === undefined && location === undefined))
    return location === undefined ? given : { ...rest, file: location };
  const { file: _, ...others } = rest;
  return {
    ...(condition === undefined ? {} : { condition }),
    ...others,
    ...(file === undefined ? {} : { file }),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

/** An address as a reference with an offset in bytes: `main + 4`. */
export function addressAs(name: string, required: boolean, brief: string): Spelling {
  const reference = required ? z.string().meta({ brief }) : text(brief);
  return {
    keys: ["address"],
    names: { address: name },
    properties: { [name]: reference, offset: z.number().int().optional().meta({ brief: "bytes" }) },
    read: ({ [name]: base, offset }) => {
      if (base === undefined) throw new SondeError("BAD_ARGUMENT", `\`offset\` goes with \`${name}\``);
      const bytes = Number(offset ?? 0);
      return { address: bytes === 0 ? base : `${String(base)} ${bytes < 0 ? "-" : "+"} ${Math.abs(bytes)}` };
    },
    write: ({ address }) => ({ [name]: address }),
  };
}

/** Bytes as base64, which are hexadecimal digits on the command line. */
export const BYTES: Spelling = {
  keys: ["bytes"],
  names: { bytes: "data" },
  properties: { data: z.string().meta({ brief: "base64" }) },
  read: ({ data }) => {
    const plain = String(data).replace(/\s/g, "");
    if (plain === "" || !/^[\w+/-]+={0,2}$/.test(plain))
      throw new SondeError("BAD_ARGUMENT", "`data` must be base64 of at least one byte");
    return { bytes: Buffer.from(plain, "base64").toString("hex") };
  },
  write: ({ bytes }) => {
    if (bytes instanceof Blank) return { data: bytes };
    const plain = String(bytes).replace(/\s/g, "");
    return /^([\da-f]{2})+$/i.test(plain)
      ? { data: Buffer.from(plain, "hex").toString("base64") }
      : undefined;
  },
};

/** `total`, or `2:total` for that of frame 2. Ours to give: what the adapter calls it is asked for when it is set. */
export function dataId(expression: string, frame: number | undefined): string {
  return frame === undefined ? expression : `${frame}:${expression}`;
}

export const DATA_ID: Spelling = {
  keys: ["expression", "frame", "ids"],
  names: { expression: "data_id", ids: "data_id" },
  properties: { data_id: z.string() },
  read: ({ data_id }) => {
    const id = String(data_id);
    if (/^\d+$/.test(id)) return { ids: [Number(id)] };
    const [, frame, expression] = /^(\d+):(.+)$/s.exec(id) ?? [];
    return frame === undefined ? { expression: id } : { expression, frame: Number(frame) };
  },
  write: ({ expression, frame, ids }) => {
    if (Array.isArray(ids)) return ids.length === 1 ? { data_id: String(ids[0]) } : undefined;
    if (expression instanceof Blank) return { data_id: expression };
    return { data_id: dataId(String(expression), frame as number | undefined) };
  },
};

/** Which uses are watched. */
export const ACCESS_TYPE: Spelling = {
  keys: ["read", "access"],
  properties: { access_type: z.enum(["read", "write", "readWrite"]).optional() },
  read: ({ access_type }) => ({
    ...(access_type === "read" ? { read: true } : {}),
    ...(access_type === "readWrite" ? { access: true } : {}),
  }),
  write: ({ access }) => ({ access_type: access ? "readWrite" : "read" }),
};

/** A list of filters, which are one word with commas on the command line. */
export const FILTERS: Spelling = {
  keys: ["filter"],
  names: { filter: "filters" },
  properties: { filters: z.array(z.string()).meta({ brief: "uncaught, all, none…" }) },
  read: ({ filters }) => ({ filter: (filters as string[]).join(",") || "none" }),
  write: ({ filter }) => ({ filters: filter instanceof Blank ? [filter] : String(filter).split(",") }),
};

/** A command line as one text. */
export function commandAs(key: string, name: string): Spelling {
  return {
    keys: [key],
    names: { [key]: name },
    properties: { [name]: text() },
    read: ({ [name]: line }) => ({ [key]: splitWords(String(line)) }),
    write: ({ [key]: words }) => ({ [name]: lineOf(words) }),
  };
}

function lineOf(words: unknown): unknown {
  if (!Array.isArray(words)) return words;
  if (words.length === 1 && words[0] instanceof Blank) return words[0];
  return words.map((word) => (word instanceof Blank ? String(word) : shellWord(String(word)))).join(" ");
}

/** Standard input as text. A file is for those who have a shell. */
export function inputAs(key: string, name: string): Spelling {
  return {
    keys: [key],
    names: { [key]: name },
    properties: { [name]: text(name === "stdin" ? "its text" : undefined) },
    read: ({ [name]: given }) => ({ [key]: { text: String(given) } }),
    write: ({ [key]: given }) =>
      typeof given === "object" && given !== null && "text" in given ? { [name]: given.text } : undefined,
  };
}

/** What to start: a program and its arguments, or a whole command line. */
export const PROGRAM: Spelling = {
  keys: ["program", "args"],
  names: { program: "program", args: "args" },
  properties: {
    program: text("file, or a command such as npm"),
    args: z.array(z.string()).optional().meta({ words: true }),
    command: text(),
  },
  read: ({ program, args, command }) => {
    if (command === undefined) return { program, ...(args === undefined ? {} : { args }) };
    if (args === undefined) return { args: splitWords(String(command)) };
    throw new SondeError("BAD_ARGUMENT", "`args` goes with `program`; `command` is the whole command line");
  },
  write: ({ program, args }) => {
    if (program === undefined) return { command: lineOf(args) };
    return { program, ...(args === undefined ? {} : { args }) };
  },
};

/** `[host:]port` in two. */
export const PORT: Spelling = {
  keys: ["port"],
  names: { port: "port" },
  properties: { port: count(1), host: text() },
  read: ({ port, host }) => {
    if (port === undefined) throw new SondeError("BAD_ARGUMENT", "`host` goes with `port`");
    return { port: host === undefined ? String(port) : `${String(host)}:${String(port)}` };
  },
  write: ({ port }) => {
    if (port instanceof Blank) return { port: new Blank("port") };
    const [, host, number] = /^(?:(.+):)?(\d+)$/.exec(String(port)) ?? [];
    if (number === undefined) return undefined;
    return { ...(host === undefined ? {} : { host }), port: Number(number) };
  },
};

/** What `backtrace` shows unless told. */
const BACKTRACE_LIMIT = 20;

/** Who counts frames means all of them; otherwise those of the caller's own code are the answer. */
export const LEVELS: Spelling = {
  keys: ["all", "limit"],
  properties: { levels: count(1) },
  read: ({ levels }) => ({ limit: levels, all: true }),
  write: ({ all, limit }) => (all ? { levels: limit ?? BACKTRACE_LIMIT } : undefined),
};

const handle = z.union([z.number(), z.string()]).optional();

/** A value's handle, as 7 or @v7; a scope has one too. */
export const HANDLE: Spelling = {
  keys: ["handle"],
  names: { handle: "variable_ref" },
  properties: { variable_ref: handle.meta({ brief: "7 or @v7" }), scope_id: handle },
  read: ({ variable_ref, scope_id }) => ({ handle: handleOf(variable_ref ?? scope_id) }),
  write: ({ handle: value }) => ({ variable_ref: value }),
};

export const SCOPE: Spelling = {
  keys: ["scope"],
  names: { scope: "scope_id" },
  properties: { scope_id: handle },
  read: ({ scope_id }) => ({ scope: handleOf(scope_id) }),
  write: ({ scope }) => ({ scope_id: scope }),
};

function handleOf(value: unknown): string {
  if (/^(@?v)?\d+$/.test(String(value))) return `@v${String(value).replace(/^@?v/, "")}`;
  throw new SondeError("BAD_ARGUMENT", `${JSON.stringify(value)} is not a handle such as 7 or @v7`);
}

/** The one trace that is shown. */
export const ONE_TRACE: Spelling = {
  keys: ["id"],
  names: { id: "traces" },
  properties: { traces: z.array(z.string()).optional().meta({ brief: "ids" }) },
  read: ({ traces }) => {
    const [id, ...more] = traces as string[];
    if (more.length > 0) throw new SondeError("BAD_ARGUMENT", "show takes one of `traces`; diff takes two");
    return { id };
  },
  write: ({ id }) => ({ traces: [id] }),
};

export const SYMBOLS: Spelling = {
  keys: ["noSymbols"],
  properties: { resolve_symbols: z.boolean().optional() },
  read: ({ resolve_symbols }) => ({ noSymbols: resolve_symbols === false }),
  write: () => ({ resolve_symbols: false }),
};

/** Two runs: one command or two, one input or two; or many runs of one. */
export const TWO_RUNS: Spelling = {
  keys: ["a", "b", "args", "flaky", "stdin", "stdinA", "stdinB"],
  names: {
    a: "command",
    b: "command_b",
    args: "command",
    flaky: "runs",
    stdin: "stdin",
    stdinA: "stdin",
    stdinB: "stdin_b",
  },
  properties: {
    command: text(),
    command_b: text(),
    stdin: text("its text"),
    stdin_b: text(),
    runs: z.number().int().min(2).max(100).optional(),
  },
  read: ({ command, command_b, stdin, stdin_b, runs }) => {
    const words = splitWords(String(command));
    const input = (given: unknown) => (given === undefined ? undefined : { text: String(given) });
    if (runs !== undefined) {
      if ((command_b ?? stdin_b) !== undefined)
        throw new SondeError("BAD_ARGUMENT", "`runs` repeats one command: no `command_b`, no `stdin_b`");
      return { flaky: runs, args: words, stdin: input(stdin) };
    }
    const b = command_b === undefined ? words : splitWords(String(command_b));
    return { a: words, b, stdinA: input(stdin), stdinB: input(stdin_b ?? stdin) };
  },
  write: ({ a, b, args, flaky, stdin, stdinA, stdinB }) => {
    const given = (value: unknown) =>
      typeof value === "object" && value !== null && "text" in value ? value.text : undefined;
    const inputs = [stdin ?? stdinA, stdinB];
    if (inputs.some((one) => one !== undefined && given(one) === undefined)) return undefined;
    return {
      ...((a ?? args) === undefined ? {} : { command: lineOf(a ?? args) }),
      ...(b === undefined ? {} : { command_b: lineOf(b) }),
      ...(flaky === undefined ? {} : { runs: flaky }),
      ...(inputs[0] === undefined ? {} : { stdin: given(inputs[0]) }),
      ...(inputs[1] === undefined ? {} : { stdin_b: given(inputs[1]) }),
    };
  },
};
