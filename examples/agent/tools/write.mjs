import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export const description = {
  name: "write",
  description: "Writes a file, with its folders. What it held before is gone.",
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};

export const summary = ({ path }) => path;

export async function run({ path, content }) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return `Wrote ${Buffer.byteLength(content)} bytes to ${path}.`;
}
