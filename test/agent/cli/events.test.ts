/** `agent events` on a file: its end, by itself, has the numbers and times that it has in the whole. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";

interface Listed {
  events: number;
  columns: { began: number; seq: number[]; at: number[]; names: { types: string[] }; type: number[] };
}

function write(sonde: Sonde, extra: (index: number) => object): string {
  const path = join(sonde.home, "events.jsonl");
  const lines = Array.from({ length: 50 }, (_, index) =>
    JSON.stringify({
      ...{ type: index === 40 ? "session_end" : "user_input", sessionId: "one" },
      ...{ timestamp: new Date(1_700_000_000_000 + index * 1000).toISOString(), ...extra(index) },
      data: { text: `number ${index}` },
    }),
  );
  writeFileSync(path, `${lines.join("\n")}\n{"type":"torn`);
  return path;
}

test.each([
  ["with numbers and times of their own", (index: number) => ({ seq: index + 1, at: index * 1000 })],
  ["without", () => ({})],
])("the last events, %s", async (_, extra) => {
  await using sonde = createSonde();
  const path = write(sonde, extra);
  const whole = (await sonde.ask<Listed>(`agent events ${path}`)).columns;
  const end = await sonde.ask<Listed>(`agent events --last 12 ${path}`);
  expect(end.events).toBe(12);
  expect(end.columns.seq).toEqual(whole.seq.slice(-12));
  expect(end.columns.at).toEqual(whole.at.slice(-12));
  expect(end.columns.began).toBe(whole.began);
  const typesOf = ({ names, type }: Listed["columns"]) => type.map((one) => names.types[one]);
  expect(typesOf(end.columns)).toEqual(typesOf(whole).slice(-12));
  // Of fewer than were asked for: all.
  expect((await sonde.ask<Listed>(`agent events --last 60 ${path}`)).columns).toEqual(whole);
  const middle = (await sonde.ask<Listed>(`agent events --from 20 --to 25 ${path}`)).columns;
  expect(middle.seq).toEqual(whole.seq.slice(19, 25));
  expect(middle.at).toEqual(whole.at.slice(19, 25));
  const words = await sonde.ask<{ words: { seq: number; text: string }[] }>(
    `agent events --last 2 --words ${path}`,
  );
  expect(words.words.map(({ seq }) => seq)).toEqual([49, 50]);
});

test("the last events and a range are two questions", async () => {
  await using sonde = createSonde();
  const path = write(sonde, () => ({}));
  const { status, stderr } = await sonde.run(`agent events --last 3 --from 2 ${path}`);
  expect(status).not.toBe(0);
  expect(stderr).toContain("--last cannot be combined with --from or --to");
});
