import { readFile } from "node:fs/promises";

const MOST_LINES = 2000;

export const description = {
  name: "read",
  description: `Reads a text file, with line numbers. At most ${MOST_LINES} lines at a time: \`from\` is the first one.`,
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, from: { type: "integer", minimum: 1 } },
    required: ["path"],
  },
};

export const summary = ({ path }) => path;

export async function run({ path, from = 1 }) {
  const lines = (await readFile(path, "utf8")).split("\n");
  const shown = lines.slice(from - 1, from - 1 + MOST_LINES);
  const left = lines.length - (from - 1 + shown.length);
  const numbered = shown.map((line, index) => `${from + index}\t${line}`).join("\n");
  return left > 0 ? `${numbered}\n(${left} more lines)` : numbered;
}
