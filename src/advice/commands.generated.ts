/** Generated from the command declarations (`npm run generate`): what every command takes. */
// biome-ignore-all format: generated

/** Of `start`: start a program and run to the first stop, with the breakpoints in place. */
export interface StartArguments {
  /** the program file or project folder; or give a whole command line after -- */
  program?: string | undefined;
  /** the program's arguments, or a command line: -- npm run dev */
  args?: string[] | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** name of the session (default: the program's name) */
  name?: string | undefined;
  /** stop when this function is called */
  functionBreak?: string[] | undefined;
  /** also stop on these exceptions: uncaught (default), all, none */
  catch?: string[] | undefined;
  /** extra arguments for the adapter's launch or attach request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: open, see `input`) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** stop on the first line */
  stopOnEntry?: boolean | undefined;
  /** compile the source file first, into a folder that goes with the session */
  build?: boolean | undefined;
  /** look at this core file instead of running; the program may be left out */
  core?: string | undefined;
  /** start this configuration of .vscode/launch.json (`sonde configs`) */
  config?: string | undefined;
  /** what ${file} means in that configuration */
  file?: string | undefined;
  /** run the configuration's preLaunchTask before */
  runTasks?: boolean | undefined;
}

/** Of `attach`: attach to a running process, or to a debug server that listens on a port. */
export interface AttachArguments {
  /** process id */
  pid?: number | undefined;
  /** [host:]port of a listening debug server */
  port?: string | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** name of the session (default: the program's name) */
  name?: string | undefined;
  /** stop when this function is called */
  functionBreak?: string[] | undefined;
  /** also stop on these exceptions: uncaught (default), all, none */
  catch?: string[] | undefined;
  /** extra arguments for the adapter's launch or attach request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
}

/** Of `configs`: list what .vscode/launch.json offers to `start --config`. */
export type ConfigsArguments = Record<string, never>;

/** Of `detach`: end the session and leave the program running. */
export type DetachArguments = Record<string, never>;

/** Of `stop`: end the session and everything started for it; an attached program lives on. */
export interface StopArguments {
  /** every session */
  all?: boolean | undefined;
}

/** Of `restart`: run the program again from the start, same arguments and breakpoints. */
export interface RestartArguments {
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `await`: wait for the next stop, or for the program to end. */
export interface AwaitArguments {
  /** seconds to wait, then: still running (default 300) */
  timeout?: number | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `status`: the daemon and its sessions. */
export type StatusArguments = Record<string, never>;

/** Of `sessions`: all sessions, the last used first. */
export type SessionsArguments = Record<string, never>;

/** Of `breakpoint add`: stop at a line or function; also condition, hit count, log message. */
export interface BreakpointAddArguments {
  /** file:line[:column][ if expr], a line of the current file, or a function's name */
  location?: string | undefined;
  /** stop only when this expression is true */
  condition?: string | undefined;
  /** stop at this hit: 5, >=5, %3 */
  hitCount?: string | undefined;
  /** do not stop, print this message with {expr} filled in */
  log?: string | undefined;
  /** stop when this function is called */
  function?: string | undefined;
  /** remove it after the first stop */
  once?: boolean | undefined;
  /** replace the breakpoint at that place; keep the old one if the new one cannot be set */
  replace?: boolean | undefined;
  /** the line that holds this code (location is then just the file) */
  text?: string | undefined;
  /** stop at an instruction: an address, a function, either with + bytes, or $pc */
  address?: string | undefined;
}

/** Of `breakpoint list`: all breakpoints: where they are bound, their state and hits. */
export type BreakpointListArguments = Record<string, never>;

/** Of `breakpoint remove`: remove breakpoints by number or place, or all. */
export interface BreakpointRemoveArguments {
  /** breakpoint numbers */
  ids?: number[] | undefined;
  /** every breakpoint */
  all?: boolean | undefined;
  /** those at this place: file:line, or a line of the current file */
  at?: string | undefined;
  /** the one on this function */
  function?: string | undefined;
  /** the one at this instruction */
  address?: string | undefined;
}

/** Of `breakpoint enable`: make disabled breakpoints stop again. */
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
  /** uncaught, all, none, or a name from `catch list`; several with commas between them */
  filter: string;
  /** only exceptions of this type, or for which this expression holds */
  type?: string | undefined;
  /** instead of all that are set, which stay if this fails */
  replace?: boolean | undefined;
}

/** Of `catch list`: which exceptions stop the program, and which filters there are. */
export type CatchListArguments = Record<string, never>;

/** Of `catch remove`: stop no longer on these exceptions. */
export interface CatchRemoveArguments {
  /** number from `catch list` */
  id: number;
}

/** Of `watch`: stop when a variable or other place in memory is written (or read). */
export interface WatchArguments {
  /** a variable, or an expression that names a place: p.x, list[3] */
  expression: string;
  /** stop on reads */
  read?: boolean | undefined;
  /** stop on reads and writes */
  access?: boolean | undefined;
  /** only when this holds */
  condition?: string | undefined;
  /** stop at this hit: 5, >=5, %3 */
  hitCount?: string | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `watch info`: whether a place can be watched, and for which uses; sets nothing. */
export interface WatchInfoArguments {
  /** a variable, or an expression that names a place: p.x, list[3] */
  expression: string;
  /** the handle of the scope that it must be a variable of (see `scopes`) */
  scope?: string | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `watch list`: all watches: what they watch, its value, their state and hits. */
export type WatchListArguments = Record<string, never>;

/** Of `watch remove`: remove watches by number or expression, or all. */
export interface WatchRemoveArguments {
  /** numbers from `watch list` */
  ids?: number[] | undefined;
  /** the one on this; of several, the one on what it means here */
  expression?: string | undefined;
  /** of several, the one on this use */
  access?: "write" | "read" | "readWrite" | undefined;
  /** every watch */
  all?: boolean | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `continue`: run to the next stop or the end; of a running program, wait for it. */
export interface ContinueArguments {
  /** only the current thread, where the adapter can */
  thread?: boolean | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `next`: run to the next line, over calls. */
export interface NextArguments {
  /** how many steps */
  count?: number | undefined;
  /** by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `step`: run to the next line, into calls. */
export interface StepArguments {
  /** which call on the line to enter, by function name */
  into?: string | undefined;
  /** how many steps */
  count?: number | undefined;
  /** by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
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
  /** by machine instruction */
  instruction?: boolean | undefined;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `until`: run to a place (other breakpoints still stop). */
export interface UntilArguments {
  /** file:line, or a line of the current file */
  location: string;
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `pause`: stop the running program where it is, with its workers and child processes. */
export interface PauseArguments {
  /** only this one, by its number in `threads` */
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
  /** seconds to wait for a stop, then: still running (default 30) */
  timeout?: number | undefined;
  /** answer at once, do not wait for a stop */
  noWait?: boolean | undefined;
  /** add a breakpoint first: file:line[ if expr] */
  break?: string[] | undefined;
  /** remove this breakpoint first */
  removeBreak?: number[] | undefined;
  /** show this expression at the stop, as `print` does */
  eval?: string[] | undefined;
}

/** Of `context`: the stop snapshot again: place, source, values, stack. */
export interface ContextArguments {
  /** source lines before and after */
  context?: number | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `source`: source text around a place (default: where the program stands). */
export interface SourceArguments {
  /** file:line, a line of the current file, or a function's name */
  location?: string | undefined;
  /** lines before and after */
  context?: number | undefined;
  /** the whole function around it */
  function?: boolean | undefined;
}

/** Of `backtrace`: the stack: your frames; --all with library frames, --locals with values. */
export interface BacktraceArguments {
  /** with each frame's values */
  locals?: boolean | undefined;
  /** most frames */
  limit?: number | undefined;
  /** library and runtime frames too */
  all?: boolean | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `frame`: choose the frame that print, locals and eval look at; without a number, show it. */
export interface FrameArguments {
  /** frame number, 0 is innermost */
  number?: number | undefined;
}

/** Of `up`: to the caller's frame. */
export type UpArguments = Record<string, never>;

/** Of `down`: to the called frame. */
export type DownArguments = Record<string, never>;

/** Of `locals`: all variables of the current frame, scope by scope. */
export interface LocalsArguments {
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `args`: the arguments of the current function. */
export interface ArgsArguments {
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `scopes`: the scopes of the current frame, with handles. */
export interface ScopesArguments {
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `variables`: the parts of a value, by its handle. */
export interface VariablesArguments {
  /** a handle such as @v7, as shown behind a value */
  handle: string;
  /** first element */
  start?: number | undefined;
  /** how many, up to 1000 */
  count?: number | undefined;
}

/** Of `print`: the value of an expression; cannot assign; calls in it are run, except in Go, and in JavaScript only if they have no side effects. */
export interface PrintArguments {
  /** in the program's language */
  expression: string;
  /** with its type and without its parts */
  type?: boolean | undefined;
  /** for integers and addresses */
  format?: "hex" | "binary" | "octal" | "address" | "char" | undefined;
  /** levels of parts to open (default: one, if the line does not say it all) */
  depth?: number | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `eval`: run an expression in the program, side effects and all; also while it runs, where the adapter can. */
export interface EvalArguments {
  /** in the program's language */
  expression: string;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `set`: change a variable, property or element. */
export interface SetArguments {
  /** a variable, or an expression that can be assigned to */
  target: string;
  /** an expression in the program's language */
  value?: string | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `threads`: threads, workers and child processes, with their places. */
export type ThreadsArguments = Record<string, never>;

/** Of `thread`: choose the thread that other commands look at; without a number, show it. */
export interface ThreadArguments {
  /** number from `threads` */
  number?: number | undefined;
}

/** Of `memory read`: bytes at an address or of a variable. */
export interface MemoryReadArguments {
  /** an address, &variable, a pointer or a variable; + bytes may follow */
  address: string;
  /** how many bytes */
  count?: number | undefined;
  /** a dump, numbers (i32: signed, 32 bits) or text */
  format?: "hex" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "text" | undefined;
}

/** Of `memory write`: put bytes at an address or into a variable, and show what is there then. */
export interface MemoryWriteArguments {
  /** an address, &variable, a pointer or a variable; + bytes may follow */
  address: string;
  /** hex digits: 01ff, or 01 ff */
  bytes: string;
  /** as many of them as can be written */
  partial?: boolean | undefined;
}

/** Of `registers`: the processor's general registers, or those named. */
export interface RegistersArguments {
  /** only these: registers or groups of them */
  names?: string[] | undefined;
  /** also parts of registers, floating point and vectors */
  all?: boolean | undefined;
  /** in this frame, this once (0 is innermost) */
  frame?: number | undefined;
  /** in this thread, this once (see `threads`) */
  thread?: number | undefined;
}

/** Of `disassemble`: machine instructions of the current function, or from an address on. */
export interface DisassembleArguments {
  /** where: an address, a function, $pc (default: here) */
  address?: string | undefined;
  /** how many instructions (default: the whole function, or 16 where its bounds are not known) */
  count?: number | undefined;
  /** begin this many instructions later (-4: earlier) */
  offset?: number | undefined;
  /** with the source lines between them */
  source?: boolean | undefined;
  /** without the names of functions */
  noSymbols?: boolean | undefined;
}

/** Of `output`: what the program printed: each stream in order, the two of them as they arrived. */
export interface OutputArguments {
  /** print as it comes, until the program stops or ends */
  follow?: boolean | undefined;
  /** last lines */
  tail?: number | undefined;
  /** first lines instead */
  head?: number | undefined;
  /** forget it after this */
  clear?: boolean | undefined;
  /** only what came after this cursor */
  since?: number | undefined;
  /** only these streams */
  category?: ("stdout" | "stderr" | "console" | "important")[] | undefined;
  /** only lines that match this regular expression */
  grep?: string | undefined;
}

/** Of `input`: write to the program's standard input (a line feed is added). */
export interface InputArguments {
  /** one line of text */
  text?: string | undefined;
  /** the bytes of this file; - for your standard input */
  file?: string | undefined;
  /** close standard input (after the text, if any) */
  eof?: boolean | undefined;
}

/** Of `sources`: the source files the program has loaded. */
export interface SourcesArguments {
  /** only paths that contain this */
  grep?: string | undefined;
}

/** Of `modules`: the libraries and modules the program has loaded. */
export interface ModulesArguments {
  /** first one */
  start?: number | undefined;
  /** how many (default: all) */
  count?: number | undefined;
}

/** Of `raw`: a command in the debugger's own language (on Node: JavaScript in the global scope). */
export interface RawArguments {
  /** passed to the debugger as it is */
  command: string;
}

/** Of `request`: any Debug Adapter Protocol request, as it is. */
export interface RequestArguments {
  /** the request's name */
  command: string;
  /** its arguments, as JSON */
  arguments?: Record<string, unknown> | undefined;
}

/** Of `capabilities`: what the adapter says it can do. */
export type CapabilitiesArguments = Record<string, never>;

/** Of `complete`: names that can follow in an expression. */
export interface CompleteArguments {
  /** the expression so far: `user.na` */
  text: string;
}

/** Of `reload`: put a file's new text into the running program (live edit), where the adapter can. */
export interface ReloadArguments {
  /** a source file the program has loaded */
  file: string;
}

/** Of `protocol`: the last protocol messages between sonde and the adapter. */
export interface ProtocolArguments {
  /** last messages */
  tail?: number | undefined;
}

/** Of `probe`: run to a place, show the stop and some expressions, end the program: one call, no session. */
export interface ProbeArguments {
  /** file:line, or 'file:line if <expression>' */
  locations?: string[] | undefined;
  /** evaluate there */
  eval?: string[] | undefined;
  /** run to the Nth time it is reached */
  hits?: number | undefined;
  /** the place is where this function is called */
  function?: string[] | undefined;
  /** the place is where an exception is thrown that nothing catches */
  exception?: boolean | undefined;
  /** only when this holds there */
  condition?: string | undefined;
  /** seconds the program may run (default 30) */
  timeout?: number | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** compile the source file first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
}

/** Of `trace`: run a program to its end and record values at every hit of a line, or whole calls of a function. */
export interface TraceArguments {
  /** record here, each time the line is about to run: file:line[=expr,expr][ if cond] */
  at?: (string | {
    /** file:line */
    location: string;
    watch?: string[] | undefined;
    condition?: string | undefined;
  })[] | undefined;
  /** an expression to record: after an --at it belongs to that one, before the first --at to all of them */
  watch?: string[] | undefined;
  /** record only hits where this is true: for the --at before it (--function takes none) */
  condition?: string[] | undefined;
  /** record whole calls of this function (Cart.total, #private): arguments, each line with what it changed, result; not with --at */
  function?: string[] | undefined;
  /** with --function: also the calls it makes, this many levels deep (default 0) */
  depth?: number | undefined;
  /** frames of each hit's backtrace (default 3) */
  frames?: number | undefined;
  /** hits to keep: the first half, then the newest (default 20000) */
  maxHits?: number | undefined;
  /** end the run after this many seconds (default 300) */
  maxSeconds?: number | undefined;
  /** end the run when nothing was hit in its first seconds, this many (default 30) */
  firstSeconds?: number | undefined;
  /** end the run when this many seconds have passed since the last hit (default 30) */
  exitSeconds?: number | undefined;
  /** force a way to record (default: the fastest that fits): node-source, node-condition, python-source, python-condition, perf, delve, gdb, lldb, stops */
  collector?: string | undefined;
  /** record a running process for --max-seconds, and leave it running */
  pid?: number | undefined;
  /** say how many hits there are while it runs */
  follow?: boolean | undefined;
  /** print nothing but {"watchpoints": …, "breakpoints": …} by place (with --json: `data.feedback`) */
  feedback?: boolean | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** compile the source file first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
}

/** Of `trace list`: the traces that are kept, newest first. */
export type TraceListArguments = Record<string, never>;

/** Of `trace show`: a kept trace, or the part of it that matters; also as a file for other tools. */
export interface TraceShowArguments {
  /** which trace (default: the newest) */
  id?: string | undefined;
  /** only this place */
  at?: string[] | undefined;
  /** only this expression */
  watch?: string[] | undefined;
  /** only these hits of a place, or calls of a function: 7, 3..9, 100.. */
  hits?: string | undefined;
  /** only hits where this holds: 'sum < 0 && i > 3', 'name =~ ^a' */
  where?: string | undefined;
  /** only hits where a value differs from the hit before */
  changes?: boolean | undefined;
  /** only this many, from the first */
  first?: number | undefined;
  /** only this many, up to the last */
  last?: number | undefined;
  /** every row, up to what an answer may hold */
  all?: boolean | undefined;
  /** as {"watchpoints": …, "breakpoints": …} */
  feedback?: boolean | undefined;
  /** for other tools, into the file of --to */
  format?: "json" | "jsonl" | "csv" | undefined;
  /** write it to this file */
  to?: string | undefined;
}

/** Of `trace rm`: remove a kept trace. */
export interface TraceRmArguments {
  /** which trace */
  id?: string | undefined;
  /** all of them */
  all?: boolean | undefined;
}

/** Of `diff`: compare two runs and show where they first part: two commands, inputs, versions or kept traces. */
export interface DiffArguments {
  /** two kept traces */
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
  /** run the command this many times, up to 100, and compare a run that passes with one that fails */
  flaky?: number | undefined;
  /** record here, each time the line is about to run: file:line[=expr,expr][ if cond] */
  at?: (string | {
    /** file:line */
    location: string;
    watch?: string[] | undefined;
    condition?: string | undefined;
  })[] | undefined;
  /** an expression to record: after an --at it belongs to that one, before the first --at to all of them */
  watch?: string[] | undefined;
  /** record only hits where this is true: for the --at before it (--function takes none) */
  condition?: string[] | undefined;
  /** record whole calls of this function (Cart.total, #private): arguments, each line with what it changed, result; not with --at */
  function?: string[] | undefined;
  /** with --function: also the calls it makes, this many levels deep (default 0) */
  depth?: number | undefined;
  /** frames of each hit's backtrace (default 3) */
  frames?: number | undefined;
  /** hits to keep: the first half, then the newest (default 20000) */
  maxHits?: number | undefined;
  /** end after this many seconds, all runs together (default 300) */
  maxSeconds?: number | undefined;
  /** end the run when nothing was hit in its first seconds, this many (default 30) */
  firstSeconds?: number | undefined;
  /** end the run when this many seconds have passed since the last hit (default 30) */
  exitSeconds?: number | undefined;
  /** force a way to record (default: the fastest that fits): node-source, node-condition, python-source, python-condition, perf, delve, gdb, lldb, stops */
  collector?: string | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** compile the source file first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
}

/** Of `test`: run the failing test of a test run alone under the debugger: where it fails, each of your frames with its values. */
export interface TestArguments {
  /** the runner's command line if it holds no options (pytest, npm test); with options all of it goes after -- */
  runner?: string[] | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
  /** which failing test, by its name or a part of it (default: the first) */
  name?: string | undefined;
  /** seconds for each run, the plain one and the debugged one (default 120) */
  timeout?: number | undefined;
}

/** Of `crash`: run a program until it dies (or read its core file): the cause, every frame with its values, all threads. */
export interface CrashArguments {
  /** the program file; or give a whole command line after -- */
  program?: string | undefined;
  /** look at this core file instead; the program may be left out */
  core?: string | undefined;
  /** seconds the program may run (default 30) */
  timeout?: number | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** compile the source file first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
}

/** Of `hang`: why a program hangs: samples all stacks and says what moves and what waits for what. */
export interface HangArguments {
  /** a number is the id of a process that hangs (as --pid), else a program file to start; a whole command line goes after -- */
  program?: string | undefined;
  /** id of a hanging process (same as giving a number as the program); it is left running */
  pid?: number | undefined;
  /** seconds to run a program before looking at it */
  after?: number | undefined;
  /** how often to look */
  samples?: number | undefined;
  /** seconds it runs between two looks */
  interval?: number | undefined;
  /** the command line: -- ./app --verbose, -- python -m pytest, -- npm test */
  args?: string[] | undefined;
  /** which debugger, by name or language (default: by the program) */
  adapter?: string | undefined;
  /** folder to run in (default: yours) */
  cwd?: string | undefined;
  /** KEY=VALUE for the program */
  env?: Record<string, string> | undefined;
  /** file for the program's standard input, - for yours (default: empty) */
  stdin?: {
    file: string;
  } | {
    text: string;
  } | {
    base64: string;
  } | undefined;
  /** compile the source file first */
  build?: boolean | undefined;
  /** extra arguments for the adapter's launch request, as JSON */
  adapterArguments?: Record<string, unknown> | undefined;
  /** /built/at=/is/at: a folder that the debug information names, and where its sources are now */
  map?: string[] | undefined;
}

/** Of `adapters`: the debuggers sonde can drive, and whether they are here. */
export type AdaptersArguments = Record<string, never>;

/** Of `setup`: install the debugger for a language into sonde's own folder, and try it. */
export interface SetupArguments {
  /** languages or adapters: python, go, c … */
  names?: string[] | undefined;
  /** every adapter that can be installed on this machine */
  all?: boolean | undefined;
  /** install it also if one is there already */
  reinstall?: boolean | undefined;
}

/** Of `doctor`: what works here, what does not, and how to get it. */
export interface DoctorArguments {
  /** also debug a sample program with every adapter (slow) */
  verify?: boolean | undefined;
}

/** Of `config`: every setting in effect, and the file that changes it. */
export type ConfigArguments = Record<string, never>;

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
  protocol: ProtocolArguments;
  probe: ProbeArguments;
  trace: TraceArguments;
  "trace list": TraceListArguments;
  "trace show": TraceShowArguments;
  "trace rm": TraceRmArguments;
  diff: DiffArguments;
  test: TestArguments;
  crash: CrashArguments;
  hang: HangArguments;
  adapters: AdaptersArguments;
  setup: SetupArguments;
  doctor: DoctorArguments;
  config: ConfigArguments;
}
