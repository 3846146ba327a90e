/** docs/answers.schema.json: the shape of every command's `--json` answer, from the declarations. */
import * as z from "zod";
import { REGISTERED } from "../commands/index.ts";

/** Raised when a key changes its meaning or goes away; new keys may come at any time. */
const VERSION = 1;

export function answersSchema(): string {
  const byShape = new Map<string, { commands: string[]; data: unknown }>();
  for (const { name, result } of REGISTERED) {
    const { $schema: _, ...data } = z.toJSONSchema(result, { unrepresentable: "any", reused: "ref" });
    const key = JSON.stringify(data);
    const known = byShape.get(key) ?? { commands: [], data };
    known.commands.push(name);
    byShape.set(key, known);
  }
  const head = {
    title: "Answers of sonde with --json",
    description:
      'One line: {"ok":true,"data":…} or {"ok":false,"error":{"code","message","hint"?,"details"?}}. "truncated":true when data was cut to 64 KiB. Here: data, by command.',
    version: VERSION,
  };
  // An answer a line: to be searched, and compared, by line.
  const answers = [...byShape.values()].map((one) => JSON.stringify(one)).join(",\n");
  return `${JSON.stringify(head).slice(0, -1)},"answers":[\n${answers}\n]}\n`;
}
