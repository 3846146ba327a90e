/** How soon an agent has the tools: `sonde mcp` from its start to the answer of tools/list, against the start of Node alone. */
import { spawn } from "node:child_process";
import { sideBySide, timeProcess } from "./measure.mjs";

/** Over Node's own start, in ms. */
const MOST_MS = 250;

const ASKED = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

export async function mcpRows(workshop, say) {
  say("MCP server");
  const { bin, env, cwd } = workshop;
  const measured = await sideBySide({
    ours: () => timeToTools(bin, { env, cwd }),
    baseline: () => timeProcess(process.execPath, ["-e", "0"], { env, cwd }),
    rounds: 21,
  });
  return [
    { what: "`sonde mcp` → tools/list / `node -e 0`", unit: "ms", ...measured },
    {
      what: "  over Node's own start",
      unit: "ms",
      ours: measured.ours - measured.baseline,
      kind: "ours",
      must: MOST_MS,
    },
  ];
}

/** Until the answer to the second request is there; the end is waited for, not counted. */
async function timeToTools(bin, options) {
  const began = performance.now();
  const server = spawn(bin, ["mcp"], { stdio: ["pipe", "pipe", "inherit"], ...options });
  let ms;
  let text = "";
  server.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    if (ms !== undefined || !/"id":2\b[^\n]*\n|"inspect"[^\n]*\n/.test(text)) return;
    ms = performance.now() - began;
    server.stdin.end();
  });
  server.stdin.write(ASKED);
  const status = await new Promise((done) => server.once("close", done));
  if (status !== 0 || ms === undefined || !text.includes('"inspect"'))
    throw new Error(`sonde mcp ended with ${status}: ${text.slice(0, 500)}`);
  return ms;
}
