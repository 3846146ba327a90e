/** Of docs/library.md: what the calls that one begins with answer, in outline, from the schemas of the answers. */
import * as z from "zod";
import { evaluation, moveResult, outputTail, snapshotShape, valueLine } from "../commands/answers/shapes.ts";
import { hitShape, traceResult } from "../commands/trace/shapes.ts";

/** As much of JSON Schema as an outline needs. */
interface Schema {
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

const SHAPES: Record<string, z.ZodType> = {
  MoveResult: moveResult,
  Snapshot: snapshotShape,
  ValueLine: valueLine,
  Evaluation: evaluation,
  OutputTail: outputTail,
  TraceResult: traceResult,
  TraceHit: hitShape,
};

const EXAMPLES = `\`\`\`js
const { state, snapshot, evaluations } = session.opened; // MoveResult, as of every move; snapshot if state is "stopped"
snapshot.values.find(({ name }) => name === "total")?.value; // values are texts, as the debugger shows them
const { trace, hits } = await sonde.trace({ at: ["app.js:7=total,count"] });
hits.map(({ values: [total, count] }) => total); // in the order of trace.plan.points[hit.point].expressions
\`\`\`
`;

export function libraryAnswers(): string {
  return [
    "## Answers\n",
    EXAMPLES,
    "Every shape is under [Types](#types); those that are met first, in outline (`?`: not always there):\n",
    ...Object.entries(SHAPES).map(
      ([name, shape]) => `- [\`${name}\`](#${name.toLowerCase()}): ${outline(shape)}`,
    ),
    "",
  ].join("\n");
}

function outline(shape: z.ZodType): string {
  const schema = z.toJSONSchema(shape, { io: "output", unrepresentable: "any" }) as Schema;
  const ways = (schema.anyOf ?? schema.oneOf ?? [schema]).map(keysOf);
  // Several kinds may have the same keys.
  const same = new Map<string, string[]>();
  for (const { kind, keys } of ways) same.set(keys, [...(same.get(keys) ?? []), ...kind]);
  return [...same].map(([keys, kinds]) => `\`{ ${[...kindText(kinds), keys].join(", ")} }\``).join(" or ");
}

function kindText(kinds: readonly string[]): string[] {
  const [first] = kinds;
  return first === undefined
    ? []
    : [`${first.split(":")[0]}: ${kinds.map((one) => one.split(": ")[1]).join(" | ")}`];
}

function keysOf({ properties = {}, required = [] }: Schema): { kind: string[]; keys: string } {
  const all = Object.entries(properties);
  const isKind = ([key, { const: only }]: [string, Schema]) =>
    typeof only === "string" && required.includes(key);
  return {
    kind: all.filter(isKind).map(([key, { const: only }]) => `${key}: ${JSON.stringify(only)}`),
    keys: all
      .filter((one) => !isKind(one))
      .map(([key]) => `${key}${required.includes(key) ? "" : "?"}`)
      .join(", "),
  };
}
