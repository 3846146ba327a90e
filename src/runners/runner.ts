/**
 * What a test runner is: how its command line is recognised, how it is made to tell which tests fail, how one of them is run alone
 * in one process, and where a failure shows itself to a debugger. Knowledge only: whoever uses it runs the commands.
 */

/** A runner's command line, taken apart at the runner's own word: `uv run` `pytest` `-x tests`. */
export interface Line {
  /** Up to and with the word that is the runner: `python -m pytest`, `go test`. */
  head: string[];
  /** What the runner itself is given. */
  rest: string[];
  cwd: string;
  /** Whether a path, relative to `cwd`, is there: the only question about the machine. */
  exists(path: string): boolean;
}

export interface Place {
  file: string;
  line: number;
}

export interface Failure {
  /** As `--name` takes it. */
  name: string;
  /** The file the test is in, if the runner says so. */
  file?: string;
  type?: string;
  message?: string;
  /** Lines the failure passed through, as far as the runner tells. */
  places: Place[];
  compared: Compared[];
  /** A check that failed without an error: nothing is thrown, and only its line can be stopped at. */
  silent?: true;
  /** The line that is printed for it as soon as it fails. */
  printed?: string;
  /** The runner's own words for it, when more than its name is needed to run it again. */
  again?: readonly string[];
}

/** `expected 30`, `left 25`: the runner's words. */
export interface Compared {
  label: string;
  value: string;
}

export interface Report {
  passed: number;
  skipped: number;
  failures: Failure[];
}

/** A run without a debugger, to learn which tests fail. */
export interface Survey {
  /** `report` is where a report file may be written. */
  command(report: string): string[];
  env?: Record<string, string>;
  /** With a name: it reports every failing test whose name contains it. */
  complete?: true;
  /** Files below its folder that it writes in any case, by their paths: those of this run are read. */
  reports?: RegExp;
  /** Nothing when what was printed is no report of this runner's. */
  read(said: Said): Report | undefined;
}

export interface Said {
  stdout: string;
  stderr: string;
  report: string | undefined;
  files?: readonly ReportFile[];
}

export interface ReportFile {
  /** Relative to the folder of the run. */
  path: string;
  text: string;
}

/** One test, alone. */
export interface Single {
  command: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Nothing runs after the first failure. */
  endsAtFailure?: true;
  /** For the reader: why it is not quite that test alone. */
  note?: string;
}

/** …or what must be asked first. */
export interface Asked {
  command: string[];
  read(stdout: string): Single | undefined;
}

/** A frame as a debugger tells it. */
export interface Seen {
  name: string;
  path?: string;
  line: number;
}

export interface Variable {
  name: string;
  type?: string;
}

/** A runner's report in one piece: all of it is left out, but for what it repeats of the program's words. */
export interface Told {
  from: RegExp;
  /** Its last line; without it, it goes on to the end. Where that line is not found, it is no report. */
  to?: RegExp;
  /** Within it, a heading above the program's words, and any heading that ends them. */
  printed?: { from: RegExp; to: RegExp };
}

/** Where a failure shows itself, and what of a stop is the runner's. */
export interface Rules {
  /** Common names of exception filters: the first that the debugger knows is used. None: those that are on anyway. */
  catches: readonly string[];
  /** The same for another run, where the failure never left the user's code: a block of the runner's own (`subTest`) took it there. */
  taken?: readonly string[];
  /** An error may be handed over (`done(error)`, `reject(error)`) and never thrown; its stack names the line that made it. */
  handed?: true;
  /** Functions that are called when a test fails. */
  functions?: readonly string[];
  /** The runner's own frames, where the debugger takes them for the user's. `above` is the frame this one called. */
  owns?(frame: Seen, above: Seen | undefined): boolean;
  /** Values that the runner put among the user's, or that say nothing. */
  hides?(variable: Variable, all: readonly Variable[]): boolean;
  /** Lines that the runner prints about itself, and what it prints in one piece. */
  chatter?: RegExp;
  told?: Told;
}

export interface Runner extends Rules {
  name: string;
  recognise(words: readonly string[]): { head: string[]; rest: string[] } | undefined;
  /** With a name, only tests that it may mean: it may be a part of one. It need not find them all, nor only those. */
  survey(line: Line, name: string | undefined): Survey;
  single(line: Line, failure: Failure): Single | Asked;
  /** The language of its tests, where one test's command line can also be traced: `trace --function` was tried with it. */
  traced?: string;
  /** The test and those that run before it, still under one debugger, for a test that passes alone. */
  together?(line: Line, failure: Failure): Single | Asked;
}
