/** src/mcp/tools.generated.ts: the tools as `tools/list` shows them, so that the MCP server loads no declarations. */
import { markOf } from "../adapters/contract-record.ts";
import { LANGUAGES } from "../adapters/languages.ts";
import { ADAPTERS } from "../adapters/registry.ts";
import { REGISTERED } from "../commands/index.ts";
import { listed } from "../commands/mcp/listing.ts";
import { toolsOf } from "../commands/mcp/tools.ts";

function testedLanguages(): string[] {
  const tested = new Set(
    ADAPTERS.filter(({ name }) => markOf(name) === "tested").flatMap(({ languages }) => languages),
  );
  return LANGUAGES.filter(({ name }) => tested.has(name)).map(({ title }) => title);
}

export function toolList(): string {
  const lines = listed(toolsOf(REGISTERED)).map((tool) => `  ${JSON.stringify(tool)},\n`);
  return [
    "/** Generated from the command declarations (`npm run generate`): the tools as a client sees them. */",
    "// biome-ignore-all format: generated",
    'import type { Tool } from "@modelcontextprotocol/sdk/types.js";\n',
    "/** Of debuggers that the contract suite ran against. */",
    `export const LANGUAGES: readonly string[] = ${JSON.stringify(testedLanguages())};\n`,
    `export const TOOLS: readonly Tool[] = [\n${lines.join("")}];\n`,
  ].join("\n");
}
