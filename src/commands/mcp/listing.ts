/** A tool as `tools/list` shows it. Every byte of it stands in each conversation, so nothing is said twice. */
import * as z from "zod";
import { kindOf, metaOf } from "./offer.ts";
import { CWD, isOfSession, SESSION, TIMEOUT } from "./reading.ts";
import { runnable, type Tool, type Way } from "./tools.ts";

export interface Listed {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object>; required?: string[] };
  annotations: Record<string, boolean>;
}

export function listed(tools: readonly Tool[]): Listed[] {
  const said = new Set<string>();
  return tools.map((tool) => listedOne(tool, said));
}

/** `said`: arguments that a tool before has explained. */
function listedOne(tool: Tool, said: Set<string>): Listed {
  const { name, by, usual, reads } = tool;
  const properties = new Map<string, object>();
  for (const [one, schema] of shown(tool)) {
    if (properties.has(one)) continue;
    properties.set(one, propertySchema(schema, said.has(one)));
    if (metaOf(schema).brief !== undefined) said.add(one);
  }
  return {
    name,
    description: descriptionOf(tool),
    inputSchema: {
      type: "object",
      properties: {
        [by]: {
          type: "string",
          enum: tool.actions.filter((one) => runnable(one).length > 0).map((action) => action.name),
          ...(usual ? { default: usual } : {}),
        },
        ...Object.fromEntries(properties),
      },
      ...(usual ? {} : { required: [by] }),
    },
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads,
      idempotentHint: reads,
      openWorldHint: !reads,
    },
  };
}

function* shown(tool: Tool): Generator<[string, z.ZodType]> {
  const ways = tool.actions.flatMap(runnable);
  for (const { offer, properties } of ways) {
    for (const [name, { schema }] of properties)
      if (!metaOf(schema).unsaid) yield [name, name === "timeout" ? TIMEOUT : schema];
    if (offer.when) yield [offer.when.name, whenSchema(ways, offer.when.name)];
  }
  if (ways.some(isOfSession)) yield ["session", SESSION];
  yield ["cwd", CWD];
  yield ["timeout", TIMEOUT];
}

function whenSchema(ways: readonly Way[], name: string): z.ZodType {
  const all = ways.flatMap(({ offer }) => (offer.when?.name === name ? [offer.when] : []));
  const brief = all.map((one) => one.brief).find((one) => one !== undefined);
  return z.enum(all.flatMap(({ values }) => values)).meta(brief === undefined ? {} : { brief });
}

/** Its own words, then those of its actions. */
function descriptionOf({ lead, actions, usual }: Tool): string {
  const briefs = actions.flatMap(({ name, ways }) =>
    ways.flatMap(({ offer: { brief } }) => {
      if (brief === undefined) return [];
      const own = `${name}${name === usual ? " (default)" : ""}`;
      return [typeof brief === "string" ? `${own}: ${brief}` : `${brief.as}: ${brief.text}`];
    }),
  );
  return [lead, ...new Set(briefs)].join(" ");
}

function propertySchema(schema: z.ZodType, isSaid: boolean): object {
  const { brief, list } = metaOf(schema);
  const description = brief === undefined || isSaid ? {} : { description: brief };
  const { kind, values } = kindOf(schema);
  if (values) return { type: "string", enum: values, ...description };
  if (kind === "strings" && list === "one") return { type: "string", ...description };
  const items = { items: { type: "string" } };
  if (kind === "strings" && list === "either") return { type: ["string", "array"], ...items, ...description };
  if (kind === "strings") return { type: "array", ...items, ...description };
  if (kind === "either") return { type: ["integer", "string"], ...description };
  return { type: kind, ...description };
}
