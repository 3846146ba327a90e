/** `sonde dap node` as an editor would use it: the built binary, DAP over its standard streams. */
import { expect, test } from "vitest";
import { DapClient } from "../../src/dap/client.ts";
import { AdapterProcess } from "../../src/dap/process.ts";
import { stdioTransport } from "../../src/dap/stdio.ts";
import { marker } from "../support/markers.ts";
import { binary, createSonde } from "../support/sonde.ts";

test("a client that sends all of its configuration at once gets its breakpoint", async () => {
  const sonde = createSonde();
  const path = sonde.fixture("js/stats.js");
  const line = marker(path, "mean-add");
  const adapter = await AdapterProcess.spawn({
    command: binary(),
    args: ["dap", "node"],
    env: sonde.env,
    cwd: sonde.project,
  });
  const client = new DapClient(stdioTransport(adapter), { requestTimeoutMs: 20_000 });
  const event = (name: "initialized" | "stopped" | "exited" | "terminated") =>
    new Promise<unknown>((resolve) => client.on(name, resolve));
  const [initialized, stopped, exited, terminated] = [
    event("initialized"),
    event("stopped"),
    event("exited"),
    event("terminated"),
  ];

  await client.request("initialize", { adapterID: "node" });
  const launched = client.request("launch", { program: path, cwd: sonde.project });
  await initialized;
  const set = client.request("setBreakpoints", { source: { path }, breakpoints: [{ line }] });
  await Promise.all([set, client.request("configurationDone", {}), launched]);
  expect(await stopped).toMatchObject({ reason: "breakpoint", threadId: 1 });

  const { stackFrames } = await client.request("stackTrace", { threadId: 1 });
  expect(stackFrames[0]).toMatchObject({ name: "mean", line, source: { path } });
  await client.request("setBreakpoints", { source: { path }, breakpoints: [] });
  await client.request("continue", { threadId: 1 });
  expect(await exited).toMatchObject({ exitCode: 0 });
  await terminated;
  await client.request("disconnect", {});
  client.close();
  await adapter.ended;
});
