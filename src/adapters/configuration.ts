/**
 * Which configurations of a launch.json an adapter takes, and what it reads from them in its own way. What it takes as it is, is a list
 * of what is let through, not of what is kept out: the file comes with a project, and some keys (debugger commands, paths of
 * debuggers) run code.
 */
import type { Runs } from "./language.ts";

export interface ConfigurationKind {
  /** Values of `type`. */
  types: readonly string[];
  /** Several adapters debug such programs: the program decides. */
  byProgram?: true;
  /** Keys that are given to the adapter as they are. */
  passes?: readonly string[];
  /** What is run, where it is said in a way of its own; nothing: as in every configuration. */
  runs?(keys: Keys, common: CommonKeys): Runs | undefined;
}

export interface CommonKeys {
  program: string | undefined;
  args: string[];
  /** Where it runs. */
  folder: string;
}

/** Values of a configuration, variables put in; each throws for one of the wrong type. */
export interface Keys {
  text(key: string): string | undefined;
  /** A list, or one text split as a shell would. */
  words(key: string): string[] | undefined;
  record(key: string): Record<string, unknown> | undefined;
  any(key: string): unknown;
}
