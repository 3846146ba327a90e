/** What a caller may say. */
import type { CommandArguments } from "../advice/commands.generated.ts";

/** Of every call. */
export interface CallOptions {
  /** Ends the call with a SondeError CANCELLED; what was started for it alone is ended too. */
  signal?: AbortSignal | undefined;
  /** Text that comes before the answer: of `output({ follow: true })`, `trace({ follow: true })`, `setup`. */
  onText?: ((text: string) => void) | undefined;
}

/** What a command takes, without what stands in the method's own arguments. */
export type Options<
  Name extends keyof CommandArguments,
  Given extends keyof CommandArguments[Name] = never,
> = Omit<CommandArguments[Name], Given> & CallOptions;

/** Standard input: text, bytes, or a file by its path. */
export type Stdin = string | Uint8Array | { file: string };

/** How a program is run; the same for everything that runs one. */
export interface RunOptions extends CallOptions {
  /** The command line, word by word: `["python", "-m", "app"]`. */
  command?: readonly string[] | undefined;
  /** Folder to run in, and the one that relative paths and locations are meant from (default: this process's). */
  cwd?: string | undefined;
  /** Added to the environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Text, bytes, or a file by its path (default: none, of a session: open, see `session.input`). */
  stdin?: Stdin | undefined;
  /** Extra arguments for the debug adapter's launch or attach request. */
  adapterArguments?: Readonly<Record<string, unknown>> | undefined;
}

type Plain = "args" | "env" | "stdin" | "adapterArguments" | "cwd";

/** A program by its file (`program`, with `args`), or a whole command line (`command`). */
export interface LaunchOptions extends RunOptions, Omit<CommandArguments["start"], Plain | "break"> {
  /** The program's arguments, where `program` names its file. */
  args?: readonly string[] | undefined;
  /** Stop here: `"file.py:12"`, `"file.py:12 if n > 3"`. */
  breakpoints?: readonly string[] | undefined;
}

/** A running process (`pid`), or a debug server that listens (`port`). */
export interface AttachOptions
  extends CallOptions,
    Omit<CommandArguments["attach"], "adapterArguments" | "break" | "port"> {
  /** A port of this machine, or `"host:port"`. */
  port?: number | string | undefined;
  /** Stop here: `"file.py:12"`, `"file.py:12 if n > 3"`. */
  breakpoints?: readonly string[] | undefined;
  /** The folder that relative paths and locations are meant from (default: this process's). */
  cwd?: string | undefined;
  /** Extra arguments for the debug adapter's attach request. */
  adapterArguments?: Readonly<Record<string, unknown>> | undefined;
}

/** `locations`, `function` or `exception` say where. */
export interface ProbeOptions extends RunOptions, Omit<CommandArguments["probe"], Plain> {}

/** `at` or `function` say what to record. */
export interface TraceOptions extends RunOptions, Omit<CommandArguments["trace"], Plain | "feedback"> {}

/** Two commands (`a`, `b`), one command with two inputs (`stdinA`, `stdinB`), one that is `flaky`, or two kept `traces`. */
export interface DiffOptions
  extends Omit<RunOptions, "stdin">,
    Omit<CommandArguments["diff"], Plain | "a" | "b" | "stdinA" | "stdinB"> {
  /** The first command line, word by word. */
  a?: readonly string[] | undefined;
  /** The second. */
  b?: readonly string[] | undefined;
  /** Standard input of the first run. */
  stdinA?: Stdin | undefined;
  /** Of the second. */
  stdinB?: Stdin | undefined;
}

/** The program by its file (`program`) or a command line; or a `core` file. */
export interface CrashOptions extends RunOptions, Omit<CommandArguments["crash"], Plain> {}

/** A process that hangs (`pid`), or a command line and `after` how many seconds to look at it. */
export interface HangOptions extends RunOptions, Omit<CommandArguments["hang"], Plain> {}

/** The test runner's command line is `command`. */
export interface TestOptions
  extends Omit<RunOptions, "stdin">,
    Omit<CommandArguments["test"], Plain | "runner"> {}
