/** `sonde logs --protocol`: the last messages between Sonde and a debug adapter. */
import { expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";

interface Answer {
  protocol: {
    session: string;
    messages: { number: number; time: string; direction: "in" | "out"; text: string; cut: boolean }[];
    total: number;
    dropped: number;
  };
  cursor?: string;
  next: string[];
}

test("logs --protocol: the messages, numbered, older ones by their number, without secrets", async () => {
  await using sonde = createSonde();
  const secret = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");
  sonde.write("a.js", `const token = process.env.TOKEN;\nconst long = "l".repeat(5000);\ndebugger;\n`);
  await sonde.text("start a.js", { env: { TOKEN: secret } });
  expect(await sonde.text("print token")).toContain(secret); // a debugger shows what is there
  const { protocol, cursor, next } = await sonde.ask<Answer>("logs --protocol --tail 4");
  expect(protocol.session).toBe("a");
  expect(protocol.messages).toHaveLength(4);
  expect(protocol.messages.at(-1)?.number).toBe(protocol.total);
  expect(protocol.dropped).toBe(0);
  expect(cursor).toBe(String(protocol.messages[0]?.number));
  expect(next.join()).toContain(`sonde logs -s a --tail 4 --before ${cursor} --protocol`);
  const older = await sonde.ask<Answer>(["logs", "--protocol", "--tail", "4", "--before", cursor ?? ""]);
  expect(older.protocol.messages.map(({ number }) => number)).toEqual(
    [4, 3, 2, 1].map((back) => Number(cursor) - back),
  );
  const evaluated = await sonde.ask<Answer>("logs --protocol --grep evaluate --full");
  const all = JSON.stringify(evaluated);
  expect(all).toContain("token");
  expect(all).toContain("[masked:");
  expect(all).not.toContain(secret);
  const text = await sonde.text("logs --protocol --grep initialize --tail 1000");
  expect(text).toMatch(/^1 \d{4}-\S+Z -> \{"seq":\d+,"type":"request","command":"initialize"/);
  expect(text).toMatch(/\(\d+ messages\)\n$/);
});

test("logs --protocol: needs a session, and says which flags it does not take", async () => {
  await using sonde = createSonde();
  expect(await sonde.refusal("logs --protocol")).toMatchObject({ code: "NO_SESSION" });
  sonde.write("a.js", "debugger;\n");
  await sonde.text("start a.js");
  expect(await sonde.refusal("logs --protocol --follow")).toMatchObject({ code: "BAD_ARGUMENT" });
  expect(await sonde.refusal("logs --protocol --before x")).toMatchObject({ code: "BAD_ARGUMENT" });
  expect((await sonde.refusal("protocol")).hint).toContain("sonde logs --protocol");
});
