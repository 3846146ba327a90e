/**
 * A program that holds a real bridge, as an agent does: each line on its standard input is something the agent is about to do, each line on
 * its standard output what became of it. `node --import tsx agent-program.ts <root> <socket folder> [name]`
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createCore } from "../../../src/agent/core/bridge.ts";
import { MAIN, type Message, type Part } from "../../../src/agent/core/model.ts";
import { CommandFile } from "../../../src/agent/inbox/command-file.ts";
import { listenForCommands } from "../../../src/agent/inbox/control-server.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { createSession, endSession } from "../../../src/agent/store/sessions.ts";

const [root = "", sockets = "", name] = process.argv.slice(2);
const session = createSession(root, {
  cwd: process.cwd(),
  route: "library",
  client: "test agent",
  version: "test",
  ...(name === undefined ? {} : { name }),
  socket: (id) => join(sockets, `${id.slice(-9)}.sock`),
});
const log = EventLog.open(session);
const bridge = createCore({ log, sessionId: session.id });
const file = new CommandFile(session.commands, bridge, {
  onBad: ({ message }) => log.append("error", { message, context: "commands.jsonl" }),
});
const socket = await listenForCommands(bridge, session.session.socket ?? "", { events: log });
log.append("session_start", { client: "test agent", argv: ["agent"], cwd: process.cwd(), pid: process.pid });
log.flush();
say({ session: session.id });

const messages: Message[] = [];
let calls = 0;
let waiting = new AbortController();

async function model(said: string, signal: AbortSignal): Promise<unknown> {
  if (messages.length === 0) messages.push({ role: "user", parts: [{ kind: "text", text: said }] });
  else {
    messages.push({ role: "assistant", parts: [{ kind: "tool_call", id: "t", name: "Bash", input: {} }] });
    messages.push({ role: "user", parts: [{ kind: "tool_result", id: "t", text: said, isError: false }] });
  }
  const plain = messages.map(({ role, parts }) => ({ role, content: parts.map(block) }));
  const decision = await bridge.beforeModel(
    {
      key: `call ${++calls}`,
      agent: MAIN,
      class: "main",
      provider: "test",
      request: {
        wire: "library",
        model: "test-model",
        stream: false,
        system: "You are a test.",
        messages: [...messages],
        tools: [{ name: "Bash", description: "runs a command" }],
        params: { max_tokens: 100 },
        body: JSON.stringify({
          model: "test-model",
          max_tokens: 100,
          messages: plain,
          tools: [{ name: "Bash", description: "runs a command", input_schema: { type: "object" } }],
        }),
      },
    },
    signal,
  );
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheCreationTokens: 0 };
  const parts = [{ kind: "tool_call", id: "t", name: "Bash", input: {} }] as const;
  if (decision.do === "send")
    bridge.afterModel(decision.req, { parts: [...parts], stopReason: "tool_use", usage }, { durationMs: 1 });
  return decision;
}

/** As the Anthropic API writes it. */
function block(part: Part): unknown {
  if (part.kind === "tool_call") return { type: "tool_use", id: part.id, name: part.name, input: part.input };
  if (part.kind === "tool_result")
    return { type: "tool_result", tool_use_id: part.id, content: part.text, is_error: part.isError };
  return { type: "text", text: part.kind === "text" ? part.text : "" };
}

async function tool(id: string, tool: string, input: unknown): Promise<unknown> {
  const decision = await bridge.beforeTool({ id, name: tool, input, agent: MAIN, source: "library" });
  if (decision.do === "run") bridge.afterTool({ id, name: tool, text: "done", isError: false });
  return decision;
}

function say(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as {
    model?: string;
    tool?: [string, string, unknown];
    /** It no longer waits for its call to the model. */
    giveUp?: true;
    end?: true;
  };
  if (asked.end) break;
  if (asked.giveUp) {
    waiting.abort();
    continue;
  }
  waiting = new AbortController();
  // Not waited for: what is held must not keep later lines from being read.
  const done = asked.tool ? tool(...asked.tool) : model(asked.model ?? "", waiting.signal);
  const orGone = done.catch(() => ({ do: "gone" }));
  void orGone.then((decision) => {
    log.flush();
    say(decision);
  });
}
bridge.close("it is done");
log.append("session_end", { exit: 0, reason: "exit" });
await Promise.all([file.close(), socket.close()]);
log.close();
endSession(session, { exit: 0 });
process.exit(0);
