/** Text for a program's standard input, as the file that commands read it from. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `run` gets a path for each text; the files are gone when it is done: commands read them before they answer. */
export async function withInputs<T>(
  texts: readonly (string | undefined)[],
  run: (paths: (string | undefined)[]) => Promise<T>,
): Promise<T> {
  if (texts.every((text) => text === undefined)) return run(texts.map(() => undefined));
  const folder = mkdtempSync(join(tmpdir(), "sonde-input-"));
  try {
    const paths = texts.map((text, at) => {
      if (text === undefined) return undefined;
      const path = join(folder, `stdin-${at}`);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    });
    return await run(paths);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
