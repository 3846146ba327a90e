/** The built server and the official client, over standard streams, as an agent has them. */
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { binary, type Sonde } from "../support/sonde.ts";

export interface Result {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

export interface Mcp {
  client: Client;
  /** A call, whatever it comes to. */
  call(
    tool: string,
    args: Record<string, unknown>,
    options?: Parameters<Client["callTool"]>[2],
  ): Promise<Result>;
  /** One that must be good. */
  ok(tool: string, args: Record<string, unknown>): Promise<Result>;
  /** The error of one that must not be. */
  refused(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ code: string; message: string; hint?: string }>;
}

export async function startMcp(sonde: Sonde, args: string[] = [], options?: ClientOptions): Promise<Mcp> {
  const client = new Client({ name: "sonde-test", version: "1" }, options);
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: binary(),
      args: ["mcp", ...args],
      cwd: sonde.project,
      env: sonde.env,
      stderr: "inherit",
    }),
  );
  return wrap(client);
}

export function wrap(client: Client): Mcp {
  const call: Mcp["call"] = async (name, args, options) => {
    const answer = await client.callTool({ name, arguments: args }, CallToolResultSchema, {
      timeout: 120_000,
      ...options,
    });
    const { content, structuredContent, isError } = CallToolResultSchema.parse(answer);
    const [first] = content;
    return {
      text: first?.type === "text" ? first.text : "",
      data: structuredContent ?? {},
      isError: isError ?? false,
    };
  };
  const ok: Mcp["ok"] = async (tool, args) => {
    const result = await call(tool, args);
    if (result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${result.text}`);
    return result;
  };
  const refused: Mcp["refused"] = async (tool, args) => {
    const { isError, text, data } = await call(tool, args);
    if (!isError) throw new Error(`${tool} ${JSON.stringify(args)} was not refused: ${text}`);
    const { code, message, hint } = data.error as { code: string; message: string; hint?: string };
    if (!text.includes(message)) throw new Error(`the text does not say ${message}: ${text}`);
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  };
  return { client, call, ok, refused };
}
