/** The MCP side: lists the tools, takes calls, reports progress, passes cancellation on. */
import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { VERSION } from "../client/build.ts";
import type { Client } from "../client/client.ts";
import { closest } from "../util/closest.ts";
import { answered, failed } from "./answer.ts";
import { Caller } from "./caller.ts";
import { toolWords } from "./hints.ts";
import noValidator from "./no-validator.ts";
import { progress } from "./progress.ts";
import { listed } from "./schema.ts";
import type { Tool } from "./tool.ts";

export const INSTRUCTIONS = [
  "Debugger for Python, JS/TS, C, C++, Rust, Go, Java, Ruby, PHP.",
  "First ask about a whole run: probe (values at a line, crash, hang, failing test), trace (values over time, two runs compared).",
  "debug and inspect drive live sessions, shared with the `sonde` command.",
].join(" ");

/** A client that offers roots answers at once or not at all. */
const ROOTS_MS = 2000;

export function createServer(client: Client, tools: readonly Tool[]): Server {
  const server = new Server(
    { name: "sonde", title: "Sonde debugger", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: { getValidator: noValidator },
    },
  );
  let root: Promise<string | undefined> | undefined;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    root = undefined;
  });
  const surface = toolWords(tools);
  const caller = new Caller(client, tools, () => (root ??= firstRoot(server)));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(tools) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, tools);
    const told = progress(extra);
    let command: string | undefined;
    const asked = {
      tool,
      args: params.arguments ?? {},
      signal: extra.signal,
      onCommand: (name: string) => {
        command = name;
      },
      ...(told ? { onChunk: told.say } : {}),
    };
    try {
      const result = await caller.run(asked);
      return answered(result, { surface, command });
    } catch (thrown) {
      return failed(thrown, { surface, command });
    } finally {
      told?.end();
    }
  });
  return server;
}

function unknownTool(name: string, tools: readonly Tool[]): McpError {
  const names = tools.map((tool) => tool.name);
  const near = closest(name, names);
  const owner = tools.find(({ actions }) => actions.some((action) => action.name === name));
  const advice = near
    ? `did you mean ${near}?`
    : owner
      ? `it is the ${owner.by} ${name} of ${owner.name}`
      : `there are: ${names.join(", ")}`;
  return new McpError(ErrorCode.InvalidParams, `no tool ${name}; ${advice}`);
}

async function firstRoot(server: Server): Promise<string | undefined> {
  if (!server.getClientCapabilities()?.roots) return undefined;
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    return roots.filter(({ uri }) => uri.startsWith("file://")).map(({ uri }) => fileURLToPath(uri))[0];
  } catch {
    return undefined; // our own folder will do
  }
}
