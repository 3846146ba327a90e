/** Native programs under the real binary: the shared fixtures, or a source of the test's own. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { stopped } from "../contract/rig.ts";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

export const LLDB = ["--adapter", "lldb"];
export const cFolder = builtFolder("c");

export function inC(): Sonde {
  return borrowSonde(cFolder);
}

export function at(program: string, name: string): string {
  return `${program}.c:${marker(join(cFolder, `${program}.c`), name)}`;
}

/** Compiles a program in the sonde's project. */
export function compile(sonde: Sonde, file: string, text: string, compiler = ["gcc", "-pthread"]): string {
  const [command = "", ...flags] = compiler;
  sonde.write(file, text);
  const output = file.replace(/\.\w+$/, "");
  const debug = command === "rustc" ? ["-g"] : ["-g", "-O0"];
  execFileSync(command, [...debug, ...flags, "-o", output, file], { cwd: sonde.project, stdio: "pipe" });
  return output;
}

export async function stops(sonde: Sonde, args: string | string[]) {
  return stopped(await sonde.ask<MoveResult>(args));
}

export async function ends(sonde: Sonde, args: string | string[]) {
  const result = await sonde.ask<MoveResult>(args);
  if (result.state !== "exited") throw new Error(`not exited: ${JSON.stringify(result)}`);
  return result;
}

/** Of a process: its state as ps shows it, and who traces it. Nothing once it is gone. */
export function traced(pid: number | undefined): { state: string; tracer: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return {
      state: /^State:\s*(\w)/m.exec(status)?.[1] ?? "",
      tracer: Number(/^TracerPid:\s*(\d+)/m.exec(status)?.[1]),
    };
  } catch {
    return undefined;
  }
}

/** A test that compiles Rust: rustup's rustc is on the PATH of many machines that have no toolchain behind it. */
export function rustTest(name: string, run: () => Promise<void>): void {
  test(name, { timeout: 90_000 }, async ({ skip }) => {
    if (compilerVersion("rust") === undefined) skip("no rustc that runs on this machine");
    await run();
  });
}
