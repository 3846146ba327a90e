/** `.vscode/launch.json` and `tasks.json`: found upward from the caller, with the comments and trailing commas editors allow. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import JSON5 from "json5";
import * as z from "zod";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { readSmallFile } from "../../util/small-file.ts";

const MOST_BYTES = 5_000_000;

const Configuration = z.looseObject({
  name: z.string(),
  type: z.string(),
  request: z.enum(["launch", "attach"]).default("launch"),
});
export type Configuration = z.infer<typeof Configuration>;

const Compound = z.looseObject({
  name: z.string(),
  configurations: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])),
  preLaunchTask: z.string().optional(),
});
export type Compound = z.infer<typeof Compound>;

const Input = z.looseObject({ id: z.string(), description: z.string().optional() });

const LaunchJson = z.looseObject({
  configurations: z.array(Configuration).default([]),
  compounds: z.array(Compound).default([]),
  inputs: z.array(Input).default([]),
});

export type LaunchJson = z.infer<typeof LaunchJson> & {
  file: string;
  /** What ${workspaceFolder} means: the folder that holds `.vscode`. */
  folder: string;
};

/** The nearest one upward. */
export function findLaunchJson(cwd: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    const file = join(at, ".vscode", "launch.json");
    if (existsSync(file)) return file;
    if (dirname(at) === at) return undefined;
  }
}

export function readLaunchJson(cwd: string): LaunchJson {
  const file = findLaunchJson(cwd);
  if (file === undefined)
    throw new SondeError("BAD_ARGUMENT", `no .vscode/launch.json in ${cwd} or above it`, {
      hint: advice`${call("start", { program: blank("program") })} needs none`,
    });
  return { ...readChecked(file, LaunchJson), file, folder: dirname(dirname(file)) };
}

export function readChecked<T>(file: string, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(parse(file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  throw new SondeError(
    "BAD_CONFIG",
    `${file}: ${where?.join("").replace(/^\./, "") || "the whole file"}: ${issue?.message ?? "wrong"}`,
  );
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readSmallFile(file, MOST_BYTES);
  } catch (error) {
    throw new SondeError("BAD_CONFIG", `${file}: ${(error as Error).message}`);
  }
  try {
    return JSON5.parse(text);
  } catch (error) {
    const { lineNumber, columnNumber, message } = error as Error & {
      lineNumber?: number;
      columnNumber?: number;
    };
    const what = message.replace(/^JSON5: /, "").replace(/ at \d+:\d+$/, "");
    throw new SondeError("BAD_CONFIG", `${file}:${lineNumber ?? 1}:${columnNumber ?? 1}: ${what}`, {
      hint: "the file must be JSON (comments and trailing commas are allowed): fix that line",
    });
  }
}
