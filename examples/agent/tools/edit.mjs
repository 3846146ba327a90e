import { readFile, writeFile } from "node:fs/promises";

export const description = {
  name: "edit",
  description: "Replaces a text in a file. `old` must occur exactly once; take in as much around it as that needs.",
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, old: { type: "string" }, new: { type: "string" } },
    required: ["path", "old", "new"],
  },
};

export const summary = ({ path }) => path;

export async function run({ path, old, new: replacement }) {
  const text = await readFile(path, "utf8");
  const count = old === "" ? 0 : text.split(old).length - 1;
  if (count !== 1) throw new Error(`The old text occurs ${count} times in ${path}, not once.`);
  // A function: in a plain text `$&` and the like would stand for something else.
  await writeFile(path, text.replace(old, () => replacement));
  return `Edited ${path}.`;
}
