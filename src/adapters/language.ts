/** What a language is, whichever debugger its programs are debugged with. Declared in an adapter's folder (`Adapter.describes`). */
import type { Told } from "../advice/advice.ts";

export interface Language {
  name: string;
  /** As people write it. */
  title: string;
  /** Other names people type for it. */
  alsoCalled?: readonly string[];
  /** Its compilers and interpreters, under the names they have on a PATH: a machine that has one is used for it. */
  tools: readonly string[];
  /** Extensions of its source files, with the dot. */
  sources: readonly string[];
  /** The name by which a function of this name is found in a program, if `text` defines one. */
  defined?(name: string, text: string): string | undefined;
  /** What the statement on a line (from 1) returns, where reading that beforehand is the same as returning it. */
  returned?(lines: readonly string[], line: number): Returned | undefined;
  /** All statements of a file; nothing where its text is not understood. */
  statements?(lines: readonly string[]): Statement[] | undefined;
  /** Files by which a folder is known as a project of it, and what they say of it. */
  projects?: readonly ProjectFile[];
  /** What `start <folder>` runs. */
  folder?: FolderRule;
  /** The interpreter's name on command lines, and options that say nothing of what is run and take no word of their own. */
  interpreter?: { name: RegExp; plain: RegExp };
  /** `uv run app.py`: the command without the tool that runs it, in the environment that the tool would make; nothing: no such tool. */
  environment?(command: readonly string[], around: Around): Promise<InEnvironment | undefined>;
}

export interface Statement {
  /** Its first and its last line, from 1. */
  first: number;
  last: number;
  /** Its first line without strings and comments. */
  code: string;
  /** The line on which the innermost function or class around it begins; 0: none. */
  within: number;
}

export interface Returned {
  expressions: string[];
  /** Whether a debugger's value of one of them is what the program computes. */
  isSure(expression: string, value: string, type: string): boolean;
}

export interface ProjectFile {
  /** `Cargo.toml` */
  file: string;
  /** Projects of other languages have one too: theirs are looked for first. */
  shared?: true;
  /** Its sources run as they are. */
  interpreted?: true;
  /** The command line that builds it, for people and models to type. */
  build?: string;
  /** The command line that builds and runs it, or the program that this source file belongs to; nothing if it belongs to none. */
  run?(
    project: { folder: string; from: string; source?: string },
    args: readonly string[],
  ): string[] | undefined;
}

/** A program with its arguments, or a whole command line. */
export interface Runs {
  program?: string;
  command?: string[];
  args: string[];
}

export interface FolderRule {
  /** What it goes by is also in folders of other languages, which are asked first. */
  shared?: true;
  start?(folder: string, args: string[]): Runs | undefined;
  /** Usual names of the file to start. */
  mains?: readonly string[];
  /** Why a folder cannot be started and what can, if there is more to say than a file's name. */
  advice?(folder: string, cwd: string | undefined): Told | undefined;
}

export interface Around {
  cwd: string;
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface InEnvironment {
  command: string[];
  env: Record<string, string>;
  /** What was left out, as typed. */
  left: string[];
}
