/** Compares text with a file in test/cli/golden; `UPDATE_GOLDEN=1 npx vitest run …` writes it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const GOLDEN = join(ROOT, "test/cli/golden");

export function expectGolden(name: string, text: string): void {
  const file = join(GOLDEN, `${name}.txt`);
  const actual = text.endsWith("\n") ? text : `${text}\n`;
  // An answer that is a defect must not become the expected one.
  expect(actual).not.toMatch(/error (REQUEST_FAILED|INTERNAL|TIMEOUT|ADAPTER_FAILED)/);
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  const where = relative(ROOT, file);
  expect(actual, `${where} differs; if the new text is right: UPDATE_GOLDEN=1 npx vitest run`).toBe(
    read(file, where),
  );
}

function read(file: string, where: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(`${where} does not exist; UPDATE_GOLDEN=1 npx vitest run writes it`);
  }
}
