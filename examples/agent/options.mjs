// What can be said on the command line.
import { parseArgs } from "node:util";

export const HELP = `node agent.mjs [-p <prompt>] [options]

  -p, --prompt <text>       one prompt, then the end; without it, a conversation
      --model <name>        (claude-sonnet-5, or $ANTHROPIC_MODEL)
      --base-url <url>      of the API (else $ANTHROPIC_BASE_URL, else Anthropic's)
      --yes                 run commands without asking
      --max-tokens <n>      of one answer (8192)
      --max-iterations <n>  model calls in a turn (50)
      --max-minutes <n>     of a turn, without the time that it is held in the debugger (30)

The key is $ANTHROPIC_API_KEY.`;

/** @param {string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      prompt: { type: "string", short: "p" },
      model: { type: "string", default: process.env.ANTHROPIC_MODEL || "claude-sonnet-5" },
      "base-url": { type: "string" },
      yes: { type: "boolean", default: false },
      "max-tokens": { type: "string", default: "8192" },
      "max-iterations": { type: "string", default: "50" },
      "max-minutes": { type: "string", default: "30" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  return {
    help: values.help,
    prompt: values.prompt,
    model: values.model,
    baseUrl: values["base-url"],
    yes: values.yes,
    maxTokens: positive("max-tokens", values["max-tokens"]),
    maxIterations: positive("max-iterations", values["max-iterations"]),
    maxMinutes: positive("max-minutes", values["max-minutes"]),
  };
}

function positive(name, value) {
  const number = Number(value);
  if (number > 0) return number;
  throw new Error(`--${name} needs a number above 0, not ${JSON.stringify(value)}`);
}
