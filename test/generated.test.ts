import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { generatedFiles } from "../src/generate/main.ts";

const ROOT = resolve(import.meta.dirname, "..");

test.each(Object.entries(generatedFiles()))(
  "%s is what the declarations say (else: npm run generate)",
  (path, text) => {
    const file = join(ROOT, path);
    expect(existsSync(file) ? readFileSync(file, "utf8") : "missing").toBe(text);
  },
);
