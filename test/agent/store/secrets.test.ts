import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EventLog } from "../../../src/agent/store/log.ts";
import { endSession } from "../../../src/agent/store/sessions.ts";
import { Workbench } from "./workbench.ts";

/** Put together here, so that no scanner takes this file for a leak. Each has its own middle, by which it is looked for. */
function planted(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `Zq${at}w9Lr7Tb4Xc2Vm8Kd5Hs3Jf6Gp1Ny`.padEnd(36, "a"));
}

function bytesBelow(folder: string): Buffer[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesBelow(path);
    return entry.isFile() ? [readFileSync(path)] : [];
  });
}

test("20 planted secrets of different kinds in headers, JSON bodies and tool output: none in any file written", () => {
  using bench = new Workbench();
  const middles = planted(24);
  const [
    s0 = "",
    s1,
    s2,
    s3,
    s4,
    s5,
    s6,
    s7,
    s8,
    s9,
    s10,
    s11,
    s12,
    s13,
    s14,
    s15,
    s16,
    s17,
    s18,
    s19,
    s20,
    s21,
    s22,
    s23,
  ] = middles;
  const folder = bench.session({ argv: ["agent", "--api-key", s0, `--token=${s1}`, "run"], name: "secrets" });
  const log = EventLog.open(folder);
  const pad = "Nothing to see here. ".repeat(300);

  // Headers, as an object, as a list, as text.
  log.append("api_request", {
    headers: { authorization: `Bearer ${s2}`, "x-api-key": s3, Cookie: `sid=${s4}; theme=dark` },
    list: [{ name: "Proxy-Authorization", value: `Basic ${s5}` }],
    raw: `POST /v1/messages HTTP/1.1\r\nAuthorization: Bearer ${s6}\r\nx-goog-api-key: ${s7}\r\n\r\n`,
    changed: { env: { ANTHROPIC_API_KEY: s8 }, args: [] },
  });
  // Bodies: JSON text, whole and cut, JSON in JSON.
  const body = JSON.stringify({
    model: "m",
    metadata: { password: s9, nested: JSON.stringify({ client_secret: s10 }) },
    messages: [
      { role: "user", content: `my key is sk-ant-api03-${s11} ${pad}` },
      { role: "user", content: `${pad}\n\ngh${"p_"}${s12}\n` },
      { role: "user", content: `${pad} https://user:${s13}@host/` },
    ],
  });
  log.storeBody(
    body,
    [...body.matchAll(/\{"role"/g)].map(({ index }) => index),
  );
  log.storeBody(
    body,
    Array.from({ length: body.length }, (_, at) => at),
  ); // cuts inside of secrets too
  // Tool output: short, long, bytes.
  log.append("tool_result", {
    toolId: "t1",
    content: log.store(`SECRET_KEY=${s14}\nexport NPM_TOKEN=npm${"_"}${s15}`),
  });
  log.append("tool_result", { toolId: "t2", content: log.store(`${pad}{"access_token":"${s16}"}${pad}`) });
  log.append("tool_result", {
    toolId: "t3",
    content: `${pad}AIza${s17?.slice(0, 35)} xox${"b-"}1234567890-${s18}`,
  });
  log.storeRaw(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(`data: {"token":"${s19}"}\n\n${pad}`)]));
  log.storeRaw(`-----BEGIN PRIVATE KEY-----\n${s20}\n${s21}\n-----END PRIVATE KEY-----\n`);
  log.append("variable_set", { key: "db_password", value: s22 });
  log.append("error", { message: new Error(`login failed for sk-proj-${s23}`) });
  log.close();
  endSession(folder);

  const files = bytesBelow(bench.root);
  expect(files.length).toBeGreaterThan(6);
  const leaked = middles.filter((middle) => files.some((bytes) => bytes.includes(middle.slice(0, 20))));
  expect(leaked).toEqual([]);
  // What stood around them is there.
  expect(files.some((bytes) => bytes.includes("theme") || bytes.includes("Nothing to see here."))).toBe(true);
});

test("a request body reads back as JSON with its secrets masked, the same in each request", () => {
  using bench = new Workbench();
  const log = EventLog.open(bench.session());
  const [secret = ""] = planted(1);
  const messages = Array.from({ length: 30 }, (_, at) => ({
    role: "user",
    content: `${at} sk-ant-${secret} ${"é".repeat(900)}`,
  }));
  const text = JSON.stringify({ model: "m", messages });
  const cuts = [...text.matchAll(/\{"role"/g)].map(({ index }) => index);
  const bodies = [log.storeBody(text, cuts), log.storeBody(text, cuts)];
  expect(bodies[0]).toEqual(bodies[1]);
  const read = bodies.map((body) => log.blobs.readBody(body));
  const { messages: again } = JSON.parse(read[0] ?? "") as { messages: { content: string }[] };
  expect(again).toHaveLength(30);
  expect(new Set(again.map(({ content }) => /\[masked:anthropic-key:\w{4}\]/.exec(content)?.[0])).size).toBe(
    1,
  );
  log.close();
});
