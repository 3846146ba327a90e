/** agent checkpoint, rewind: the conversation of an agent that uses the library, as it was. */
import * as z from "zod";
import { advice } from "../../advice/advice.ts";
import { oneLine } from "../../util/text.ts";
import { command } from "../define.ts";
import { runToControl } from "./choosing.ts";
import { ask, control, controlled, stopsIn } from "./control.ts";
import { controlResult, dir } from "./shapes.ts";
import { controlText } from "./stop-text.ts";

export const checkpoint = command({
  name: "agent checkpoint",
  summary: "save the conversation as it is now (only for an agent that uses Sonde's library)",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ label: z.string().max(200).optional().describe("a name for it"), dir }),
  result: controlResult,
  cli: { positionals: ["label"], join: true },
  mcp: { tool: "agent", action: "checkpoint", takes: ["label"], ofSession: true },
  examples: ["sonde agent checkpoint 'before the refactoring'"],
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    const answer = await ask(context, scope, "checkpoint", { label: args.label });
    const id = String(answer.checkpoint);
    const back = advice`${scope.call("agent rewind", { checkpoint: id })} goes back to it`;
    return controlled(context, scope, answer, `checkpoint ${oneLine(id)}`, [back]);
  },
  text: controlText,
});

export const rewind = command({
  name: "agent rewind",
  summary: "put the conversation back to a checkpoint, before the next call; files stay as they are",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ checkpoint: z.string().min(1).max(100).describe("its id or its name"), dir }),
  result: controlResult,
  cli: { positionals: ["checkpoint"], join: true },
  mcp: { tool: "agent", action: "rewind", takes: ["checkpoint"], ofSession: true },
  examples: ["sonde agent rewind c2"],
  run: (context, args) =>
    control(context, args, "rewind", { checkpoint: args.checkpoint }, (answer) => {
      const isHeld = stopsIn(answer).some(({ at }) => at === "model");
      return `back to checkpoint ${oneLine(args.checkpoint)}, from the ${isHeld ? "held" : "next"} call to the model on`;
    }),
  text: controlText,
});
