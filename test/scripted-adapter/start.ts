/** Starts the scripted adapter as a real process and reads back what it was sent. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AdapterProcess } from "../../src/dap/process.ts";
import { connectSocket, listenForAdapter } from "../../src/dap/socket.ts";
import { stdioTransport } from "../../src/dap/stdio.ts";
import type { Message, Transport } from "../../src/dap/transport.ts";
import { validateMessage } from "../support/dap-schema.ts";
import type { Script } from "./script.ts";

export const SCRIPTED_ADAPTER = join(import.meta.dirname, "adapter.mjs");

export type Route = "stdio" | "tcp" | "callback" | "unix";

export interface ScriptedAdapter extends Disposable {
  transport: Transport;
  process: AdapterProcess;
  /** What it has received so far. */
  received(): Message[];
  /** Commands of the requests among them. */
  commands(): string[];
  /** What is wrong with what it received, by the protocol's own schema. */
  invalid(): string[];
}

/** Ended by pid when the test is over. */
export async function startScripted(script: Script, route: Route = "stdio"): Promise<ScriptedAdapter> {
  const folder = mkdtempSync(join(tmpdir(), "sonde-scripted-"));
  const record = join(folder, "received.jsonl");
  const scriptFile = join(folder, "script.json");
  writeFileSync(scriptFile, JSON.stringify(script));
  const start = async (...more: string[]) => {
    const args = [SCRIPTED_ADAPTER, "--script", scriptFile, "--record", record, ...more];
    const started = await AdapterProcess.spawn({ command: process.execPath, args });
    onTestFinished(() => end(started, folder));
    return started;
  };
  const { adapter, transport } = await reach(route, start, folder);
  const received = () => read(record);
  return {
    transport,
    process: adapter,
    received,
    commands: () => received().flatMap((message) => ("command" in message ? [String(message.command)] : [])),
    invalid: () => received().flatMap(validateMessage),
    [Symbol.dispose]: () => void end(adapter, folder),
  };
}

async function reach(
  route: Route,
  start: (...args: string[]) => Promise<AdapterProcess>,
  folder: string,
): Promise<{ adapter: AdapterProcess; transport: Transport }> {
  const timeoutMs = 10_000;
  if (route === "stdio") {
    const adapter = await start();
    return { adapter, transport: stdioTransport(adapter) };
  }
  if (route === "callback") {
    const listener = await listenForAdapter();
    const adapter = await start("--connect", `${listener.host}:${listener.port}`);
    return { adapter, transport: await listener.accept({ timeoutMs, process: adapter }) };
  }
  const path = join(folder, "adapter.sock");
  const adapter = await (route === "unix" ? start("--unix", path) : start("--listen"));
  const line = await firstLine(adapter);
  const address = route === "unix" ? { path } : { host: "127.0.0.1", port: Number(line.split(" ").at(-1)) };
  return { adapter, transport: await connectSocket(address, { timeoutMs, process: adapter }) };
}

function firstLine({ child }: AdapterProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve(text.trim());
    });
    child.once("exit", () => reject(new Error("the scripted adapter exited before it listened")));
  });
}

async function end(adapter: AdapterProcess, folder: string): Promise<void> {
  if (adapter.child.exitCode === null && adapter.child.signalCode === null) adapter.child.kill("SIGKILL");
  await adapter.ended;
  rmSync(folder, { recursive: true, force: true });
}

function read(record: string): Message[] {
  try {
    const lines = readFileSync(record, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Message);
  } catch {
    return []; // nothing came
  }
}
