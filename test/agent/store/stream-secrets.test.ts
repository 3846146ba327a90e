/** A secret that a stream cuts into pieces. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EventLog } from "../../../src/agent/store/log.ts";
import { createSession } from "../../../src/agent/store/sessions.ts";

test("is in no file, not even in pieces", () => {
  const root = mkdtempSync(join(tmpdir(), "sonde-pieces-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = createSession(root, { cwd: root, route: "proxy", version: "0" });
  const log = EventLog.open(folder);
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const pieces = secret.match(/.{1,7}/g) ?? [];
  const stream = (texts: readonly string[]) =>
    Buffer.from(texts.map((text) => `data: {"delta":${JSON.stringify(text)}}\n\n`).join(""));
  expect(log.storeAnswer(stream(pieces), [{ kind: "text", text: `the key is ${secret}` }])).toBeUndefined();
  expect(log.storeAnswer(stream(["all", "well"]), [{ kind: "text", text: "all well" }])).toBeDefined();
  log.close();
  const files = readdirSync(folder.dir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), "utf8")).not.toContain(pieces[3]);
});
