import { describe, expect, test } from "vitest";
import { clientWord } from "../../../src/agent/run/client-word.ts";

const words = (line: string) => line.split(" ");

describe("which agent a command line starts", () => {
  test.each([
    ["claude -p hi", "claude", 0],
    ["/usr/local/bin/claude", "claude", 0],
    ["npx -y @anthropic-ai/claude-code@2.1.325 -p hi", "claude", 2],
    ["npx @openai/codex exec hi", "codex", 1],
    ["npx --package x claude", "claude", 3],
    ["env A=b HTTP_PROXY= codex exec hi", "codex", 3],
    ["timeout -k 5 60 nice -n 5 claude", "claude", 7],
    ["node node_modules/@openai/codex/bin/start.js exec", "codex", 1],
    ["npm exec claude -- -p hi", "claude", 3],
    ["pnpm dlx @anthropic-ai/claude-code", "claude", 2],
    ["bun x claude", "claude", 2],
    ["node agent.js claude", "unknown", 0],
    ["./my-agent --model claude", "unknown", 0],
    ["git commit -m claude", "unknown", 0],
    ["npx", "unknown", 0],
  ])("%s", (line, client, at) => {
    expect(clientWord(words(line))).toEqual({ client, at });
  });
});
