/** The MCP side: lists the tools, takes calls, reports progress, passes cancellation on. */
import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { VERSION } from "../client/build.ts";
import type { Client } from "../client/client.ts";
import { asSondeError, SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import type { Log } from "../util/log/writer.ts";
import { cut } from "../util/text.ts";
import { answered, failed } from "./answer.ts";
import { Caller } from "./caller.ts";
import noValidator from "./no-validator.ts";
import { progress } from "./progress.ts";
import { LANGUAGES } from "./tools.generated.ts";

export const INSTRUCTIONS = [
  `Debugger for ${LANGUAGES.join(", ")}.`,
  "First ask about a whole run: probe (values at a line, crash, hang, failing test), trace (values over time, two runs compared).",
  "debug and inspect drive live sessions, shared with the `sonde` command.",
].join(" ");

/** A client that offers roots answers at once or not at all. */
const ROOTS_MS = 2000;

export function createServer(client: Client, tools: readonly Tool[], log: Log): Server {
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
  server.oninitialized = () => {
    const { name = "a client", version = "" } = server.getClientVersion() ?? {};
    log("info", `connected: ${cut(`${name} ${version}`, 100)}`);
  };
  const names = tools.map(({ name }) => name);
  const caller = new Caller(client, names, () => (root ??= firstRoot(server)));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (!names.includes(params.name)) throw unknownTool(params.name, tools);
    const told = progress(extra);
    try {
      return answered(
        await caller.run({
          tool: params.name,
          args: params.arguments ?? {},
          signal: extra.signal,
          ...(told ? { onChunk: told.say } : {}),
        }),
      );
    } catch (thrown) {
      const { code, message } = asSondeError(thrown);
      // The others are answers about the program, and the daemon's own mistakes are in the log already.
      if (code === "DAEMON_FAILED" || !(thrown instanceof SondeError))
        log("error", `${params.name}: ${code}: ${message}`);
      return failed(thrown);
    } finally {
      told?.end();
    }
  });
  return server;
}

function unknownTool(name: string, tools: readonly Tool[]): McpError {
  const names = tools.map((tool) => tool.name);
  const near = closest(name, names);
  const owner = tools.flatMap((tool) =>
    actionsOf(tool)
      .filter((one) => one.value === name)
      .map((one) => ({ ...one, tool: tool.name })),
  )[0];
  const advice = near
    ? `did you mean ${near}?`
    : owner
      ? `it is the ${owner.by} ${name} of ${owner.tool}`
      : `there are: ${names.join(", ")}`;
  return new McpError(ErrorCode.InvalidParams, `no tool ${name}; ${advice}`);
}

function actionsOf({ inputSchema }: Tool): { by: string; value: unknown }[] {
  return ["action", "mode"].flatMap((by) => {
    const { enum: values } = (inputSchema.properties?.[by] ?? {}) as { enum?: unknown[] };
    return (values ?? []).map((value) => ({ by, value }));
  });
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
