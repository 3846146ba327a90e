/** src/mcp/tools.generated.ts: the tools as `tools/list` shows them, so that the MCP server loads no declarations. */
import { REGISTERED } from "../commands/index.ts";
import { listed } from "../commands/mcp/listing.ts";
import { toolsOf } from "../commands/mcp/tools.ts";

export function toolList(): string {
  const lines = listed(toolsOf(REGISTERED)).map((tool) => `  ${JSON.stringify(tool)},\n`);
  return [
    "/** Generated from the command declarations (`npm run generate`): the tools as a client sees them. */",
    "// biome-ignore-all format: generated",
    'import type { Tool } from "@modelcontextprotocol/sdk/types.js";\n',
    `export const TOOLS: readonly Tool[] = [\n${lines.join("")}];\n`,
  ].join("\n");
}
