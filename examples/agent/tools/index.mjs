// The tools: what the model is told about each, and how it is run. A new one is a file of its own and a line here.
import * as bash from "./bash.mjs";
import * as edit from "./edit.mjs";
import * as read from "./read.mjs";
import * as write from "./write.mjs";

const ALL = [read, write, edit, bash];

export const TOOLS = ALL.map(({ description }) => description);

/**
 * @param {string} name
 * @param {unknown} input what the model wrote: anything
 * @param {{ terminal, yes: boolean, signal: AbortSignal }} context
 * @returns {Promise<string>} what the model is told; it is told what is thrown, too
 */
export async function runTool(name, input, context) {
  const tool = ALL.find(({ description }) => description.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const { required } = tool.description.input_schema;
  const missing = required.filter((key) => typeof input?.[key] !== "string");
  if (missing.length > 0) throw new Error(`${name} needs a text for ${missing.join(" and ")}.`);
  context.terminal.note(`${name} ${tool.summary(input)}`);
  return tool.run(input, context);
}
