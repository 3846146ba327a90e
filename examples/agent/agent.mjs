#!/usr/bin/env node
// A small coding agent: it reads, writes and edits files and runs commands in the current folder, with a model of the Anthropic API.
// Run with SONDE_AGENT=1 it can be paused, stepped, inspected and changed from another terminal: see README.md.
import Anthropic from "@anthropic-ai/sdk";
import { createBridge } from "sonde";
import { HELP, readOptions } from "./options.mjs";
import { Terminal } from "./terminal.mjs";
import { runTurn } from "./turn.mjs";

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const bridge = await createBridge({
  client: "example-agent",
  // What may be changed while the agent runs: `sonde agent set model claude-sonnet-5`.
  variables: {
    model: text("model"),
    max_tokens: count("maxTokens"),
    max_iterations: count("maxIterations"),
    max_minutes: count("maxMinutes"),
  },
});
const terminal = new Terminal();
const client = new Anthropic(options.baseUrl ? { baseURL: options.baseUrl } : {});
const agent = { client, bridge, terminal, options, messages: [] };
// One list for the whole conversation: whoever debugs the agent can take it back to an earlier state of it (the command `rewind`).
bridge.conversation(agent.messages);
if (bridge.enabled) terminal.note(`debugging: ${bridge.session}`);

try {
  process.exitCode = options.prompt === undefined ? await converse() : await once(options.prompt);
} finally {
  terminal.close();
  await bridge.close();
}

/** One prompt, one turn. */
async function once(prompt) {
  const outcome = await turn(prompt);
  return outcome.ended === "done" ? 0 : 1;
}

/** A prompt after the other, until the user has no more to say. */
async function converse() {
  terminal.note("What is to be done? An empty line or Ctrl-D ends it.");
  for (;;) {
    const prompt = await terminal.question("\n> ");
    if (prompt === undefined || prompt.trim() === "") return 0;
    await turn(prompt);
  }
}

/** Ctrl-C ends the turn; the conversation stays. */
async function turn(prompt) {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort(new Error("interrupted"));
  process.once("SIGINT", onInterrupt);
  try {
    const outcome = await runTurn(agent, prompt, interrupted.signal);
    if (outcome.ended !== "done") terminal.note(outcome.ended);
    return outcome;
  } catch (error) {
    terminal.note(interrupted.signal.aborted ? "interrupted" : `failed: ${error.message}`);
    return { ended: "failed" };
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

function text(key) {
  return {
    get: () => options[key],
    set: (value) => {
      if (typeof value !== "string" || value === "") throw new Error("it takes a text");
      options[key] = value;
    },
  };
}

function count(key) {
  return {
    get: () => options[key],
    set: (value) => {
      if (typeof value !== "number" || !(value > 0)) throw new Error("it takes a number above 0");
      options[key] = value;
    },
  };
}
