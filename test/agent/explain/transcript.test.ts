import { describe, expect, test } from "vitest";
import { parseMark } from "../../../src/agent/explain/range.ts";
import { transcript } from "../../../src/agent/explain/transcript.ts";
import { collected, Events, readBody } from "./events.ts";

function talk(): Events {
  return new Events()
    .add("session_start", { client: "claude-code", cwd: "/w" })
    .add("user_input", { agent: "main", content: "fix it\nplease" })
    .add("assistant_text", { agent: "main", req: 1, content: "I look." })
    .add("tool_call_start", {
      toolId: "t1",
      name: "Bash",
      input: '{"command":"npm test"}',
      agent: "main",
      req: 1,
    })
    .add("tool_call_edit", { toolId: "t1", before: '{"command":"npm test"}', after: '{"command":"npm t"}' })
    .add("paused", {
      stop: {
        id: "s1",
        reason: "breakpoint",
        why: "tool Bash matches Ba*",
        agent: { id: "main" },
        tool: { name: "Bash" },
      },
    })
    .add("resumed", { stopId: "s1", heldMs: 1500, outcome: "edited" })
    .add("tool_result", {
      toolId: "t1",
      name: "Bash",
      content: "x".repeat(5000),
      isError: true,
      agent: "main",
    })
    .add("agent_start", { agent: "a1", parent: "main", name: "Explore" })
    .add("assistant_text", { agent: "a1", req: 2, content: "sub speaks" })
    .add("injected", { id: "i1", role: "user", content: "stop that", req: 3, agent: "main" })
    .add("api_error", {
      req: 3,
      agent: "main",
      status: 529,
      errorType: "overloaded_error",
      message: "Overloaded",
    })
    .add("session_end", { exit: 1 });
}

describe("transcript", () => {
  test("as plain text", async () => {
    const text = await collected(transcript(talk().batches(3), { readBody, maxChars: 40 }));
    expect(text).toMatchInlineSnapshot(`
      "-- run debug_20261115_100000_abcd · claude-code · /w · 2026-11-15T10:00:00.010Z
      user
        fix it
        please
      assistant
        I look.
      calls Bash
        {"command":"npm test"}
      edited by hand: t1
        {"command":"npm t"}
      -- stopped · s1 · tool Bash matches Ba* · Bash
      -- goes on · edited · held 1.5 s
      Bash failed
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        … 4,960 of 5,000 characters left out …
        xxxxxxxxxx
      -- [Explore a1] sub-agent begins (under main)
      [Explore a1] assistant
        sub speaks
      injected by hand as user
        stop that
      model call failed · 529 overloaded_error
        Overloaded
      -- end · exited with 1
      "
    `);
  });

  test("as Markdown", async () => {
    const text = await collected(
      transcript(talk().batches(), { readBody, format: "markdown", maxChars: 40 }),
    );
    expect(text).toMatchInlineSnapshot(`
      "*run debug\\_20261115\\_100000\\_abcd · claude-code · /w · 2026-11-15T10:00:00.010Z*

      **user**

      > fix it
      > please

      **assistant**

      > I look.

      **calls Bash**

      \`\`\`
      {"command":"npm test"}
      \`\`\`

      **edited by hand: t1**

      \`\`\`
      {"command":"npm t"}
      \`\`\`

      *stopped · s1 · tool Bash matches Ba\\* · Bash*

      *goes on · edited · held 1.5 s*

      **Bash failed**

      \`\`\`
      xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      … 4,960 of 5,000 characters left out …
      xxxxxxxxxx
      \`\`\`

      *\\[Explore a1\\] sub-agent begins (under main)*

      **\\[Explore a1\\] assistant**

      > sub speaks

      **injected by hand as user**

      > stop that

      **model call failed · 529 overloaded\\_error**

      > Overloaded

      *end · exited with 1*

      "
    `);
  });

  test("from one event to another, by number or by time", async () => {
    const range = { from: parseMark("2"), to: parseMark("3") };
    expect(await collected(transcript(talk().batches(), { readBody, ...range }))).toBe(
      "user\n  fix it\n  please\nassistant\n  I look.\n",
    );
    const early = { to: parseMark("20ms") };
    expect(await collected(transcript(talk().batches(), { readBody, ...early }))).not.toContain("I look");
    expect(() => parseMark("soon")).toThrow("neither an event's number nor a time");
    expect(parseMark("1m30s")).toEqual({ atMs: 90_000 });
  });

  test("hostile text neither ends its fence, nor forges a heading, nor reaches the terminal", async () => {
    const events = new Events()
      .add("tool_result", { name: "`**evil**`\n# h", content: "```\n# not ours\n`````\n\u001b[2J\u202e" })
      .add("assistant_text", { content: "# Title\n**user**\n\u001b]0;x\u0007" });
    const md = await collected(transcript(events.batches(), { readBody, format: "markdown" }));
    expect(md).toContain("\n``````\n```\n# not ours\n`````\n\\e[2J\\u202e\n``````\n");
    expect(md).toContain("> # Title\n> **user**\n");
    const plain = await collected(transcript(events.batches(), { readBody }));
    for (const text of [md, plain]) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(plain.split("\n").filter((one) => one.startsWith("#") || one.startsWith("user"))).toEqual([]);
  });

  test("a text whose file is gone is said to be missing, after its beginning", async () => {
    const events = new Events().add("user_input", {
      content: { blob: "ab", bytes: 9000, preview: "it begins" },
    });
    expect(await collected(transcript(events.batches(), { readBody }))).toContain(
      "it begins… [missing: 9,000 bytes]",
    );
    const bare = new Events().add("user_input", { content: { pieces: "ab", bytes: 12_345 } });
    expect(await collected(transcript(bare.batches(), { readBody }))).toContain(
      "\n  [missing: 12,345 bytes]\n",
    );
  });
});
