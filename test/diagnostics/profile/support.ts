/** What the tests of profiles share. */
import { once } from "node:events";
import type { Sonde } from "../../support/sonde.ts";

export interface ProfileData {
  id: string;
  kind: "cpu" | "heap";
  title: string;
  seconds: number;
  means: string;
  unit: "ns" | "bytes";
  samples: number;
  idleSamples: number;
  busy: number;
  idle: number;
  end: { how: string; exitCode?: number; signal?: string };
  top: {
    name: string;
    file?: string;
    line?: number;
    mark?: string;
    self: number;
    selfShare: number;
    total: number;
    totalShare: number;
  }[];
  functions: number;
  folder: string;
  files: { kind: string; path: string }[];
  notes: string[];
}

export function fileOf({ files }: ProfileData, kind: string): string {
  const found = files.find((one) => one.kind === kind);
  if (!found) throw new Error(`no ${kind} among ${files.map((one) => one.kind).join(", ")}`);
  return found.path;
}

/** A process of the test's own that prints a line when it is up: its pid. */
export async function started(sonde: Sonde, command: string, args: string[]): Promise<number> {
  const child = sonde.program(command, args, { cwd: sonde.project });
  if (child.stdout === null || child.pid === undefined) throw new Error(`${command} was not started`);
  await once(child.stdout, "data");
  return child.pid;
}
