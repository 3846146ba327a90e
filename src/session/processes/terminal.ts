/**
 * `runInTerminal`: an adapter that leaves it to us to start the program. There is no terminal: the program gets pipes of ours, so
 * that its two outputs are told apart and its input can be fed, and it ends with the session.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { pipeInput } from "../../util/pipe-input.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Output } from "../output/output.ts";
import type { Processes } from "./processes.ts";

export interface Around {
  /** What the program is to be given; the request's own comes on top of it. */
  env: Readonly<Record<string, string>>;
  debuggee: Debuggee;
  processes: Processes;
  output: Output;
}

export async function runInTerminal(
  request: DebugProtocol.RunInTerminalRequestArguments,
  { env, debuggee, processes, output }: Around,
): Promise<DebugProtocol.RunInTerminalResponse["body"]> {
  const [command = "", ...args] = request.args;
  const child = spawn(command, args, {
    cwd: request.cwd,
    env: withChanges(env, request.env),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const label = debuggee.parent === undefined ? undefined : debuggee.label;
  for (const category of ["stdout", "stderr"] as const) {
    child[category].setEncoding("utf8");
    child[category].on("data", (text: string) => output.append(category, text, label));
    child[category].on("error", () => {});
  }
  child.stdin.on("error", () => {}); // the program may end without having read
  await once(child, "spawn");
  const { pid = 0 } = child;
  processes.own(pid, "the program's launcher");
  child.once("exit", () => processes.release(pid));
  debuggee.stdin = pipeInput(child.stdin);
  debuggee.streams = once(child, "close").then(() => {});
  return { processId: pid };
}

/** `null` takes a variable away. */
function withChanges(
  env: Readonly<Record<string, string>>,
  changes: { [key: string]: string | null } = {},
): Record<string, string> {
  const merged: Record<string, string | null> = { ...env, ...changes };
  return Object.fromEntries(
    Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== null),
  );
}
