/** A call to the model that is held, on each wire: what `agent inspect` shows of it is what the provider gets. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { startProvider, type Wire } from "../provider/index.mjs";

const PROGRAM = resolve(import.meta.dirname, "plain-agent.mjs");

interface Inspected {
  request: Record<string, unknown>;
  own?: Record<string, unknown>;
  messages: { count: number; recent: { preview: string }[] };
}

async function startHeld(sonde: Sonde, wire: Wire, after: Promise<void> = Promise.resolve()) {
  const provider = await startProvider({ script: [{ text: "Done.", after }] });
  onTestFinished(() => provider.close());
  const words = ["agent", "run", "--paused", "--", process.execPath, PROGRAM, wire, "stream"];
  const ran = sonde.run(words, {
    env: { ANTHROPIC_BASE_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1` },
  });
  await sonde.text("agent wait --timeout 20");
  return { provider, ran };
}

describe("a held call to the model", { timeout: 60_000 }, () => {
  for (const wire of ["anthropic", "openai-chat", "openai-responses"] as const)
    test(`${wire}: is shown as it will be sent, and how the agent wrote it`, async () => {
      await using sonde = createSonde();
      const { provider, ran } = await startHeld(sonde, wire);
      const before = await sonde.ask<Inspected>("agent inspect request");
      expect(before.own).toBeUndefined();
      await sonde.text("agent set temperature 0.5");
      await sonde.text(["agent", "inject", "user", "leave the tests alone"]);
      const shown = await sonde.ask<Inspected>("agent inspect request");
      expect(shown.request).toMatchObject({ temperature: 0.5 });
      expect(JSON.stringify(shown.request)).toContain("leave the tests alone");
      expect(shown.own).toEqual(before.request);
      const text = await sonde.text("agent inspect request");
      expect(text).toContain("this is how it will be sent");
      expect(text).toMatch(/the agent itself wrote: (messages|input) \(1, not 2\); no temperature/);
      const { messages } = await sonde.ask<Inspected>("agent inspect messages");
      expect(messages.count).toBe(2);
      expect(messages.recent.at(-1)?.preview).toBe("leave the tests alone");

      // What is written to a file, changed and put in its place is sent as it is: nothing is in it twice.
      await sonde.text(["agent", "inspect", "request", "--out", "body.json"]);
      const body = JSON.parse(readFileSync(join(sonde.project, "body.json"), "utf8")) as object;
      const large = JSON.stringify({ ...body, metadata: { id: 1 } }).replace(
        '"id":1',
        '"id":9007199254740993',
      );
      sonde.write("body.json", large);
      await sonde.text(["agent", "edit-request", "--file", "body.json"]);
      const replaced = await sonde.ask<Inspected>("agent inspect request");
      expect(replaced.request).toMatchObject({ temperature: 0.5, metadata: { id: 9007199254740992 } });
      expect(replaced.own).toEqual(before.request);
      await sonde.text("agent resume");
      await ran;
      const [seen] = provider.calls;
      expect(seen?.text).toBe(large);
      expect(seen?.text.split("leave the tests alone")).toHaveLength(2);
    });

  test("one that was sent with changes is shown as it was sent", async () => {
    await using sonde = createSonde();
    let answer: () => void = () => {};
    const after = new Promise<void>((done) => {
      answer = done;
    });
    const { provider, ran } = await startHeld(sonde, "anthropic", after);
    await sonde.text("agent set max_tokens 77");
    await sonde.text("agent resume");
    expect((await provider.next()).body).toMatchObject({ max_tokens: 77 });
    const sent = await sonde.ask<Inspected>("agent inspect request");
    expect(sent).toMatchObject({ request: { max_tokens: 77 }, own: { max_tokens: 100 }, edited: true });
    answer();
    await ran;
    expect((await sonde.ask<Inspected>("agent inspect request")).request).toMatchObject({ max_tokens: 77 });
  });
});
