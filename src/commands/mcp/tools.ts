/** The tools, each made of the commands that offer themselves to it. */

import type * as z from "zod";
import type { Told } from "../../advice/advice.ts";
import type { Command } from "../define.ts";
import { isRequired, nameOf, type Offer, type Spelling, type ToolName } from "./offer.ts";

export interface ToolHead {
  name: ToolName;
  /** The argument that says which of the actions. */
  by: "action" | "mode";
  /** Which, when nothing is said. */
  usual?: string;
  /** What stands before what its actions say of themselves. */
  lead: string;
  /** It changes nothing. */
  reads: boolean;
}

const HEADS: readonly ToolHead[] = [
  { name: "probe", by: "mode", usual: "place", reads: false, lead: "One run, no session." },
  { name: "trace", by: "mode", usual: "record", reads: false, lead: "Whole run recorded without stops." },
  {
    name: "debug",
    by: "action",
    reads: false,
    lead: "Live session. step_* and continue wait for a stop and return place, source, values, stack, output.",
  },
  { name: "inspect", by: "action", reads: true, lead: "Look at a live session." },
  {
    name: "agent",
    by: "action",
    reads: false,
    lead: "Hold, look into and change AI agents that run under `sonde agent run`: break_add, wait, edit or cancel, resume.",
  },
  {
    name: "diagnose",
    by: "action",
    reads: false,
    lead: "Where time and memory go, and what went wrong in Sonde itself.",
  },
];

/** A command behind an action. */
export interface Way {
  command: Command;
  offer: Offer;
  /** By its name in a tool call: an argument of the command, or a part of a spelling. */
  properties: ReadonlyMap<string, Property>;
}

export interface Property {
  schema: z.ZodType;
  /** The command's argument, if it is one. */
  key?: string;
  spelling?: Spelling;
  required: boolean;
}

export interface Action {
  name: string;
  ways: readonly Way[];
}

export interface Tool extends ToolHead {
  actions: readonly Action[];
}

/** `only`: those that are offered to this client. */
export function toolsOf(commands: readonly Command[], only?: readonly string[]): Tool[] {
  return HEADS.filter(({ name }) => only?.includes(name) ?? true).map((head) => ({
    ...head,
    actions: actionsOf(commands, head.name),
  }));
}

function actionsOf(commands: readonly Command[], tool: ToolName): Action[] {
  const byName = new Map<string, Way[]>();
  for (const command of commands)
    for (const offer of command.mcp)
      if (offer.tool === tool)
        byName.set(offer.action, [...(byName.get(offer.action) ?? []), wayOf(command, offer)]);
  return [...byName].map(([name, ways]) => ({ name, ways }));
}

function wayOf(command: Command, offer: Offer): Way {
  const properties = new Map<string, Property>();
  for (const spelling of offer.spelled ?? [])
    for (const [name, schema] of Object.entries(spelling.properties))
      properties.set(name, { schema, spelling, required: isRequired(schema) });
  for (const key of offer.takes ?? []) {
    const schema = command.args.shape[key] as z.ZodType | undefined;
    if (!schema) throw new Error(`${command.name} has no argument ${key} to offer to ${offer.tool}`);
    properties.set(nameOf(key, schema), { schema, key, required: isRequired(schema) });
  }
  return { command, offer, properties };
}

/** Those that a call runs. */
export function runnable({ ways }: Action): readonly Way[] {
  return ways.filter(({ offer }) => !offer.onlySaid);
}

export function adviceOn({ offer }: Way, name: string): Told | undefined {
  return offer.advice && Object.hasOwn(offer.advice, name) ? offer.advice[name] : undefined;
}
