/** agent edit, agent cancel: a held tool call, changed or forbidden. */
import * as z from "zod";
import { advice, blank, named } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { oneLine } from "../../util/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, type Scope } from "./choosing.ts";
import { ask, controlled, stopsIn } from "./control.ts";
import { editedFields, editedWhole } from "./edited-input.ts";
import { thenWait, timeout, waiting } from "./moving.ts";
import { controlResult, dir, type HeldStop } from "./shapes.ts";
import { controlText } from "./stop-text.ts";

type HeldTool = HeldStop & { tool: NonNullable<HeldStop["tool"]> };

const tool = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe("which held tool call: its id, or the stop's (default: the only one that is held)")
  .meta({ brief: "tool call's id or stop's; default: the only one" });

async function heldTools(context: Context, scope: Scope): Promise<HeldTool[]> {
  const all = stopsIn(await ask(context, scope, "inspect", { what: "stops" }));
  return all.filter((one): one is HeldTool => one.tool !== undefined);
}

async function heldTool(context: Context, scope: Scope, wanted: string | undefined): Promise<HeldTool> {
  const held = await heldTools(context, scope);
  const list = held
    .map(({ id, tool: { name, id: toolId } }) => oneLine(`${id} ${name} ${toolId}`))
    .join("; ");
  const [only, ...others] = held;
  if (wanted !== undefined) {
    const found = held.find((one) => one.id === wanted || one.tool.id === wanted);
    if (found) return found;
    throw new SondeError("NOT_STOPPED", `no tool call ${wanted} is held`, {
      hint: list === "" ? "none is held" : `held: ${list}`,
    });
  }
  if (only === undefined) {
    throw new SondeError("NOT_STOPPED", "no tool call is held", {
      hint: advice`${scope.call("agent break add", { on: "tool", value: blank("name") })} holds one before it runs`,
    });
  }
  if (others.length === 0) return only;
  throw new SondeError("BAD_ARGUMENT", `${held.length} tool calls are held: ${list}`, {
    hint: advice`say which: ${named("tool")}`,
  });
}

export const edit = command({
  name: "agent edit",
  summary: "change a held tool call before it runs: field by field, or the whole input",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe("fields and their new values: command='ls -la'")
      .meta({ brief: 'fields to change, e.g. {"command":"ls"}' }),
    tool,
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("the whole input instead, as JSON")
      .meta({ brief: "the whole input instead" }),
    add: z.boolean().optional().describe("also set fields that the call does not have yet"),
    resume: z.boolean().optional().describe("then let the agent continue"),
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["fields"], long: ["fields", "input"] },
  mcp: {
    tool: "agent",
    action: "edit",
    takes: ["fields", "tool", "input", "add", "resume"],
    ofSession: true,
    oneOf: [["fields"], ["input"]],
    brief: "change a held tool call.",
  },
  examples: [
    "sonde agent edit command='ls -la'",
    "sonde agent edit command='ls -la' --resume",
    `sonde agent edit --tool s2 --input '{"path":"/tmp/x"}'`,
  ],
  run: async (context, args) => {
    const { fields, input, add = false, resume = false } = args;
    if ((fields === undefined) === (input === undefined)) {
      throw new SondeError("BAD_ARGUMENT", advice`edit takes ${named("fields")} or ${named("input")}`, {
        hint: advice`${{ do: "usage", command: "agent edit" }}, as in ${{ do: "call", command: "agent edit", args: { fields: { command: "ls -la" } } }}`,
      });
    }
    const scope = await runToControl(context, args);
    const held = await heldTool(context, scope, args.tool);
    const edited = fields ? editedFields(held.tool, { fields, add }) : editedWhole(held.tool, input);
    const answer = await ask(context, scope, "edit_tool", { toolId: held.tool.id, ...edited, resume });
    const did = `edited ${held.tool.name} (${held.tool.id})${resume ? " and let it go" : ", still held"}`;
    return controlled(context, scope, answer, did);
  },
  text: controlText,
});

export const cancel = command({
  name: "agent cancel",
  summary:
    "cancel a held tool call and tell the model why (Claude Code, library agents: as the tool's result; others: as text in place of the call, which may end the turn)",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    tool,
    reason: z.string().max(10_000).optional().describe("the reason that the model gets"),
    wait: waiting,
    timeout,
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["tool"] },
  mcp: {
    tool: "agent",
    action: "cancel",
    takes: ["tool", "reason", "wait", "timeout"],
    ofSession: true,
    brief: "forbid a held tool call.",
  },
  examples: ["sonde agent cancel", "sonde agent cancel --reason 'do not touch the database' --wait"],
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    // One that runs already may be cancelled too, by its id.
    const toolId = await toolIdOf(context, scope, args.tool);
    const answer = await ask(context, scope, "cancel_tool", { toolId, reason: args.reason });
    return thenWait(context, args, () => controlled(context, scope, answer, `cancelled ${toolId}`));
  },
  text: controlText,
});

async function toolIdOf(context: Context, scope: Scope, wanted: string | undefined): Promise<string> {
  const isStop = wanted === undefined || /^s\d+$/.test(wanted);
  return isStop ? (await heldTool(context, scope, wanted)).tool.id : wanted;
}
