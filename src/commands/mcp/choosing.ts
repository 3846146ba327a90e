/** The action that a call means, or whose name it nearly has. */
import { advice, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import type { Command } from "../define.ts";
import { foreign } from "../foreign.ts";
import type { Values } from "./offer.ts";
import { type Action, runnable, type Tool } from "./tools.ts";

/** Which action, and what is left of the arguments. */
export function chosen(
  tools: readonly Tool[],
  name: string,
  given: Values,
  find: (name: string) => Command | undefined,
): { tool: Tool; action: Action; rest: Values } {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new SondeError("UNKNOWN_COMMAND", `no tool ${name}`);
  // Half of the tools say `action`: whoever means the same here is understood.
  const by = tool.by === "mode" && given.mode === undefined ? "action" : tool.by;
  const { [by]: said, ...rest } = given;
  const wanted = said ?? tool.usual;
  const actions = tool.actions.filter((one) => runnable(one).length > 0);
  const action = actions.find((one) => one.name === wanted);
  if (action) return { tool, action, rest };
  const hint = `one of ${actions.map((one) => one.name).join(", ")}`;
  if (wanted === undefined)
    throw new SondeError("BAD_ARGUMENT", `${tool.name} needs \`${tool.by}\``, { hint });
  throw new SondeError("BAD_ARGUMENT", `${tool.name} has no ${tool.by} ${JSON.stringify(wanted)}`, {
    hint: (typeof wanted === "string" ? meantBy(tool, wanted, tools, find) : undefined) ?? hint,
  });
}

function meantBy(
  tool: Tool,
  wanted: string,
  tools: readonly Tool[],
  find: (name: string) => Command | undefined,
): Told | undefined {
  const has = (one: Tool, name: string) => one.actions.some((action) => action.name === name);
  // `step` of a program is not that of an agent.
  const isAlike = (one: Tool) => one.by === tool.by && (one.name === "agent") === (tool.name === "agent");
  const elsewhere = tools.find((one) => isAlike(one) && has(one, wanted));
  if (elsewhere) return `it is one of the tool \`${elsewhere.name}\``;
  const plain = wanted.toLowerCase().replace(/[\s_-]/g, "");
  const here = tool.actions.find(({ name }) => name.replaceAll("_", "") === plain);
  const command = here ? runnable(here)[0]?.command : find(wanted);
  const meant = here ? undefined : foreign(plain);
  if (meant) return advice`use ${meant}`;
  if (command) return advice`use ${{ do: "call", command: command.name, args: {} }}`;
  const near = closest(
    wanted,
    tool.actions.map(({ name }) => name),
  );
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
