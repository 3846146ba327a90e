/**
 * What an adapter is: data about a debugger (which programs it takes, where it is found, how it is installed) plus `open`, which
 * starts it and says what to send. Where it differs from plain DAP its own file corrects that (kit/dialect.ts), so that the
 * session layer only ever sees DAP; nothing outside this folder asks for an adapter by name.
 */
import type { Told } from "../advice/advice.ts";
import type { Transport } from "../dap/transport.ts";
import type { PathMap } from "../util/path-map.ts";
import type { ConfigurationKind } from "./configuration.ts";
import type { Language } from "./language.ts";
import type { Recipe } from "./recipe.ts";
import type { Waits } from "./thread-waits.ts";

export type { BlockingCall, ThreadWait, Waits } from "./thread-waits.ts";

/** What the user asked to run, before any adapter's own vocabulary. Paths are absolute. */
export interface LaunchPlan {
  /** The program file, when there is one (`start app.js`). */
  program?: string;
  args: string[];
  /** A whole command line (`start -- npm run dev`); then `program` is unset. */
  command?: string[];
  cwd: string;
  /** The program's whole environment. */
  env: Record<string, string>;
  stopOnEntry: boolean;
  /** `--arg-json`: merged over the adapter's own launch arguments. */
  extra: Record<string, unknown>;
  /** Where sources are that were elsewhere when the program was built. */
  pathMap?: PathMap;
}

export interface AttachPlan {
  pid?: number;
  host?: string;
  port?: number;
  /** A core file, and the program that left it. */
  core?: string;
  program?: string;
  cwd: string;
  /** The caller's. */
  env: Record<string, string>;
  extra: Record<string, unknown>;
  pathMap?: PathMap;
}

/** What a session begins with. */
export type Opening = { request: "launch"; plan: LaunchPlan } | { request: "attach"; plan: AttachPlan };

/** …and what an adapter is opened for: that, or a child it has announced by `startDebugging`. */
export type Task =
  | Opening
  | { request: "child"; start: "launch" | "attach"; configuration: Record<string, unknown>; parent: Opening };

/** Where to look for things: the caller's environment and folder, not the daemon's. */
export interface Where {
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Sonde's own folder of adapters it installed. */
  adapters: string;
  /** The program, if known: a project's own tools are found upward from it. */
  program?: string;
  /** `[adapters.<name>]` of the configuration. */
  settings?: AdapterSettings;
}

export interface AdapterSettings {
  command?: string;
  args?: string[];
  /** The user has allowed a port that others of the machine can use. */
  openPort?: boolean;
}

export interface FoundAdapter {
  ok: true;
  version: string;
  path: string;
  /** What else it needs, and whether that is there: shown by `doctor`. */
  notes?: string[];
}

export type Found = FoundAdapter | { ok: false; reason: string };

