/** What answers about agents consist of. */
import * as z from "zod";
import { told } from "../answers/shapes.ts";

/** Of every command about agents. */
export const dir = z
  .string()
  .optional()
  .describe("look for runs in this folder, under `sessions/` (default: Sonde's own)")
  .meta({ brief: "folder that holds sessions/", unsaid: true });

/** Of those that are about one agent of a run. */
export const agent = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("only this agent of the run: `main`, or the id of a sub-agent")
  .meta({ brief: "main or a sub-agent's id" });

export const all = z
  .boolean()
  .optional()
  .describe("also Sonde's own commands to the agent (command_executed, command_response)");

export const seconds = z.number().nonnegative().max(86_400).optional();

/** What a person has changed in a request that is not sent yet. */
export const changes = z.object({
  injected: z.array(z.looseObject({ role: z.string() })),
  set: z.record(z.string(), z.unknown()),
  replaced: z.boolean(),
});
export type Changes = z.infer<typeof changes>;

/** Something that is held, as the agent's process tells it, and how often its breakpoint was hit. */
export const heldStop = z.object({
  id: z.string(),
  reason: z.string(),
  at: z.string(),
  agent: z.object({ id: z.string(), parent: z.string().exactOptional(), name: z.string().exactOptional() }),
  turn: z.number().exactOptional(),
  iteration: z.number().exactOptional(),
  totalIterations: z.number().exactOptional(),
  breakpoint: z.number().exactOptional(),
  hits: z.number().exactOptional(),
  why: z.string(),
  tool: z
    .object({
      id: z.string(),
      name: z.string(),
      input: z.unknown(),
      exact: z
        .string()
        .exactOptional()
        .describe("input as JSON text, where it has numbers that a value cannot hold"),
    })
    .exactOptional(),
  req: z.number().exactOptional(),
  since: z.string().exactOptional(),
  deadline: z.object({ at: z.string(), outcome: z.string() }).exactOptional(),
  actions: z.array(z.string()),
  orphaned: z.boolean().exactOptional(),
  /** What it costs to hold it for long. */
  price: z
    .object({
      cachedTokens: z.number().describe("tokens that the provider keeps"),
      until: z.string().describe("until then at least"),
      dollars: z.number().exactOptional().describe("what the next call costs more after that, estimated"),
    })
    .exactOptional(),
  /** Before a call of the model: what is about to be sent. */
  sends: z
    .object({
      model: z.string().exactOptional(),
      messages: z.number(),
      recent: z.array(z.object({ role: z.string(), preview: z.string() })),
      changes: changes.exactOptional(),
    })
    .exactOptional(),
});
export type HeldStop = z.infer<typeof heldStop>;

/** How a run stands. */
export const runState = z.object({
  session: z.string(),
  state: z.enum(["running", "pausing", "held", "ended", "unknown"]),
  /** Of one that has ended: how. */
  ended: z.string().exactOptional(),
  held: z.array(heldStop),
});
export type RunState = z.infer<typeof runState>;

/** What a control has done, and how the run stands now. */
export const controlResult = runState.extend({
  did: z.string().describe("what was done, in words"),
  next: z.array(told()).describe("what to do next"),
});
export type ControlResult = z.infer<typeof controlResult>;
