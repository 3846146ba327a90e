/** A profile from a file, whoever wrote it: by what is in it, not by its name. */
import { readFileSync, statSync } from "node:fs";
import { SondeError } from "../../errors.ts";
import { fromFolded } from "./formats/folded.ts";
import { fromPprof } from "./formats/pprof.ts";
import { fromSpeedscope } from "./formats/speedscope.ts";
import { fromCpuProfile, fromHeapProfile, type HeapProfile, isCpuProfile } from "./formats/v8.ts";
import type { Profile } from "./profile.ts";

const MOST_BYTES = 256 << 20;

export function readProfileFile(path: string): Profile {
  const bytes = bytesOf(path);
  const profile = bytes[0] === 0x1f || bytes.includes(0) ? binary(bytes) : text(bytes.toString("utf8"));
  if (profile && profile.samples.length > 0) return profile;
  throw new SondeError(
    "BAD_ARGUMENT",
    profile ? `${path} has no samples` : `${path} is not a profile that can be read`,
    {
      hint: "V8's .cpuprofile, speedscope, folded stacks and pprof files can",
    },
  );
}

function bytesOf(path: string): Buffer {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new SondeError("BAD_ARGUMENT", `${path} is not a file`);
    if (found.size > MOST_BYTES)
      throw new SondeError("BAD_ARGUMENT", `${path} is larger than ${MOST_BYTES >> 20} MB`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof SondeError) throw error;
    throw new SondeError(
      "BAD_ARGUMENT",
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function binary(bytes: Buffer): Profile | undefined {
  try {
    const profile = fromPprof(bytes);
    return profile.frames.length > 0 ? profile : undefined;
  } catch {
    return undefined; // something else that is compressed, or not text
  }
}

function text(content: string): Profile | undefined {
  const data = parsed(content);
  if (data === undefined) return fromFolded(content);
  if (isCpuProfile(data)) return fromCpuProfile(data);
  if (isHeapProfile(data)) return fromHeapProfile(data);
  return fromSpeedscope(data);
}

function parsed(content: string): unknown {
  if (!/^\s*[[{]/.test(content)) return undefined;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

function isHeapProfile(data: unknown): data is HeapProfile {
  const { head } = data as Partial<HeapProfile>;
  return (
    typeof head === "object" &&
    head !== null &&
    Array.isArray(head.children) &&
    typeof head.callFrame === "object"
  );
}
