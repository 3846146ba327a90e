// One turn: the model is asked, the tools it asks for are run, until it asks for none.
import { SYSTEM_PROMPT } from "./prompt.mjs";
import { TOOLS, runTool } from "./tools/index.mjs";

/**
 * @param {{ client, bridge, terminal, options, messages: object[] }} agent
 * @param {string} prompt
 * @param {AbortSignal} signal
 * @returns {Promise<{ ended: string }>} `done`, or why it was given up
 */
export async function runTurn(agent, prompt, signal) {
  const { bridge, options, messages } = agent;
  messages.push({ role: "user", content: prompt });
  // This clock stands still while the debugger holds the agent.
  const began = bridge.now();
  for (let iteration = 1; ; iteration++) {
    if (iteration > options.maxIterations) return { ended: `gave up after ${options.maxIterations} model calls` };
    if (bridge.now() - began > options.maxMinutes * 60_000) return { ended: `gave up after ${options.maxMinutes} minutes` };
    const answer = await askModel(agent, signal);
    messages.push({ role: "assistant", content: answer.content });
    if (answer.stop_reason === "pause_turn") continue;
    const calls = answer.content.filter((block) => block.type === "tool_use");
    // Every call gets its result, or the API refuses the conversation.
    if (calls.length > 0) messages.push({ role: "user", content: await runTools(agent, calls, signal) });
    signal.throwIfAborted();
    if (calls.length === 0) return { ended: answer.stop_reason === "end_turn" ? "done" : `the model stopped: ${answer.stop_reason}` };
  }
}

/** The bridge records the call, holds it, and adds what somebody injects to `messages`. */
function askModel({ client, bridge, terminal, options, messages }, signal) {
  const request = {
    model: options.model,
    max_tokens: options.maxTokens,
    system: SYSTEM_PROMPT,
    tools: TOOLS,
    messages,
  };
  return bridge.model(
    request,
    async (sent) => {
      const stream = client.messages.stream(sent, { signal });
      stream.on("text", (text) => terminal.write(text));
      const answer = await stream.finalMessage();
      terminal.endLine();
      return answer;
    },
    { provider: "anthropic", signal },
  );
}

async function runTools(agent, calls, signal) {
  const results = [];
  for (const call of calls) {
    const { content, isError } = await runOne(agent, call, signal);
    results.push({ type: "tool_result", tool_use_id: call.id, content, is_error: isError });
  }
  return results;
}

async function runOne({ bridge, terminal, options }, call, signal) {
  if (signal.aborted) return INTERRUPTED;
  try {
    const outcome = await bridge.tool({ id: call.id, name: call.name, input: call.input, signal }, (input, running) =>
      runTool(call.name, input, { terminal, yes: options.yes, signal: running.signal }),
    );
    if (outcome.cancelled) return { content: `This call was cancelled: ${outcome.reason}`, isError: true };
    // The model is to see the call that was run.
    if (outcome.edited) call.input = outcome.input;
    return { content: outcome.value, isError: false };
  } catch (error) {
    return signal.aborted ? INTERRUPTED : { content: error.message, isError: true };
  }
}

const INTERRUPTED = { content: "Interrupted by the user.", isError: true };
