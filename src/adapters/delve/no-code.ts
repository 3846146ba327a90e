/** Why no line of a file has code, where dlv says only that it could set no breakpoint. */

import { basename, dirname } from "node:path";
import { advice, optionOf, type Told } from "../../advice/advice.ts";
import { regExpText } from "../../util/text.ts";
import type { Wire } from "../kit/dialect.ts";

const NO_CODE = "this program has no code at or soon after this line";

export async function whyNoCode(wire: Wire, path: string): Promise<Told> {
  // Names of files are there without it too; types are not.
  if ((await asked(wire, "types ^string$"))?.length === 0)
    return "the program has no debug information: build it without -ldflags '-s -w'";
  const name = basename(path);
  const known = (await asked(wire, `sources ${regExpText(name)}$`))?.filter((one) => basename(one) === name);
  if (known === undefined || known.includes(path)) return NO_CODE;
  const [other] = known;
  if (other !== undefined)
    return advice`the program knows this file as ${other}: it was built elsewhere, or with -trimpath; ${optionOf("start", { map: [`${dirname(other)}=${dirname(path)}`] })} maps one to the other`;
  return `${name} is not part of this program, or none of its code is used`;
}

/** The lines of dlv's answer. Nothing while the program runs. */
async function asked(wire: Wire, command: string): Promise<string[] | undefined> {
  const answer = await wire.ask("evaluate", { expression: `dlv ${command}`, context: "repl" });
  if (!answer.success) return undefined;
  const lines = String(answer.body.result).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
