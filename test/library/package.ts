/** The built package as a program finds it: in node_modules of a project, used by a Node of its own. */
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { binary, createSonde, type Sonde } from "../support/sonde.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

export function distFolder(): string {
  return join(dirname(binary()), "../dist");
}

/** A project that depends on sonde. */
export function createProject(): Sonde {
  const sonde = createSonde();
  const folder = join(sonde.project, "node_modules/sonde");
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  symlinkSync(distFolder(), join(folder, "dist"));
  return sonde;
}

/**
 * Runs a module of the project's to its own end: one that leaves something open does not end. What it says with `say(value)` is given
 * back, in order.
 */
export async function run(
  sonde: Sonde,
  code: string,
  options: { node?: string; type?: "mjs" | "cjs" } = {},
): Promise<unknown[]> {
  const { node = process.execPath, type = "mjs" } = options;
  const file = sonde.write(
    `main.${type}`,
    `const say = (value) => console.log(JSON.stringify(value));\n${code}`,
  );
  const child = sonde.program(node, [file]);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const status = await new Promise((done) => child.once("close", done));
  if (status !== 0) throw new Error(`status ${status}\n${stdout}\n${stderr}`);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
