/**
 * What every command takes (src/advice/commands.generated.ts) and answers (src/library/commands.generated.ts), as TypeScript, from the
 * same schemas that check it at run time.
 */
import * as z from "zod";
import { adapterRow, check, languageRow, setupRow } from "../commands/adapters/rows.ts";
import * as shapes from "../commands/answers/shapes.ts";
import type { Command } from "../commands/define.ts";
import { diffResult } from "../commands/diff/shapes.ts";
import { REGISTERED } from "../commands/index.ts";
import { crashResult, death, threadGroup } from "../commands/runs/crash-shape.ts";
import { hangResult, waitingThread } from "../commands/runs/hang-shape.ts";
import { ending, probeResult } from "../commands/runs/probe-shape.ts";
import { shotShape } from "../commands/test/shape.ts";
import { feedbackShape, headShape, hitShape, runEnd, traceResult } from "../commands/trace/shapes.ts";

/** Shapes that occur in several answers, or that a caller will want to name. */
const NAMED: Record<string, z.ZodType> = {
  ValueLine: shapes.valueLine,
  FrameLine: shapes.frameLine,
  SourceLine: shapes.sourceLine,
  OutputLine: shapes.outputLine,
  OutputTail: shapes.outputTail,
  Snapshot: shapes.snapshotShape,
  Evaluation: shapes.evaluation,
  BreakpointRow: shapes.breakpointRow,
  MoveResult: shapes.moveResult,
  Ending: ending,
  ThreadGroup: threadGroup,
  Death: death,
  WaitingThread: waitingThread,
  FailureShot: shotShape,
  TraceHit: hitShape,
  TraceHead: headShape,
  RunEnd: runEnd,
  RuntimeFeedback: feedbackShape,
  AdapterRow: adapterRow,
  SetupRow: setupRow,
  Check: check,
  LanguageRow: languageRow,
  ProbeResult: probeResult,
  TraceResult: traceResult,
  DiffResult: diffResult,
  CrashResult: crashResult,
  HangResult: hangResult,
};

/** As much of JSON Schema as our schemas become. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export function libraryTypes(): string {
  const results = resultNames();
  const answers = schemasOf(new Map([...results].map(([schema, name]) => [name, schema])), "output");
  return [
    "/** Generated from the command declarations (`npm run generate`): what every command answers. */",
    "// biome-ignore-all format: generated",
    "",
    ...[...answers].map(([name, schema]) => declaration(name, schema, "")),
    map("CommandResults", "By command: what it answers, as with `--json`.", (one) => results.get(one.result)),
  ].join("\n");
}

export function argumentTypes(): string {
  const asked = new Map(REGISTERED.map((command) => [argumentsName(command), command.args]));
  const questions = schemasOf(asked, "input");
  return [
    "/** Generated from the command declarations (`npm run generate`): what every command takes. */",
    "// biome-ignore-all format: generated",
    "",
    ...REGISTERED.map((command) =>
      declaration(
        argumentsName(command),
        questions.get(argumentsName(command)) ?? {},
        " | undefined",
        `Of \`${command.name}\`: ${command.summary}.`,
      ),
    ),
    map("CommandArguments", "By command: what it takes.", argumentsName),
  ].join("\n");
}

export function argumentsName(command: Command): string {
  return `${pascal(command.name)}Arguments`;
}

/** Several commands may share a shape; it then has the name it was given, or that of the first. */
function resultNames(): Map<z.ZodType, string> {
  const names = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));
  for (const { name, result } of REGISTERED)
    if (!names.has(result)) names.set(result, `${pascal(name)}Result`);
  return names;
}

function schemasOf(named: ReadonlyMap<string, z.ZodType>, io: "input" | "output"): Map<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: "any", uri: (id) => id });
  return new Map([...named.keys()].map((name) => [name, (schemas[name] ?? {}) as Schema]));
}

function declaration(name: string, schema: Schema, absent: string, doc = schema.description): string {
  const head = doc === undefined ? "" : `/** ${comment(doc)} */\n`;
  if (schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0)
    return `${head}export interface ${name} ${body(schema, "", absent)}\n`;
  return `${head}export type ${name} = ${typeOf(schema, "", absent)};\n`;
}

function body({ properties = {}, required = [] }: Schema, indent: string, absent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([key, value]) => {
    const optional = !required.includes(key);
    const doc = value.description === undefined ? [] : [`${inner}/** ${comment(value.description)} */`];
    const type = typeOf(value, inner, absent);
    return [...doc, `${inner}${property(key)}${optional ? "?" : ""}: ${type}${optional ? absent : ""};`];
  });
  return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("\n")}\n${indent}}`;
}

export function typeOf(schema: Schema, indent: string, absent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*[/#]/, "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map((one) => typeOf(one, indent, absent)))].join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent, absent)).join(" | ");
  if (schema.prefixItems)
    return `[${schema.prefixItems.map((one) => typeOf(one, indent, absent)).join(", ")}]`;
  if (schema.type === "array") return listType(schema.items ?? {}, indent, absent);
  if (schema.type === "object") return objectType(schema, indent, absent);
  if (schema.type === "integer" || schema.type === "number") return "number";
  return schema.type ?? "unknown";
}

function listType(items: Schema, indent: string, absent: string): string {
  const type = typeOf(items, indent, absent);
  const union = items.anyOf ?? items.oneOf ?? items.enum ?? Array.isArray(items.type);
  return union ? `(${type})[]` : `${type}[]`;
}

function objectType(schema: Schema, indent: string, absent: string): string {
  if (schema.properties !== undefined) return body(schema, indent, absent);
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === "object" ? typeOf(values, indent, absent) : "unknown"}>`;
}

function map(name: string, doc: string, typeName: (command: Command) => string | undefined): string {
  const lines = REGISTERED.map((one) => `  ${property(one.name)}: ${typeName(one) ?? "unknown"};`);
  return `/** ${doc} */\nexport interface ${name} {\n${lines.join("\n")}\n}\n`;
}

export function property(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}

function comment(text: string): string {
  return text.replaceAll("*/", "* /");
}

function pascal(name: string): string {
  return name.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
