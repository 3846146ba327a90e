import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { serveNodeAdapter } from "../../src/adapters/node/server.ts";
import { Decoder, encode } from "../../src/dap/framing.ts";
import { cleanUp, isRunning, project } from "./session.ts";

afterEach(cleanUp);

test("the same adapter speaks DAP over a stream, and ends what it launched when the client goes", async () => {
  const cwd = project({ "app.js": "console.log('over the wire'); setInterval(() => {}, 1000)" });
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveNodeAdapter(input, output);
  const decoder = new Decoder();
  const seen: Record<string, unknown>[] = [];
  let wake = () => {};
  output.on("data", (chunk: Buffer) => {
    for (const message of decoder.push(chunk)) seen.push(message as unknown as Record<string, unknown>);
    wake();
  });
  const until = async (key: string, value: string) => {
    for (;;) {
      const found = seen.find((message) => message[key] === value);
      if (found !== undefined) return found.body as Record<string, unknown>;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  let seq = 0;
  const request = (command: string, args: object) =>
    input.write(encode({ seq: ++seq, type: "request", command, arguments: args }));

  request("initialize", { adapterID: "node" });
  expect(await until("command", "initialize")).toMatchObject({ supportsTerminateRequest: true });
  request("launch", { program: "app.js", cwd });
  await until("event", "initialized");
  request("configurationDone", {});
  expect(await until("event", "output")).toEqual({ category: "stdout", output: "over the wire\n" });
  const { systemProcessId } = await until("event", "process");
  input.end();
  await served;
  expect(isRunning(systemProcessId as number)).toBe(false);
});