/** The program's standard input, by whatever route this adapter offers. */
export interface StdinRoute {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** What a process is to the session: the user's program may be left running, our tools never are. */
export type Role = "program" | "adapter";

/** Processes a connection starts are registered here, so that they end with the session, whatever happens. */
export interface ProcessRegistry {
  /** Gives the pid it has here, which may differ from the reported one; undefined if it is not a process of this launch. */
  own(pid: number, what: string, role?: Role): number | undefined;
  release(pid: number): void;
}

/** What an adapter is given when it is opened. */
export interface Host {
  found: FoundAdapter;
  where: Where;
  processes: ProcessRegistry;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  log(message: string): void;
  /** Words of a tool that ran before the program (a compiler), for the reader. */
  say(text: string): void;
}

export interface Connection {
  transport: Transport;
  /** The request to open with, and its arguments. */
  request: "launch" | "attach";
  args: Record<string, unknown>;
  /** Made once the DAP client exists: some routes are custom requests. */
  stdin?(request: (command: string, args: unknown) => Promise<unknown>): StdinRoute;
  /** Sends at once, as `output` events, what the program has printed so far, even what it still holds back. */
  gather?(pid: number): void;
  /** Why a program that was attached to ends with the session nevertheless; undefined if it goes on. */
  endsWithIt?(): Promise<string | undefined>;
  /** What was started compiles and more before it starts the program: how long the program may take to be there. */
  launchMs?: number;
}

/** An address that something of a session listens on. */
export interface Listening {
  /** `a Unix socket`, `127.0.0.1, any free port` */
  where: string;
  /** Who holds it, and for how long. */
  holder: string;
  /** What keeps another user's process from using it. */
  stops: string;
}

export interface Adapter {
  name: string;
  title: string;
  /** Other names that people know it by, for `--adapter` and the configuration. */
  alsoCalled?: readonly string[];
  /** Where another process could reach it, or us in its place, while a session lives; empty: nowhere. Shown in docs/adapters.md. */
  listens: readonly Listening[];
  /** Also what `setup` is called with. */
  languages: string[];
  /** Descriptions of those languages that no adapter before it in the registry describes. */
  describes?: readonly Language[];
  /** Extensions, with the dot, of files that it runs directly. */
  fileTypes: string[];
  /** First words of a command line this adapter can debug: `node`, `npm`. */
  commands: string[];
  /** Whether it debugs this executable file (machine code: ELF, Mach-O, PE). */
  executables?(path: string): boolean;
  /** Source files that must be compiled first, by extension. */
  builds?: Record<string, Build>;
  /** Common names for `catch` → this adapter's exception filters. */
  catches: Record<string, string[]>;
  /** Configurations of a launch.json that it takes. */
  configurations?: readonly ConfigurationKind[];
  /** Commands of the system that it uses for some things, checked by `doctor` where the language is in use. */
  helpers?: readonly Helper[];
  /** The folder in skills/ about it, and commands that its reference lists besides those of every language. */
  skill?: { folder: string; title: string; commands: readonly string[] };
  /** Exception filters that are on unless the user says otherwise. */
  defaultCatches: string[];
  /** Why a missing capability is missing, and what to use instead; keyed by DAP capability name, or `pause`. */
  unsupported: Record<string, { reason: string; instead: Told }>;
  /** Whether a crash with this message, in these library functions, is caused by a heap that was damaged earlier. */
  heapDamage?(above: readonly string[], message: string): boolean;
  /** What to do in a session about an exception with this message. */
  advise?(message: string): Told | undefined;
  /** An expression for a field of a value, where opening the value would run the program's code; this one runs none of it. */
  fieldExpression?(owner: string, name: string): string;
  /**
   * What of a stopped program it tells without running any of its code: paths of names and places (`by-type`: where their types are
   * pointers and arrays), and how an expression may go on. Left out: a bare word or a field may be a call.
   */
  runsNothing?: { readonly paths?: "all" | "by-type"; readonly completions?: true };
  /** First words of its own commands, which people give as expressions: `frame variable x`. */
  consoleWords?: readonly string[];
  /** Ways to record a run that fit it, best first, by the names in trace/collectors; plain stops are always the last. */
  collectors?: readonly string[];
  /** The first of them is fast enough to record every line of a test. */
  recordsAll?: true;
  /** It pays for a line whether that is recorded or passed by: calls inside a function are recorded to any depth. */
  recordsDeep?: true;
  /** The package that a source file belongs to, if any. */
  packageOf?(path: string): Package | undefined | Promise<Package | undefined>;
  /** Environment variables that make runs of a program comparable (no random order), where the user has not set them. */
  steadyEnv?: Readonly<Record<string, string>>;
  /** How its programs are profiled, by the names in diagnostics/profile; left out where there is no honest way. */
  sampler?: "v8" | "python" | "native" | "go";
  /** How to recognise a thread that waits, and what it waits for. */
  waits?: Waits;
  /** Requests of our own that it answers besides DAP's. */
  custom: readonly string[];
  /** Ways to install it, best first. None: it comes with Sonde, or only by hand. */
  recipes: readonly Recipe[];
  /** How to get it where no recipe works. */
  byHand: Told;
  /** A program to try it with, after an installation. None: only that it answers is tried. */
  sample?: Sample;
  /** Cheap when nothing changed since it was last asked. */
  find(where: Where): Promise<Found>;
  /** Whether it could debug this running process (for `attach <pid>` without `--adapter`). */
  claims?(pid: number): boolean;
  /** It attaches to a process by other means than ptrace, which the kernel may forbid. */
  attachesWithoutPtrace?: true;
  /** Whether a file that is not on this machine is one that the program was compiled from. */
  hasSource?(opening: Opening, path: string): boolean;
  /** It passes a plan's `pathMap` to its debugger itself; for others, paths are rewritten in the messages. */
  mapsPaths?: true;
  /** Opens a connection to a fresh adapter; also called for each child session. */
  open(task: Task, host: Host): Promise<Connection>;
}

/** Code that was installed, or is kept beside the project. */
export interface Package {
  name: string;
  /** Where all of it is: a folder, or its only file. */
  folder: string;
  version?: string;
}

/** How a source file becomes something to debug. */
export interface Build {
  /** The compiler's command line; `program` is the file, `output` where the executable goes. */
  command(program: string, output: string): string[];
  /** What is run afterwards: the executable (default), or the source file's name with the output as a folder of classes. */
  runs?(program: string, output: string): { program?: string; command?: string[] };
}

export interface Helper {
  /** Also the name of the system's package. */
  command: string;
  /** `attach to a running Python` */
  use: string;
  /** The command that needs it, as typed. */
  needing: Told;
}

export interface Sample {
  file: string;
  text: string;
  /** A line it must stop at. */
  line: number;
  /** …with this variable having this value there. */
  shows: { name: string; value: string };
}
