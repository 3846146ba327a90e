/** What a program is to read, as commands take it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ProgramInput = { file: string } | { text: string } | { base64: string };

/** What fits into a request; more goes by a file. */
const MOST_BYTES = 256 * 1024;

/** A file is readable by nobody else, and gone when `body` is done: commands read it before they answer. */
export async function withProgramInput<T>(
  given: string | Uint8Array | { file: string } | undefined,
  body: (input: ProgramInput | undefined) => Promise<T>,
): Promise<T> {
  if (given === undefined) return body(undefined);
  if (typeof given === "object" && "file" in given) return body(given);
  if (given.length <= MOST_BYTES)
    return body(
      typeof given === "string" ? { text: given } : { base64: Buffer.from(given).toString("base64") },
    );
  const folder = mkdtempSync(join(tmpdir(), "sonde-input-"));
  try {
    const file = join(folder, "input");
    writeFileSync(file, given, { mode: 0o600 });
    return await body({ file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
