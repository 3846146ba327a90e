/** agent inspect: what the agent has in hand: the conversation, its size, its tools, the request it is about to send. */
import * as z from "zod";
import { command } from "../define.ts";
import { runToControl } from "./choosing.ts";
import { ask } from "./control.ts";
import { inspectionText } from "./inspect-text.ts";
import { agent, dir } from "./shapes.ts";

export const inspect = command({
  name: "agent inspect",
  summary:
    "show the agent's conversation, its size, its tools, or the request it sends next (held) or sent last",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    what: z
      .enum(["messages", "context", "tools", "system", "request", "diff", "stops", "all"])
      .default("all")
      .describe(
        "messages; context: size and tokens; tools; system: the system prompt; request: the whole body; diff: what the request before did not have",
      ),
    agent,
    dir,
  }),
  result: z.looseObject({ session: z.string() }).describe("the parts that were asked for"),
  cli: { positionals: ["what"] },
  mcp: { tool: "agent", action: "inspect", takes: ["what", "agent"], ofSession: true },
  examples: [
    "sonde agent inspect messages",
    "sonde agent inspect diff",
    "sonde agent inspect request --json",
  ],
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    const { what, agent: of } = args;
    return { ...(await ask(context, scope, "inspect", { what, agent: of })), session: scope.row.id };
  },
  text: inspectionText,
});
