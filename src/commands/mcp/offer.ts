/**
 * What a command is over MCP: an action of a tool. Its arguments go by the names they have in its declaration, in snake case, unless
 * their schema says otherwise (`.meta({ mcp, brief })`), or they are spelled otherwise there altogether.
 */
import type * as z from "zod";
import type { Told } from "../../advice/advice.ts";

export type ToolName = "probe" | "trace" | "debug" | "inspect" | "agent" | "diagnose";

export type Values = Readonly<Record<string, unknown>>;

/** Arguments of the command that are written otherwise in a tool call: `file` and `line` for a location. */
export interface Spelling {
  /** The command's arguments. */
  keys: readonly string[];
  /** What one of them is called, where its name alone is to be said; of several the words are apart. */
  names?: Readonly<Record<string, string>>;
  /** What stands for them. */
  properties: Readonly<Record<string, z.ZodType>>;
  /** Other ways to say the same, put into these words before anything is checked. */
  understood?(given: Values): Values;
  read(given: Values): Values;
  /** The reverse; undefined for what cannot be said so. */
  write(args: Values): Values | undefined;
}

export interface Offer {
  tool: ToolName;
  action: string;
  /** Arguments of the command that can be given, by their keys. */
  takes?: readonly string[];
  spelled?: readonly Spelling[];
  /** What is said besides, where advice names it: the call that comes nearest. */
  says?: Values;
  /** Given with every call. */
  always?: Values;
  /** Given unless the caller gives it. */
  usual?: (args: Values) => Values;
  /** An action may be several commands: this argument says which. `usual`: the one that is meant when it is left out. */
  when?: { name: string; values: readonly [string, ...string[]]; usual?: true; brief?: string };
  /** Of these sets one must be given, whole. */
  oneOf?: readonly (readonly string[])[];
  /** Arguments that mean something only beside another. */
  goesWith?: Readonly<Record<string, string>>;
  /** Whether it is about a session, where `needs` does not say so. */
  ofSession?: true;
  /** The action does what the command does, but runs another: advice may name it. */
  onlySaid?: true;
  /** An argument that is on when the caller watches the progress. */
  watched?: string;
  /** What the tool's description says of it. `as`: for several actions together. */
  brief?: string | { as: string; text: string };
  /** Of an argument that is missing, or that one would expect here. */
  advice?: Readonly<Record<string, Told>>;
}

/** Of an argument's schema. */
export interface ToolMeta {
  /** What it is called in a tool call. */
  mcp?: string;
  /** The few words that stand in every conversation. */
  brief?: string;
  /** Understood, and not worth its place in every conversation. */
  unsaid?: boolean;
  /** A list of which a tool call mostly has one: listed as a text, or as either. */
  list?: "one" | "either";
  /** A list of words: one text may be one of them or several, so it is neither. */
  words?: boolean;
}

export function metaOf(schema: z.ZodType): ToolMeta {
  const found: Record<string, unknown> = {};
  for (let one: z.ZodType | undefined = schema; one; one = innerOf(one))
    for (const [key, value] of Object.entries(one.meta() ?? {})) found[key] ??= value;
  return found as ToolMeta;
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  return (schema.def as { innerType?: z.ZodType }).innerType;
}

export function nameOf(key: string, schema: z.ZodType): string {
  return metaOf(schema).mcp ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export type Kind = "string" | "number" | "integer" | "boolean" | "strings" | "object" | "either";

interface Def {
  type: string;
  innerType?: z.ZodType;
  entries?: Record<string, string>;
  options?: readonly z.ZodType[];
}

/** What a value of it looks like, and the only values it can have. */
export function kindOf(schema: z.ZodType): { kind: Kind; values?: string[] } {
  const def = schema.def as unknown as Def;
  if (def.innerType) return kindOf(def.innerType);
  switch (def.type) {
    case "boolean":
      return { kind: "boolean" };
    case "number":
      return { kind: (schema as z.ZodNumber).format?.endsWith("int") ? "integer" : "number" };
    case "array":
      return { kind: "strings" };
    case "record":
    case "object":
      return { kind: "object" };
    case "enum":
      return { kind: "string", values: Object.values(def.entries ?? {}) };
    case "union":
      return { kind: "either" };
    default:
      return { kind: "string" };
  }
}

export function isRequired(schema: z.ZodType): boolean {
  return !["optional", "default"].includes((schema.def as unknown as Def).type);
}
