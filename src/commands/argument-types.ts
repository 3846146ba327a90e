/** Arguments that are more than a word or a number, as values; and how the command line writes them. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { advice, named } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import type { Context } from "./context.ts";

/** `--env KEY=VALUE`, as often as there are. */
export const environment = z
  .record(z.string(), z.string())
  .optional()
  .describe("an environment variable for the program");

/** `--arg-json '{"key": "value"}'` */
export const adapterArguments = z.record(z.string(), z.unknown()).meta({ flag: "--arg-json" }).optional();

const bytes = z.union([
  z.object({ file: z.string() }),
  z.object({ text: z.string() }),
  z.object({ base64: z.string() }),
]);
export type Input = z.infer<typeof bytes>;

/** `--stdin data.txt`: what a program reads, in a file or at hand. */
export const programInput = bytes.meta({ typed: "file" }).optional();

/** `--a 'python old.py'`: a command line in one word. */
export const commandLine = z.array(z.string()).meta({ typed: "words" }).optional();

export async function bytesOf(context: Context, from: Input): Promise<Buffer> {
  if ("text" in from) return Buffer.from(from.text);
  if ("base64" in from) return Buffer.from(from.base64, "base64");
  if (from.file === "-") return context.stdin();
  try {
    return readFileSync(resolve(context.cwd, from.file));
  } catch (error) {
    throw new SondeError("BAD_ARGUMENT", advice`${named("stdin")}: ${(error as Error).message}`);
  }
}
