/** What the generated list of commands looks like (src/generate/manifest.ts writes it). */
import type { ArgumentType } from "../../util/argument-type.ts";

export interface Flag {
  /** With its dashes, as is `short`. */
  name: string;
  short?: string;
  type: ArgumentType;
  repeat?: boolean;
  summary: string;
  default?: unknown;
  values?: string[];
  /** What stands for its value, where its type does not say enough. */
  placeholder?: string;
}

export interface Positional {
  name: string;
  required?: boolean;
  repeat?: boolean;
  summary: string;
  /** The only ones that it takes. */
  values?: string[];
}

export interface ManifestCommand {
  /** May be two words: `breakpoint add`. */
  name: string;
  aliases: string[];
  group: string;
  summary: string;
  usage: string;
  positionals: Positional[];
  flags: Flag[];
  examples: string[];
  needs?: string;
  effect?: string;
}

export interface Manifest {
  version: string;
  groups: { name: string; title: string }[];
  commands: ManifestCommand[];
}
