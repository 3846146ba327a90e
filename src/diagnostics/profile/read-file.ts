/** A profile from a file, whoever wrote it: by what is in it, not by its name. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { SondeError } from "../../errors.ts";
import { fromFolded } from "./formats/folded.ts";
import { fromPprof } from "./formats/pprof/read.ts";
import { fromSpeedscope } from "./formats/speedscope.ts";
import { fromCpuProfile, fromHeapProfile, type HeapProfile, isCpuProfile } from "./formats/v8.ts";
import { MOST_BYTES, MOST_FRAMES, MOST_JSON_BYTES, TooLarge } from "./limits.ts";
import type { Profile } from "./profile.ts";

export async function readProfileFile(path: string): Promise<Profile> {
  const profile = await bytesOf(path)
    .then((bytes) =>
      bytes[0] === 0x1f || bytes.includes(0) ? fromPprof(bytes) : text(bytes.toString("utf8")),
    )
    .catch((error: unknown) => {
      if (error instanceof SondeError) throw error;
      if (error instanceof TooLarge)
        throw new SondeError(
          "BAD_ARGUMENT",
          `${path} is too large to be read as a profile: ${error.message}`,
          {
            hint: "record for a shorter time, or let the tool that wrote it leave out rare stacks",
            cause: error,
          },
        );
      return undefined; // something else that is compressed, or not what its form promises
    });
  if (profile && profile.samples.length > 0) return profile;
  throw new SondeError(
    "BAD_ARGUMENT",
    profile ? `${path} has no samples` : `${path} is not a profile that can be read`,
    {
      hint: "V8's .cpuprofile, speedscope, folded stacks and pprof files can",
    },
  );
}

async function bytesOf(path: string): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    // Not to wait for the other end of a pipe.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) throw new SondeError("BAD_ARGUMENT", `${path} is not a file`);
    if (found.size > MOST_BYTES) throw TooLarge.bytes();
    return await file.readFile();
  } catch (error) {
    if (error instanceof SondeError || error instanceof TooLarge) throw error;
    throw new SondeError(
      "BAD_ARGUMENT",
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    await file?.close();
  }
}

function text(content: string): Profile | undefined {
  const data = parsed(content);
  if (data === undefined) return fromFolded(content, MOST_FRAMES);
  if (isCpuProfile(data)) return fromCpuProfile(data, undefined, MOST_FRAMES);
  if (isHeapProfile(data)) return fromHeapProfile(data, undefined, MOST_FRAMES);
  return fromSpeedscope(data, MOST_FRAMES);
}

function parsed(content: string): unknown {
  if (!/^\s*[[{]/.test(content)) return undefined;
  if (content.length > MOST_JSON_BYTES) throw TooLarge.bytes(MOST_JSON_BYTES);
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

function isHeapProfile(data: unknown): data is HeapProfile {
  if (typeof data !== "object" || data === null) return false;
  const { head } = data as Partial<HeapProfile>;
  return (
    typeof head === "object" &&
    head !== null &&
    Array.isArray(head.children) &&
    typeof head.callFrame === "object"
  );
}
