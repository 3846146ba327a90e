/**
 * What a command is. One declaration serves the CLI, MCP, the library, the daemon protocol and the reference docs: nothing about a
 * command is written down anywhere else.
 */
import type * as z from "zod";
import type { TextOptions } from "./answers/text.ts";
import type { Context } from "./context.ts";
import type { Offer } from "./mcp/offer.ts";

export const GROUPS = {
  runs: "Whole runs: one call, nothing left running",
  session: "Sessions: a program and its debugger, kept alive between commands",
  breakpoints: "Breakpoints",
  running: "Running",
  where: "Current location",
  stack: "Stack",
  values: "Values",
  threads: "Threads",
  machine: "Machine code and memory",
  io: "Program input and output",
  adapter: "Adapter: the program that connects Sonde to a debugger",
  agents: "Agents: hold, inspect and change what an AI agent does",
  diagnostics: "Logs, reports and profiles",
  setup: "Set-up",
  surfaces: "Help, daemon, MCP and skills",
} as const;

export type Group = keyof typeof GROUPS;

/**
 * What must be true before `run`: nothing; a session in any state; one that has not ended; one that is stopped.
 * Checked in one place, with one wording.
 */
export type Needs = "nothing" | "session" | "live" | "stopped";

/** `reads` changes nothing; `moves` lets the program run; `changes` alters the program, the session or the machine. */
export type Effect = "reads" | "moves" | "changes";

/**
 * When a command may run while others of its session are under way. `alone`: one after the other, as they came. `shared`: beside its
 * like, not while the program is being moved. `ahead`: at once, and others wait for it. `free`: at any time.
 */
export type Turn = "alone" | "shared" | "ahead" | "free";

export interface CliShape<Key extends string> {
  /** The shorter of its names, for lines that we show. */
  typed?: string;
  /** Arguments given by place. The last may take all remaining words: `print a + b`. */
  positionals?: readonly Key[];
  /** The last positional takes all remaining words, joined by spaces. */
  join?: boolean;
  /** Its words are one expression in the program's language: inside `do` its quotes are the expression's own. */
  expression?: boolean;
  /** Takes everything after `--`. */
  rest?: Key;
  short?: Partial<Record<Key, string>>;
  /** Arguments that may be as long as a file: bytes for the program. */
  long?: readonly Key[];
  /** Flags that say something of the repeated flag before them: `--at a --watch x --at b --watch y`. */
  belongs?: Partial<Record<Key, Key>>;
}

/** What a command is in the library, where it has a method of its own; all are reached by `call`. */
export interface Method {
  /** `session.breakpoints.add` */
  name: string;
  /** Arguments that it takes by place; all others are in its options. */
  given?: readonly string[];
  /** What options are called, where the command calls them otherwise. */
  names?: Readonly<Record<string, string>>;
  /** It takes nothing but what is given by place. */
  bare?: boolean;
  /** What it does, where the command's summary speaks of the command line. */
  says?: string;
  /** Options that its command does not have by that name. */
  also?: readonly string[];
}

export interface Command {
  name: string;
  aliases: readonly string[];
  summary: string;
  group: Group;
  /** It stands in the references of the skills: an agent reaches for it in every language. */
  skill?: boolean;
  needs: Needs;
  /** A DAP capability the adapter must announce. */
  supports: string | undefined;
  effect: Effect;
  /** With these arguments it changes nothing, whatever its effect. */
  reads?(args: Record<string, unknown>): boolean;
  /** Whether somebody who may only watch can ask for it so: nothing is run, no file is named. Left out: yes, if it reads. */
  watchable?(args: Record<string, unknown>): boolean;
  turn: Turn;
  /** It runs in the caller's terminal, not in the daemon: always, or when this argument is given. */
  foreground?: true | string;
  /** It may be given whoever has the session: it is about that. */
  anyHands?: true;
  /** In a terminal, unless `--json`, `--plain` or `--yes` is given, it is a conversation there (`src/foreground`). */
  interactive?: true;
  /** The kind of record that its answer's `id` (of a trace: `trace.id`) names: a run of an agent that gave the command remembers it. */
  makes?: "profile" | "trace";
  args: z.ZodObject;
  result: z.ZodType;
  cli: CliShape<string>;
  /** What it is over MCP: actions of tools. */
  mcp: readonly Offer[];
  library?: Method;
  examples: readonly string[];
  run(context: Context, args: Record<string, unknown>): Promise<unknown>;
  text(result: unknown, options: TextOptions): string;
  /** The CLI's exit status for this result: an answer can be a complete one and still say that something is wrong. */
  exit?(result: unknown): number;
}

interface Declaration<A extends z.ZodObject, R extends z.ZodType> {
  name: string;
  aliases?: readonly string[];
  summary: string;
  group: Group;
  skill?: boolean;
  needs: Needs;
  supports?: string;
  effect: Effect;
  reads?(args: Partial<z.infer<A>>): boolean;
  watchable?(args: Partial<z.infer<A>>): boolean;
  /** Left out: what needs a stopped program is shared, or alone if it moves it; all else is free. */
  turn?: Turn;
  foreground?: true | Extract<keyof z.infer<A>, string>;
  interactive?: true;
  anyHands?: true;
  makes?: "profile" | "trace";
  args: A;
  result: R;
  cli?: CliShape<Extract<keyof z.infer<A>, string>>;
  mcp?: Offer | readonly Offer[];
  library?: Method;
  examples?: readonly string[];
  run(context: Context, args: z.infer<A>): Promise<z.infer<R>>;
  text(result: z.infer<R>, options: TextOptions): string;
  exit?(result: z.infer<R>): number;
}

/** Keeps each declaration's own types inside it and gives the registry one type to hold. */
export function command<A extends z.ZodObject, R extends z.ZodType>(declaration: Declaration<A, R>): Command {
  return {
    aliases: [],
    examples: [],
    supports: undefined,
    cli: {},
    turn: turnOf(declaration),
    ...(declaration as unknown as Omit<
      Command,
      "aliases" | "examples" | "supports" | "cli" | "turn" | "mcp"
    >),
    mcp: declaration.mcp === undefined ? [] : [declaration.mcp].flat(),
    // Here, once: zod compiles a schema the first time it is used, which is most of what a plain command costs the daemon.
    args: declaration.args.strict(),
  };
}

function turnOf({ needs, effect }: { needs: Needs; effect: Effect }): Turn {
  if (needs !== "stopped") return "free";
  return effect === "moves" ? "alone" : "shared";
}
