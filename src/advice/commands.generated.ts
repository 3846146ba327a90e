/** Generated from the command declarations (`npm run generate`): what every command takes. */
// biome-ignore-all format: generated

/** Of `start`: start a program, set the given breakpoints and run to the first stop. */
export interface StartArguments {
  /** the program file or project folder; or give a whole command line after -- */
  program?: string | undefined;
  /** with a program: its arguments; without: the whole command line, -- npm run dev */
  args?: string[] | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint before the program runs: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** name of the session (default: the program's name) */
  name?: string | undefined;
  /** stop when this function is called */
  functionBreak?: string[] | undefined;
  /** stop on these exceptions: uncaught (default), all or none */
  catch?: string[] | undefined;
  /** extra arguments for the adapter's launch or attach request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: kept open; `input` writes to it) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** stop on the first line */
  stopOnEntry?: boolean | undefined;
  /** if the program is a source file (main.c), compile it first, into a temporary folder */
  build?: boolean | undefined;
  /** open this core file instead of running; the program is optional */
  core?: string | undefined;
  /** start this configuration of .vscode/launch.json (`sonde configs` lists them) */
  config?: string | undefined;
  /** with --config: the value of ${file} */
  file?: string | undefined;
  /** with --config: run its preLaunchTask first */
  runTasks?: boolean | undefined;
}

/** Of `attach`: attach to a running process, or to a debug server that listens on a port. */
export interface AttachArguments {
  /** process id */
  pid?: number | undefined;
  /** [host:]port of a listening debug server */
  port?: string | undefined;
  /** run this command once the breakpoints are set, and wait until the program stops or the command ends */
  run?: string | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** name of the session (default: the program's name) */
  name?: string | undefined;
  /** stop when this function is called */
  functionBreak?: string[] | undefined;
  /** stop on these exceptions: uncaught (default), all or none */
  catch?: string[] | undefined;
  /** extra arguments for the adapter's launch or attach request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
}

/** Of `configs`: list the configurations in .vscode/launch.json, for `start --config`. */
export type ConfigsArguments = Record<string, never>;

/** Of `detach`: end the session and leave the program running. */
export type DetachArguments = Record<string, never>;

/** Of `stop`: end the session and everything started for it; an attached program keeps running. */
export interface StopArguments {
  /** every session */
  all?: boolean | undefined;
}

/** Of `restart`: run the program again from the start, same arguments and breakpoints. */
export interface RestartArguments {
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `await`: wait for the next stop, or for the program to end. */
export interface AwaitArguments {
  /** seconds to wait before the answer is "still running" (default 300) */
  timeout?: number | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `status`: show the daemon (pid, version, memory) and its sessions. */
export type StatusArguments = Record<string, never>;

/** Of `sessions`: list all sessions, the most recently used first. */
export type SessionsArguments = Record<string, never>;

/** Of `changes`: list what changed in sessions since a given change (--since <number>); with --follow, print each new change as a line of JSON. */
export interface ChangesArguments {
  /** only changes after this number; every answer ends with the current one */
  since?: number | undefined;
  /** keep printing until you interrupt it; the first line has the current number */
  follow?: boolean | undefined;
  /** only these */
  kind?: ("added" | "removed" | "running" | "stopped" | "ended" | "breakpoints" | "output" | "notes" | "owner" | "transcript")[] | undefined;
}

/** Of `handover ask`: ask the person who has taken over the session to give it back, and wait. */
export interface HandoverAskArguments {
  /** what you need it for; shown on the page */
  why?: string | undefined;
  /** seconds to wait for it */
  timeout?: number | undefined;
}

/** Of `handover give`: give the session back to the agent; the answer to its next command says what changed. */
export interface HandoverGiveArguments {
  /** what the agent should know */
  why?: string | undefined;
}

/** Of `handover take`: take control of the session: on the page (`sonde ui`), from the agent; on the command line, back from the page if nobody has it open. */
export type HandoverTakeArguments = Record<string, never>;

/** Of `transcript`: show who did what in the session: on the command line, by a tool call, by a program, or on the page. */
export interface TranscriptArguments {
  /** only what came after this number */
  since?: number | undefined;
  /** the last of them */
  tail?: number | undefined;
}

/** Of `breakpoint add`: set a breakpoint at a line or function, optionally with a condition, hit count or log message. */
export interface BreakpointAddArguments {
  /** file:line[:column][ if expr], a line of the current file, or a function's name */
  location?: string | undefined;
  /** stop only when this expression is true */
  condition?: string | undefined;
  /** stop only at this hit: 5, >=5, %3 (every third) */
  hitCount?: string | undefined;
  /** do not stop: print this message, with each {expr} filled in */
  log?: string | undefined;
  /** stop when this function is called */
  function?: string | undefined;
  /** remove it after the first stop */
  once?: boolean | undefined;
  /** replace the breakpoint at that location; keep the old one if the new one cannot be set */
  replace?: boolean | undefined;
  /** the line that contains this code (location is then the file) */
  text?: string | undefined;
  /** stop at an instruction: an address or a function, optionally + a number of bytes, or $pc */
  address?: string | undefined;
}

/** Of `breakpoint list`: list breakpoints with their locations, states and hits. */
export type BreakpointListArguments = Record<string, never>;

/** Of `breakpoint remove`: remove breakpoints by number or location, or all. */
export interface BreakpointRemoveArguments {
  /** breakpoint numbers */
  ids?: number[] | undefined;
  /** every breakpoint */
  all?: boolean | undefined;
  /** those at this location: file:line, or a line of the current file */
  at?: string | undefined;
  /** the one on this function */
  function?: string | undefined;
  /** the one at this instruction */
  address?: string | undefined;
}

/** Of `breakpoint enable`: enable breakpoints that were disabled. */
export interface BreakpointEnableArguments {
  /** breakpoint numbers */
  ids?: number[] | undefined;
  /** every breakpoint */
  all?: boolean | undefined;
}

/** Of `breakpoint disable`: keep breakpoints but do not stop at them. */
export interface BreakpointDisableArguments {
  /** breakpoint numbers */
  ids?: number[] | undefined;
  /** every breakpoint */
  all?: boolean | undefined;
}

/** Of `catch`: stop on exceptions: uncaught (on by default), all, or one of the adapter's own filters. */
export interface CatchArguments {
  /** uncaught, all, none, or a name from `catch list`; separate several with commas */
  filter: string;
  /** only exceptions of this type, or for which this expression is true */
  type?: string | undefined;
  /** replace all that are set; if this fails, they stay */
  replace?: boolean | undefined;
}

/** Of `catch list`: list which exceptions stop the program, and the available filters. */
export type CatchListArguments = Record<string, never>;

/** Of `catch remove`: remove an exception breakpoint, by its number. */
export interface CatchRemoveArguments {
  /** number from `catch list` */
  id: number;
}

/** Of `watch`: stop when a variable or other memory location is written (or read). */
export interface WatchArguments {
  /** a variable, or an expression for a memory location: p.x, list[3] */
  expression: string;
  /** stop on reads */
  read?: boolean | undefined;
  /** stop on reads and writes */
  access?: boolean | undefined;
  /** stop only when this expression is true */
  condition?: string | undefined;
  /** stop only at this hit: 5, >=5, %3 (every third) */
  hitCount?: string | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `watch info`: show whether a variable can be watched, and for which kinds of access, without setting a watch. */
export interface WatchInfoArguments {
  /** a variable, or an expression for a memory location: p.x, list[3] */
  expression: string;
  /** only a variable of this scope, given by its handle (see `scopes`) */
  scope?: string | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `watch list`: list watches with their values, states and hits. */
export type WatchListArguments = Record<string, never>;

/** Of `watch remove`: remove watches by number or expression, or all. */
export interface WatchRemoveArguments {
  /** numbers from `watch list` */
  ids?: number[] | undefined;
  /** the watch on this expression; if there are several, the one on the variable it refers to in this frame */
  expression?: string | undefined;
  /** if there are several, the one for this kind of access */
  access?: "write" | "read" | "readWrite" | undefined;
  /** every watch */
  all?: boolean | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `continue`: run to the next stop or the end; if the program is already running, only wait. */
export interface ContinueArguments {
  /** only the current thread, if the adapter supports it */
  thread?: boolean | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `next`: run to the next line, stepping over calls. */
export interface NextArguments {
  /** how many steps */
  count?: number | undefined;
  /** step by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `step`: run to the next line, stepping into calls. */
export interface StepArguments {
  /** which call on the line to enter, by function name */
  into?: string | undefined;
  /** how many steps */
  count?: number | undefined;
  /** step by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `finish`: run until the current function returns. */
export interface FinishArguments {
  /** how many steps */
  count?: number | undefined;
  /** step by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `until`: run to a location; other breakpoints still stop the program. */
export interface UntilArguments {
  /** file:line, or a line of the current file */
  location: string;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `pause`: stop the running program where it is, with its workers and child processes. */
export interface PauseArguments {
  /** only this thread, by its number in `threads` */
  thread?: number | undefined;
  /** seconds to wait for it to stop (default 5) */
  timeout?: number | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `restart-frame`: go back to the start of a function on the stack and stop there. */
export interface RestartFrameArguments {
  /** frame number from the stack */
  frame?: number | undefined;
  /** seconds to wait for a stop before the answer is "still running" (default 30) */
  timeout?: number | undefined;
  /** answer at once, without waiting for a stop */
  noWait?: boolean | undefined;
  /** set a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `context`: show the stop again: location, source, values, stack. */
export interface ContextArguments {
  /** source lines before and after */
  context?: number | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `why`: show why the program stopped here: the breakpoint, its condition's values, earlier hits, who set it. */
export type WhyArguments = Record<string, never>;

/** Of `source`: show the source around a location (default: where the program is stopped). */
export interface SourceArguments {
  /** file:line, a line of the current file, or a function's name */
  location?: string | undefined;
  /** lines before and after */
  context?: number | undefined;
  /** the whole function around it */
  function?: boolean | undefined;
}

/** Of `backtrace`: show the stack: your frames; --all adds library frames, --locals adds values. */
export interface BacktraceArguments {
  /** with each frame's values */
  locals?: boolean | undefined;
  /** the most frames to show */
  limit?: number | undefined;
  /** library and runtime frames too */
  all?: boolean | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `frame`: select the frame that print, locals and eval use; without a number, show it. */
export interface FrameArguments {
  /** frame number, 0 is innermost */
  number?: number | undefined;
}

/** Of `up`: go to the caller's frame. */
export type UpArguments = Record<string, never>;

/** Of `down`: go to the called frame. */
export type DownArguments = Record<string, never>;

/** Of `locals`: show all variables of the current frame, by scope. */
export interface LocalsArguments {
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `args`: show the arguments of the current function. */
export interface ArgsArguments {
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `scopes`: list the scopes of the current frame, with handles. */
export interface ScopesArguments {
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `variables`: show the parts of a value, by its handle. */
export interface VariablesArguments {
  /** a handle such as @v7, shown after a value */
  handle: string;
  /** first element */
  start?: number | undefined;
  /** how many, up to 1000 */
  count?: number | undefined;
}

/** Of `print`: show the value of an expression; assignments are refused, function calls are run (JavaScript: only those without side effects; Go: never). */
export interface PrintArguments {
  /** in the program's language */
  expression: string;
  /** show its type, without its parts */
  type?: boolean | undefined;
  /** for integers and addresses */
  format?: "hex" | "binary" | "octal" | "address" | "char" | undefined;
  /** levels of parts to show (default: one, if one line does not show it all) */
  depth?: number | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `eval`: run an expression in the program, with its side effects; works on a running program if the adapter supports it. */
export interface EvalArguments {
  /** in the program's language */
  expression: string;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `set`: change a variable, property or element. */
export interface SetArguments {
  /** a variable, or an expression that can be assigned to */
  target: string;
  /** an expression in the program's language */
  value?: string | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `threads`: list threads, workers and child processes, and where they are. */
export type ThreadsArguments = Record<string, never>;

/** Of `thread`: select the thread that other commands use; without a number, show it. */
export interface ThreadArguments {
  /** number from `threads` */
  number?: number | undefined;
}

/** Of `memory read`: show the bytes at an address or of a variable. */
export interface MemoryReadArguments {
  /** an address, &variable, a pointer or a variable, optionally + a number of bytes */
  address: string;
  /** how many bytes */
  count?: number | undefined;
  /** a dump, numbers (i32: signed, 32 bits) or text */
  format?: "hex" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "text" | undefined;
}

/** Of `memory write`: write bytes to an address or a variable, and show the result. */
export interface MemoryWriteArguments {
  /** an address, &variable, a pointer or a variable, optionally + a number of bytes */
  address: string;
  /** hex digits: 01ff, or 01 ff */
  bytes: string;
  /** write as many of them as possible */
  partial?: boolean | undefined;
}

/** Of `registers`: show the processor's general-purpose registers, or those you name. */
export interface RegistersArguments {
  /** only these registers, or groups of them */
  names?: string[] | undefined;
  /** also parts of registers, floating point and vectors */
  all?: boolean | undefined;
  /** use this frame, for this command only (0 is innermost) */
  frame?: number | undefined;
  /** use this thread, for this command only (see `threads`) */
  thread?: number | undefined;
}

/** Of `disassemble`: show the machine instructions of the current function, or from an address on. */
export interface DisassembleArguments {
  /** where: an address, a function, $pc (default: here) */
  address?: string | undefined;
  /** how many instructions (default: the whole function, or 16 if its bounds are not known) */
  count?: number | undefined;
  /** start this many instructions later (-4: earlier) */
  offset?: number | undefined;
  /** show the source lines too */
  source?: boolean | undefined;
  /** leave out the names of functions */
  noSymbols?: boolean | undefined;
}

/** Of `output`: show what the program printed; the order is exact within stdout and within stderr, approximate between them. */
export interface OutputArguments {
  /** print new output as it comes, until the program stops or ends */
  follow?: boolean | undefined;
  /** the last lines */
  tail?: number | undefined;
  /** the first lines instead */
  head?: number | undefined;
  /** discard it afterwards */
  clear?: boolean | undefined;
  /** only what came after this cursor, which an earlier answer gave */
  since?: number | undefined;
  /** only these streams */
  category?: ("stdout" | "stderr" | "console")[] | undefined;
  /** in the pieces in which it arrived; a piece may be several lines, or part of one */
  pieces?: boolean | undefined;
  /** only lines that match this regular expression */
  grep?: string | undefined;
}

/** Of `input`: write a line to the program's standard input. */
export interface InputArguments {
  /** one line of text */
  text?: string | undefined;
  /** the bytes of this file; - for your standard input */
  file?: string | undefined;
  /** close standard input (after the text, if any) */
  eof?: boolean | undefined;
}

/** Of `sources`: list the source files the program has loaded. */
export interface SourcesArguments {
  /** only paths that contain this */
  grep?: string | undefined;
}

/** Of `modules`: list the libraries and modules the program has loaded. */
export interface ModulesArguments {
  /** first one */
  start?: number | undefined;
  /** how many (default: all) */
  count?: number | undefined;
}

/** Of `raw`: run a command of the underlying debugger (gdb, LLDB …). */
export interface RawArguments {
  /** passed to the debugger unchanged */
  command: string;
}

/** Of `request`: send any Debug Adapter Protocol request, unchanged. */
export interface RequestArguments {
  /** the request's name */
  command: string;
  /** its arguments, as JSON */
  arguments?: Record<string, unknown> | undefined;
}

/** Of `capabilities`: list what the adapter says it can do. */
export type CapabilitiesArguments = Record<string, never>;

/** Of `complete`: list names that can complete an expression. */
export interface CompleteArguments {
  /** the expression so far: `user.na` */
  text: string;
}

/** Of `reload`: load a file's new text into the running program (live edit), if the adapter supports it. */
export interface ReloadArguments {
  /** a source file the program has loaded */
  file: string;
}

/** Of `probe`: run to a location, show the stop and the expressions you ask for, then end the program. */
export interface ProbeArguments {
  /** file:line, or 'file:line if <expression>' */
  locations?: string[] | undefined;
  /** show this expression there */
  eval?: string[] | undefined;
  /** stop the Nth time it is reached */
  hits?: number | undefined;
  /** stop where this function is called */
  function?: string[] | undefined;
  /** stop at an uncaught exception */
  exception?: boolean | undefined;
  /** stop only when this expression is true */
  condition?: string | undefined;
  /** end the program after this many seconds (default 30) */
  timeout?: number | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `trace`: run a program to its end and record values at every hit of a line, or whole calls of a function. */
export interface TraceArguments {
  /** record each time this line is about to run: file:line[=expr,expr][ if cond] */
  at?: (string | {
    /** file:line */
    location: string;
    watch?: string[] | undefined;
    condition?: string | undefined;
  })[] | undefined;
  /** an expression to record at the preceding --at; if it comes before the first --at, at all of them */
  watch?: string[] | undefined;
  /** at the preceding --at, record only hits where this is true (not with --function) */
  condition?: string[] | undefined;
  /** record whole calls of this function (Cart.total, #private): arguments, each line with what it changed, result; not with --at */
  function?: string[] | undefined;
  /** with --function: also record the calls it makes, this many levels deep (default 0) */
  depth?: number | undefined;
  /** with --function: also record the code of this installed package (node_modules, site-packages) */
  package?: string[] | undefined;
  /** stack frames to record at each hit (default 3) */
  frames?: number | undefined;
  /** keep at most this many hits, half of them the first and half the last (default 20000) */
  maxHits?: number | undefined;
  /** end the run after this many seconds (default 300) */
  maxSeconds?: number | undefined;
  /** give up if nothing is hit within this many seconds (default 30) */
  firstSeconds?: number | undefined;
  /** end the run if nothing more is hit for this many seconds (default 30) */
  exitSeconds?: number | undefined;
  /** how to record (default: the fastest way that works; docs/traces.md describes each): node-source, node-condition, python-source, python-condition, perf, delve, java, gdb, lldb, stops */
  collector?: string | undefined;
  /** list which of your functions ran (Python, Node), how often, who called them, and their share of the time */
  calls?: boolean | undefined;
  /** record a running process for --max-seconds (default here 10, or 30 with --run), and leave it running */
  pid?: number | undefined;
  /** show the hits of all locations, threads and processes in one list, in the order they happened */
  timeline?: boolean | undefined;
  /** with --pid: run this command while recording, and stop recording when it ends: 'curl -s localhost:3000/cart' */
  run?: string | undefined;
  /** end the recording after this many hits (with --function: calls), and the program too if Sonde started it */
  hits?: number | undefined;
  /** report the number of hits while it runs */
  follow?: boolean | undefined;
  /** print only the values and stacks at each location, as JSON for other tools: {"watchpoints": …, "breakpoints": …} (docs/runtime-feedback.schema.json; with --json: `data.feedback`) */
  feedback?: boolean | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `trace list`: list the saved traces, newest first. */
export type TraceListArguments = Record<string, never>;

/** Of `trace show`: show a saved trace or a part of it, or write it to a file for other tools. */
export interface TraceShowArguments {
  /** which trace (default: the newest) */
  id?: string | undefined;
  /** only this location */
  at?: string[] | undefined;
  /** only this expression */
  watch?: string[] | undefined;
  /** only these hits of a location, or calls of a function: 7, 3..9, 100.. */
  hits?: string | undefined;
  /** only hits where this is true: 'sum < 0 && i > 3', 'name =~ ^a' */
  where?: string | undefined;
  /** only hits where a value differs from the hit before */
  changes?: boolean | undefined;
  /** only the first N */
  first?: number | undefined;
  /** only the last N */
  last?: number | undefined;
  /** show the hits of all locations, threads and processes in one list, in the order they happened */
  timeline?: boolean | undefined;
  /** every row that fits into one answer */
  all?: boolean | undefined;
  /** only the values and stacks, as JSON for other tools: {"watchpoints": …, "breakpoints": …} */
  feedback?: boolean | undefined;
  /** a format for other tools; needs --to */
  format?: "json" | "jsonl" | "csv" | undefined;
  /** write it to this file */
  to?: string | undefined;
}

/** Of `trace columns`: print part of a saved trace, for plots and long tables: the minimum and maximum of each value by parts of the run, or a range of rows. */
export interface TraceColumnsArguments {
  /** which trace (default: the newest) */
  id?: string | undefined;
  /** which location (default: the first) */
  at?: string | undefined;
  /** the first hit to read, of those that were kept, counted from 0 */
  from?: number | undefined;
  /** read up to this hit, not including it */
  to?: number | undefined;
  /** divide the hits into at most this many parts, and give the minimum and maximum of each */
  buckets?: number | undefined;
  /** how many hits to show one by one */
  rows?: number | undefined;
  /** only hits where this is true */
  where?: string | undefined;
}

/** Of `trace rm`: remove a saved trace. */
export interface TraceRmArguments {
  /** which trace */
  id?: string | undefined;
  /** all of them; without --yes, only list them */
  all?: boolean | undefined;
  /** with --all: remove them */
  yes?: boolean | undefined;
}

/** Of `diff`: compare two runs (two commands, inputs, versions or saved traces) and show where they first differ; without --at or --function, every line of your code is compared. */
export interface DiffArguments {
  /** two saved traces to compare */
  traces?: string[] | undefined;
  /** command line of run A, as one quoted argument: --a 'python old.py' */
  a?: string[] | undefined;
  /** command line of run B */
  b?: string[] | undefined;
  /** file for A's standard input */
  stdinA?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** file for B's standard input */
  stdinB?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** run the command this many times, up to 100, and compare a run that passes (exit status 0) with one that fails */
  flaky?: number | undefined;
  /** record each time this line is about to run: file:line[=expr,expr][ if cond] */
  at?: (string | {
    /** file:line */
    location: string;
    watch?: string[] | undefined;
    condition?: string | undefined;
  })[] | undefined;
  /** an expression to record at the preceding --at; if it comes before the first --at, at all of them */
  watch?: string[] | undefined;
  /** at the preceding --at, record only hits where this is true (not with --function) */
  condition?: string[] | undefined;
  /** record whole calls of this function (Cart.total, #private): arguments, each line with what it changed, result; not with --at */
  function?: string[] | undefined;
  /** with --function: also record the calls it makes, this many levels deep (default 0) */
  depth?: number | undefined;
  /** also record the code of this installed package (node_modules, site-packages), even if it is the same in both runs */
  package?: string[] | undefined;
  /** stack frames to record at each hit (default 3) */
  frames?: number | undefined;
  /** keep at most this many hits of each run, half of them the first and half the last (default 20000; 60000 without --at and --function) */
  maxHits?: number | undefined;
  /** time limit in seconds for all runs in total (default 300) */
  maxSeconds?: number | undefined;
  /** give up if nothing is hit within this many seconds (default 30) */
  firstSeconds?: number | undefined;
  /** end the run if nothing more is hit for this many seconds (default 30) */
  exitSeconds?: number | undefined;
  /** how to record (default: the fastest way that works; docs/traces.md describes each): node-source, node-condition, python-source, python-condition, perf, delve, java, gdb, lldb, stops */
  collector?: string | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `test`: run the tests, then run the first failing test again under the debugger: show where it fails, and the values in each of your frames. */
export interface TestArguments {
  /** the test command if it has no options (pytest, npm test); otherwise give it after -- */
  runner?: string[] | undefined;
  /** the test command: -- pytest tests/test_cart.py -k discount */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
  /** debug this failing test: its name or part of it (default: the first) */
  name?: string | undefined;
  /** list, without values, more lines that may have caused the failure: those the normal answer leaves out to stay short */
  further?: boolean | undefined;
  /** time limit in seconds for each run: of all the tests, and of the failing test under the debugger (default 120) */
  timeout?: number | undefined;
}

/** Of `crash`: run a program until it crashes (or read a core file) and show the cause, every frame with its values, and all threads. */
export interface CrashArguments {
  /** the program file; or give a whole command line after -- */
  program?: string | undefined;
  /** read this core file instead; the program is optional */
  core?: string | undefined;
  /** end the program after this many seconds (default 30) */
  timeout?: number | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `hang`: show why a program hangs: sample all stacks and report what runs and what waits for what. */
export interface HangArguments {
  /** a program file to start; a number is taken as a process id; or give a whole command line after -- */
  program?: string | undefined;
  /** id of a running process; it is left running */
  pid?: number | undefined;
  /** seconds to let the program run before the first sample */
  after?: number | undefined;
  /** number of samples */
  samples?: number | undefined;
  /** seconds between samples */
  interval?: number | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `adapters`: list the debug adapters, and whether they are installed. */
export type AdaptersArguments = Record<string, never>;

/** Of `setup`: install the debugger for a language into Sonde's own folder, and test it. */
export interface SetupArguments {
  /** languages or adapters: python, go, c … */
  names?: string[] | undefined;
  /** every adapter that can be installed on this machine */
  all?: boolean | undefined;
  /** install it even if there is one already */
  reinstall?: boolean | undefined;
}

/** Of `doctor`: check what works on this machine, what does not, and how to fix it. */
export interface DoctorArguments {
  /** also debug a sample program with every adapter (slow) */
  verify?: boolean | undefined;
}

/** Of `config`: show every setting in effect, and the file to change it in. */
export type ConfigArguments = Record<string, never>;

/** Of `agent run`: run an agent (claude, codex, or any other that lets you set the base URL of its model API) so that you can hold its calls, inspect them and change them. */
export interface AgentRunArguments {
  /** the agent's command line */
  args?: string[] | undefined;
  /** a name for the run, for use with -s */
  name?: string | undefined;
  /** set a breakpoint before the agent starts: tool=Bash, 'pattern=rm -rf', iteration=20, error … */
  break?: string[] | undefined;
  /** hold it before its first call to the model */
  paused?: boolean | undefined;
  /** the agent (claude, codex), or the API that it speaks (anthropic, openai) (default: recognised by its command) */
  client?: "claude" | "codex" | "anthropic" | "openai" | undefined;
  /** the provider's base URL (default: the one that the agent would use) */
  upstream?: string | undefined;
  /** the longest time to hold a call, in seconds (default: no limit) */
  maxHold?: number | undefined;
  /** with --max-hold: what happens to the call after that time: it goes on (the default) or fails */
  onMaxHold?: "release" | "fail" | undefined;
  /** do not add hooks to Claude Code; Sonde uses them to hold and cancel tool calls, and without them a cancelled call may end the turn */
  noHooks?: boolean | undefined;
  /** print every environment variable and argument that Sonde changes for the agent */
  verbose?: boolean | undefined;
  /** also send the run to this OpenTelemetry collector as it happens */
  otlp?: string | undefined;
  /** print nothing about the run before the agent starts */
  quiet?: boolean | undefined;
  /** record the run in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent sessions`: list the agents that run under Sonde, the newest first. */
export interface AgentSessionsArguments {
  /** also those that have ended */
  all?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent wait`: wait until one of the agent's calls is held, or its run ends. */
export interface AgentWaitArguments {
  /** how many seconds to wait at most (default 300) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent status`: show the calls that are held right now, in full: why, where, the tool and its input, and what you can do. */
export interface AgentStatusArguments {
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break add`: set a breakpoint that holds the agent: before a tool runs, at an iteration (a call to the model), after an error …. */
export interface AgentBreakAddArguments {
  /** what to hold the agent at */
  on: "tool" | "iteration" | "pattern" | "error" | "stop_reason" | "repeat" | "tokens" | "cost" | "subagent" | "compaction";
  /** tool: a name, with * and ?; pattern: a regular expression on a tool's input; iteration, repeat, tokens, cost: a number; stop_reason: a name */
  value?: string | undefined;
  /** iteration: counted in the turn, or in the session */
  of?: "turn" | "session" | undefined;
  /** ignore this many hits first */
  ignore?: number | undefined;
  /** only the first time */
  once?: boolean | undefined;
  /** only record it, never hold */
  log?: boolean | undefined;
  /** pattern: ignore case */
  ignoreCase?: boolean | undefined;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** then wait until something is held, and show it */
  wait?: boolean | undefined;
  /** with --wait: how many seconds at most (default 300) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break list`: list the breakpoints of a run, and how often each was hit. */
export interface AgentBreakListArguments {
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break clear`: remove a breakpoint of a run. */
export interface AgentBreakClearArguments {
  /** its number, as `agent break list` shows it */
  id: string;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break clear-all`: remove all breakpoints of a run. */
export interface AgentBreakClearAllArguments {
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break enable`: enable a breakpoint of a run that was disabled. */
export interface AgentBreakEnableArguments {
  /** its number, as `agent break list` shows it */
  id: string;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent break disable`: keep a breakpoint of a run, but do not stop at it. */
export interface AgentBreakDisableArguments {
  /** its number, as `agent break list` shows it */
  id: string;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent edit`: change a held tool call before it runs: field by field, or the whole input. */
export interface AgentEditArguments {
  /** fields and their new values: command='ls -la' */
  fields?: Record<string, string> | undefined;
  /** which held tool call: its id, or the stop's (default: the only one that is held) */
  tool?: string | undefined;
  /** the whole input instead, as JSON */
  input?: Record<string, unknown> | undefined;
  /** also set fields that the call does not have yet */
  add?: boolean | undefined;
  /** then let the agent continue */
  resume?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent cancel`: cancel a held tool call and tell the model why (Claude Code, library agents: as the tool's result; others: as text in place of the call, which may end the turn). */
export interface AgentCancelArguments {
  /** which held tool call: its id, or the stop's (default: the only one that is held) */
  tool?: string | undefined;
  /** the reason that the model gets */
  reason?: string | undefined;
  /** then wait until something is held, and show it */
  wait?: boolean | undefined;
  /** how many seconds to wait at most (default 30) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent resume`: let the agent continue: release the held calls, and hold nothing more until a breakpoint or a pause. */
export interface AgentResumeArguments {
  /** only the call held at this stop, such as s1 (default: all held calls) */
  stop?: string | undefined;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** then wait until something is held, and show it */
  wait?: boolean | undefined;
  /** how many seconds to wait at most (default 30) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent pause`: hold the agent before its next call to the model; the call waits until you let it go. */
export interface AgentPauseArguments {
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** then wait until something is held, and show it */
  wait?: boolean | undefined;
  /** how many seconds to wait at most (default 30) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent step`: let the agent do one iteration (a call to the model and the tools it asks for), or go to its next tool call or the end of its turn; then hold it again. */
export interface AgentStepArguments {
  /** to the next call to the model, the next tool call, or the end of the turn */
  kind?: "model" | "tool" | "turn" | undefined;
  /** only the call held at this stop, such as s1 (default: all held calls) */
  stop?: string | undefined;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** do not wait for the next stop */
  noWait?: boolean | undefined;
  /** how many seconds to wait at most (default 30) */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent inspect`: show the agent's conversation, its size, its tools, or a request: the one that is held, the last one sent, or any recorded one. */
export interface AgentInspectArguments {
  /** messages; context: size and tokens; tools; system: the system prompt; request: the whole body; diff: what is new since the request before it; stops: what is held */
  what?: "messages" | "context" | "tools" | "system" | "request" | "diff" | "stops" | "all" | undefined;
  /** this call to the model, from the recording (default: the held one, or the last) */
  call?: number | undefined;
  /** messages: how many, from the end (default 3) */
  last?: number | undefined;
  /** messages: each in full, not only its beginning */
  whole?: boolean | undefined;
  /** request: write the body to this file, as `agent edit-request --file` and `agent fork --body` take it */
  out?: string | undefined;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent inject`: add a message to the conversation; it is sent with the held call to the model, or with the next one. */
export interface AgentInjectArguments {
  /** who says it */
  role: "user" | "assistant" | "system";
  /** what is said */
  text: string;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent set`: change a setting of later calls to the model (model, max_tokens, temperature …), or a variable that the agent registered with Sonde's library. */
export interface AgentSetArguments {
  /** name of the setting or variable */
  key: string;
  /** its value: JSON or text; null undoes the change */
  value?: string | undefined;
  /** undo the change: send the agent's own value again */
  unset?: boolean | undefined;
  /** only this agent of the run: `main`, or the id of a sub-agent */
  agent?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent edit-request`: replace the whole body of a held call to the model. */
export interface AgentEditRequestArguments {
  /** a file with the body, as `agent inspect request --out` writes it or `--json` prints it; - for your standard input */
  file?: string | undefined;
  /** the body itself, as JSON */
  body?: Record<string, unknown> | undefined;
  /** which held call to the model (default: the only one) */
  stop?: string | undefined;
  /** then send it */
  resume?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent kill-call`: drop a held call to the model: it is not sent, and the agent gets your text as the answer, or an error. */
export interface AgentKillCallArguments {
  /** which held call to the model (default: the only one) */
  stop?: string | undefined;
  /** the answer that the agent gets instead (default: an error) */
  text?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent checkpoint`: save the conversation as it is now (only for an agent that uses Sonde's library). */
export interface AgentCheckpointArguments {
  /** a name for it */
  label?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent rewind`: put the conversation back to a checkpoint, before the next call; files stay as they are. */
export interface AgentRewindArguments {
  /** its id or its name */
  checkpoint: string;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent attach`: open a live view of a run in your terminal, with keys for pause, step, resume, edit. */
export interface AgentAttachArguments {
  /** which run (default: the only one that is alive) */
  source?: string | undefined;
  /** lines instead of a full screen */
  plain?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent watch`: show what the agent does as it happens, one line per event, until the run ends or you interrupt. */
export interface AgentWatchArguments {
  /** only these types of events, with commas: tool_call_start,tool_result; * stands for any text */
  filter?: string | undefined;
  /** also Sonde's own commands to the agent (command_executed, command_response) */
  all?: boolean | undefined;
  /** all that has happened, or what happens from now on */
  from?: "start" | "now" | undefined;
  /** how many seconds to watch at most */
  timeout?: number | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent explain`: explain a run on one screen: turns, calls, tokens, cost, cache misses and why, loops, slow tools, errors. */
export interface AgentExplainArguments {
  /** a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run) */
  source?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent transcript`: show the run as a conversation: what was said, which tools were called with what, and what they returned. */
export interface AgentTranscriptArguments {
  /** a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run) */
  source?: string | undefined;
  /** as Markdown */
  markdown?: boolean | undefined;
  /** all of it, however long (default: the end) */
  whole?: boolean | undefined;
  /** from this event (120) or time (90s, 1m30s) on */
  from?: string | undefined;
  /** up to this event or time */
  to?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent replay`: print a recorded run event by event; with --serve, answer an agent's calls from it, offline. */
export interface AgentReplayArguments {
  /** a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run) */
  source?: string | undefined;
  /** at the speed at which it happened */
  timed?: boolean | undefined;
  /** with --timed: 2x is twice as fast */
  speed?: string | undefined;
  /** from this event (120) or time (90s, 1m30s) on */
  from?: string | undefined;
  /** up to this event or time */
  to?: string | undefined;
  /** only the last events */
  last?: number | undefined;
  /** also Sonde's own commands to the agent (command_executed, command_response) */
  all?: boolean | undefined;
  /** act as the provider: answer an agent's calls as they were answered in the recording */
  serve?: boolean | undefined;
  /** with --serve: at this port (default: any) */
  port?: number | undefined;
  /** with --serve: text that may differ from the recording, as a regular expression */
  ignore?: string[] | undefined;
  /** with --serve: run this agent against the recording (default: only print the base URL) */
  args?: string[] | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent events`: count a run's events by type; with --json, list all of them as columns of numbers, for scripts; with --words, as one line of text each. */
export interface AgentEventsArguments {
  /** a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run) */
  source?: string | undefined;
  /** from this event on */
  from?: number | undefined;
  /** up to this event */
  to?: number | undefined;
  /** only the last N events */
  last?: number | undefined;
  /** a line of text for each event instead (2000 at most) */
  words?: boolean | undefined;
  /** print the columns as lines of JSON while the events are read, one line for each 10000 events */
  parts?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent event`: show one event of a run in full, with the long texts that are stored separately. */
export interface AgentEventArguments {
  /** its number */
  seq: number;
  /** a run (its id, the start or the last four characters of it, or its name), or a file of events (default: the newest run) */
  source?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent timeline`: list the traces and profiles recorded during an agent's run, and when in the run lines were hit and programs were busy. */
export interface AgentTimelineArguments {
  /** a session (id, its beginning, or name), or a file of events (default: the newest) */
  source?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent fork`: run the agent again from call N of a recorded run: earlier calls are answered from the recording, call N (with your change) and later ones by the provider. */
export interface AgentForkArguments {
  /** the recorded run: its id, the start or the last four characters of it, or its name */
  source: string;
  /** the first call that goes to the provider */
  at: number;
  /** the agent's command line */
  args?: string[] | undefined;
  /** replace what the user said last before that call */
  say?: string | undefined;
  /** add a user message at the end of that call */
  inject?: string | undefined;
  /** use another model, from that call on */
  model?: string | undefined;
  /** a file with the whole request to send as that call, as JSON */
  body?: string | undefined;
  /** text that may differ from the recording, as a regular expression */
  ignore?: string[] | undefined;
  /** the provider's base URL (default: the one that the agent would use) */
  upstream?: string | undefined;
  /** a name for the run, for use with -s */
  name?: string | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent sse`: show the last raw events of the provider's streams (1,000 events, 512,000 characters are kept). */
export interface AgentSseArguments {
  /** how many */
  tail?: number | undefined;
  /** only those of this call to the model */
  req?: number | undefined;
  /** keep printing the events of each call as it ends, until the run is over */
  follow?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent export`: send a run to an OpenTelemetry collector (Jaeger, Tempo, Langfuse, Phoenix …) as GenAI spans. */
export interface AgentExportArguments {
  /** a session, or a file of events (default: the newest) */
  source?: string | undefined;
  /** the collector: http://localhost:4318 */
  otlp: string;
  /** a header of the request, such as a key */
  header?: Record<string, string> | undefined;
  /** also send what was said and done, not only names and numbers */
  content?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `agent gc`: remove recordings of runs that have ended: first those over an age limit, then the oldest until the rest fits a size limit. */
export interface AgentGcArguments {
  /** an age: 12h, 30d, 8w */
  olderThan?: string | undefined;
  /** total size to keep: 500MB, 5GB */
  maxSize?: string | undefined;
  /** remove them; without this, only list what would be removed */
  yes?: boolean | undefined;
  /** look for runs in this folder, under `sessions/` (default: Sonde's own) */
  dir?: string | undefined;
}

/** Of `logs`: show what Sonde's own processes logged, the newest last. */
export interface LogsArguments {
  /** how many entries */
  tail?: number | undefined;
  /** only entries older than this cursor, which an earlier answer gave */
  before?: string | undefined;
  /** this level and above */
  level?: "debug" | "info" | "warn" | "error" | undefined;
  /** only of this process */
  pid?: number | undefined;
  /** only entries that contain this text (case is ignored) */
  grep?: string | undefined;
  /** only entries since then: 10m, 2h, 3d, or a time as 2026-11-17T09:30Z */
  since?: string | undefined;
  /** keep printing new entries until you interrupt it */
  follow?: boolean | undefined;
  /** the messages between Sonde and the session's debug adapter instead */
  protocol?: boolean | undefined;
  /** show messages in full, however long */
  full?: boolean | undefined;
  /** in a terminal: lines and typed commands instead of a full screen */
  plain?: boolean | undefined;
}

/** Of `system`: show the machine, the versions, and the environment variables that are safe to show. */
export type SystemArguments = Record<string, never>;

/** Of `report`: collect what a maintainer needs to find a bug in Sonde into one file, without secrets. */
export interface ReportArguments {
  /** write it; without this, only list what it would contain */
  yes?: boolean | undefined;
  /** the file to write (default: a new one in Sonde's own folder) */
  output?: string | undefined;
  /** all sessions (default: the current one, and the messages to the debuggers of the last three that ended) */
  allSessions?: boolean | undefined;
  /** also include an agent's run: its events and its conversation */
  agent?: boolean | undefined;
  /** with --agent: which run (default: the newest) */
  run?: string | undefined;
  /** also include this heap snapshot; it contains everything the program had in memory */
  heapSnapshot?: string | undefined;
  /** the time to put into the file's name, so that two reports can be identical */
  time?: string | undefined;
}

/** Of `profile cpu`: sample a program, a session or a process and show which functions take the time. */
export interface ProfileCpuArguments {
  /** a program file to run; or give a whole command line after -- */
  program?: string | undefined;
  /** id of a running process; it is left running */
  pid?: number | undefined;
  /** a run of an agent: the agent's own process */
  agent?: string | undefined;
  /** a Go program's own profiles (net/http/pprof): http://127.0.0.1:6060 */
  url?: string | undefined;
  /** how long to sample, at most: a program that ends earlier is profiled to its end */
  seconds?: number | undefined;
  /** report the progress while it samples */
  follow?: boolean | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
}

/** Of `profile heap`: sample what a program allocates and show which functions allocated the memory in use. */
export interface ProfileHeapArguments {
  /** a program file to run; or give a whole command line after -- */
  program?: string | undefined;
  /** id of a running process; it is left running */
  pid?: number | undefined;
  /** a run of an agent: the agent's own process */
  agent?: string | undefined;
  /** a Go program's own profiles (net/http/pprof): http://127.0.0.1:6060 */
  url?: string | undefined;
  /** how long to sample, at most: a program that ends earlier is profiled to its end */
  seconds?: number | undefined;
  /** report the progress while it samples */
  follow?: boolean | undefined;
  /** the program's command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** the debug adapter to use, by name or language (default: chosen for the program) */
  adapter?: string | undefined;
  /** folder to run in (default: the current one) */
  cwd?: string | undefined;
  /** an environment variable for the program */
  env?: Record<string, string> | undefined;
  /** use this file as the program's standard input; - uses that of this command (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** if the program is a source file (main.c), compile it first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /old=/new: the folder where the source was built, and where it is now */
  map?: string[] | undefined;
  /** also write a heap snapshot after a full garbage collection (Node); it contains every string of the program */
  snapshot?: boolean | undefined;
}

/** Of `profile work`: sample Sonde's own daemon and show what it is busy with. */
export interface ProfileWorkArguments {
  /** how long to sample, at most: a program that ends earlier is profiled to its end */
  seconds?: number | undefined;
  /** report the progress while it samples */
  follow?: boolean | undefined;
}

/** Of `profile diff`: compare two profiles: which functions got slower, and which faster. */
export interface ProfileDiffArguments {
  /** the first: an id (p1), or a file (.cpuprofile, speedscope, folded, pprof) */
  a: string;
  /** the second */
  b: string;
  /** compare whole runs, or a second of each (default: runs if both ran to their end) */
  per?: "run" | "second" | undefined;
}

/** Of `profile list`: list the saved profiles, newest first. */
export type ProfileListArguments = Record<string, never>;

/** Of `profile show`: show a saved profile. */
export interface ProfileShowArguments {
  /** which profile (default: the newest) */
  id?: string | undefined;
}

/** Of `profile stacks`: show the stacks of a saved profile as a tree for flame graphs, with --time also in the order they happened. */
export interface ProfileStacksArguments {
  /** which profile (default: the newest) */
  id?: string | undefined;
  /** also in the order they happened, if the profiler recorded it */
  time?: boolean | undefined;
}

/** Of `clear-cache`: remove traces, reports, profiles, logs and recordings of ended agents that are older than 30 days. */
export interface ClearCacheArguments {
  /** older than this age: 12h, 30d, 8w; anything less than an hour old is kept */
  olderThan?: string | undefined;
  /** remove it; without this, only list what would be removed */
  yes?: boolean | undefined;
}

/** Of `menu`: choose profiles, logs, reports and more from a list. */
export interface MenuArguments {
  /** a numbered list instead of a full screen (default where there is no terminal) */
  plain?: boolean | undefined;
}

/** By command: what it takes. */
export interface CommandArguments {
  start: StartArguments;
  attach: AttachArguments;
  configs: ConfigsArguments;
  detach: DetachArguments;
  stop: StopArguments;
  restart: RestartArguments;
  await: AwaitArguments;
  status: StatusArguments;
  sessions: SessionsArguments;
  changes: ChangesArguments;
  "handover ask": HandoverAskArguments;
  "handover give": HandoverGiveArguments;
  "handover take": HandoverTakeArguments;
  transcript: TranscriptArguments;
  "breakpoint add": BreakpointAddArguments;
  "breakpoint list": BreakpointListArguments;
  "breakpoint remove": BreakpointRemoveArguments;
  "breakpoint enable": BreakpointEnableArguments;
  "breakpoint disable": BreakpointDisableArguments;
  catch: CatchArguments;
  "catch list": CatchListArguments;
  "catch remove": CatchRemoveArguments;
  watch: WatchArguments;
  "watch info": WatchInfoArguments;
  "watch list": WatchListArguments;
  "watch remove": WatchRemoveArguments;
  continue: ContinueArguments;
  next: NextArguments;
  step: StepArguments;
  finish: FinishArguments;
  until: UntilArguments;
  pause: PauseArguments;
  "restart-frame": RestartFrameArguments;
  context: ContextArguments;
  why: WhyArguments;
  source: SourceArguments;
  backtrace: BacktraceArguments;
  frame: FrameArguments;
  up: UpArguments;
  down: DownArguments;
  locals: LocalsArguments;
  args: ArgsArguments;
  scopes: ScopesArguments;
  variables: VariablesArguments;
  print: PrintArguments;
  eval: EvalArguments;
  set: SetArguments;
  threads: ThreadsArguments;
  thread: ThreadArguments;
  "memory read": MemoryReadArguments;
  "memory write": MemoryWriteArguments;
  registers: RegistersArguments;
  disassemble: DisassembleArguments;
  output: OutputArguments;
  input: InputArguments;
  sources: SourcesArguments;
  modules: ModulesArguments;
  raw: RawArguments;
  request: RequestArguments;
  capabilities: CapabilitiesArguments;
  complete: CompleteArguments;
  reload: ReloadArguments;
  probe: ProbeArguments;
  trace: TraceArguments;
  "trace list": TraceListArguments;
  "trace show": TraceShowArguments;
  "trace columns": TraceColumnsArguments;
  "trace rm": TraceRmArguments;
  diff: DiffArguments;
  test: TestArguments;
  crash: CrashArguments;
  hang: HangArguments;
  adapters: AdaptersArguments;
  setup: SetupArguments;
  doctor: DoctorArguments;
  config: ConfigArguments;
  "agent run": AgentRunArguments;
  "agent sessions": AgentSessionsArguments;
  "agent wait": AgentWaitArguments;
  "agent status": AgentStatusArguments;
  "agent break add": AgentBreakAddArguments;
  "agent break list": AgentBreakListArguments;
  "agent break clear": AgentBreakClearArguments;
  "agent break clear-all": AgentBreakClearAllArguments;
  "agent break enable": AgentBreakEnableArguments;
  "agent break disable": AgentBreakDisableArguments;
  "agent edit": AgentEditArguments;
  "agent cancel": AgentCancelArguments;
  "agent resume": AgentResumeArguments;
  "agent pause": AgentPauseArguments;
  "agent step": AgentStepArguments;
  "agent inspect": AgentInspectArguments;
  "agent inject": AgentInjectArguments;
  "agent set": AgentSetArguments;
  "agent edit-request": AgentEditRequestArguments;
  "agent kill-call": AgentKillCallArguments;
  "agent checkpoint": AgentCheckpointArguments;
  "agent rewind": AgentRewindArguments;
  "agent attach": AgentAttachArguments;
  "agent watch": AgentWatchArguments;
  "agent explain": AgentExplainArguments;
  "agent transcript": AgentTranscriptArguments;
  "agent replay": AgentReplayArguments;
  "agent events": AgentEventsArguments;
  "agent event": AgentEventArguments;
  "agent timeline": AgentTimelineArguments;
  "agent fork": AgentForkArguments;
  "agent sse": AgentSseArguments;
  "agent export": AgentExportArguments;
  "agent gc": AgentGcArguments;
  logs: LogsArguments;
  system: SystemArguments;
  report: ReportArguments;
  "profile cpu": ProfileCpuArguments;
  "profile heap": ProfileHeapArguments;
  "profile work": ProfileWorkArguments;
  "profile diff": ProfileDiffArguments;
  "profile list": ProfileListArguments;
  "profile show": ProfileShowArguments;
  "profile stacks": ProfileStacksArguments;
  "clear-cache": ClearCacheArguments;
  menu: MenuArguments;
}
