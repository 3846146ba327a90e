/** A tool as `tools/list` shows it. Every byte of it stands in each conversation, so nothing is said twice. */
import type { Tool as Listed } from "@modelcontextprotocol/sdk/types.js";
import { type Name, PROPERTIES, type Property, toldIn } from "./arguments.ts";
import type { Tool } from "./tool.ts";

export function listed(tools: readonly Tool[]): Listed[] {
  const said = new Set<Name>();
  return tools.map((tool) => listedOne(tool, said));
}

/** `said`: arguments that a tool before has explained. */
function listedOne(tool: Tool, said: Set<Name>): Listed {
  const { name, by, usual, description, annotations, actions } = tool;
  const names = [...new Set(actions.flatMap(toldIn))];
  const properties = names.map((one) => {
    const property = PROPERTIES[one];
    const single: Property = property.kind === "names" ? { ...property, kind: "string" } : property;
    return [one, propertySchema(tool.several?.includes(one) ? property : single, said.has(one))];
  });
  for (const one of names) said.add(one);
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: {
        [by]: {
          type: "string",
          enum: actions.map((action) => action.name),
          ...(usual ? { default: usual } : {}),
        },
        ...Object.fromEntries(properties),
      },
      ...(usual ? {} : { required: [by] }),
    },
    annotations,
  };
}

function propertySchema({ kind, says, values }: Property, said: boolean): object {
  const description = says === undefined || said ? {} : { description: says };
  if (values) return { type: "string", enum: values, ...description };
  if (kind === "strings") return { type: "array", items: { type: "string" }, ...description };
  if (kind === "names") return { type: ["string", "array"], items: { type: "string" }, ...description };
  if (kind === "handle") return { type: ["integer", "string"], ...description };
  return { type: kind, ...description };
}
