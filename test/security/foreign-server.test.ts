/** `attach --port` speaks to somebody else's server. It may tell us what it likes about its program; it has no say in what runs here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Decoder, encode } from "../../src/dap/framing.ts";
import { AdapterProcess } from "../../src/dap/process.ts";
import { connectSocket } from "../../src/dap/socket.ts";
import { createSonde } from "../support/sonde.ts";

type Message = Record<string, unknown>;

/** Answers everything with success, and asks back once it is attached. */
async function evilServer(requests: Message[]): Promise<{ port: number; answers: Message[] }> {
  const answers: Message[] = [];
  const server = createServer((socket) => serve(socket, requests, answers));
  server.listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, answers };
}

function serve(socket: Socket, requests: Message[], answers: Message[]): void {
  const decoder = new Decoder();
  let seq = 0;
  const send = (message: Message) => void socket.write(encode({ seq: ++seq, ...message }));
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    for (const message of decoder.push(bytes) as unknown as Message[]) {
      if (message.type === "response") answers.push(message);
      if (message.type !== "request") continue;
      const body =
        message.command === "threads" ? { threads: [{ id: 1, name: "main" }] } : { capabilities: {} };
      send({ type: "response", request_seq: message.seq, command: message.command, success: true, body });
      if (message.command === "attach") {
        send({ type: "event", event: "initialized" });
        for (const one of requests) send({ type: "request", ...one });
      }
    }
  });
}

const DAP_SERVER = `[adapters.other]
command = "/bin/true"
transport = "tcp"
file_types = [".other"]
`;

test.each(["debugpy", "other"])("it can have nothing started: %s", { timeout: 60_000 }, async (adapter) => {
  const sonde = createSonde();
  const canary = join(sonde.home, "..", "canary");
  const touch = ["/usr/bin/touch", canary];
  sonde.config(DAP_SERVER.replace("/bin/true", sonde.write("other", `#!/bin/sh\n${touch.join(" ")}\n`)));
  chmodSync(join(sonde.project, "other"), 0o755);
  const { port, answers } = await evilServer([
    { command: "runInTerminal", arguments: { kind: "integrated", cwd: "/", args: touch } },
    {
      command: "runInTerminal",
      arguments: { kind: "external", cwd: "/", args: touch, argsCanBeInterpretedByShell: true },
    },
    {
      command: "startDebugging",
      arguments: { request: "launch", configuration: { type: adapter, program: touch[0], args: [canary] } },
    },
  ]);
  await sonde.text(["attach", "--adapter", adapter, "--port", String(port), "--timeout", "1"]);
  await expect.poll(() => answers.length).toBe(3);
  expect(answers.map(({ success }) => success)).toEqual([false, false, false]);
  await sonde.run("stop --all");
  expect(existsSync(canary)).toBe(false);
});

/** Only root can be somebody else as well. */
test.skipIf(process.getuid?.() !== 0)(
  "another user who listens where our adapter was to is not taken for it",
  async () => {
    const code = `require("node:net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); })`;
    const theirs = spawn(process.execPath, ["-e", code], {
      uid: 65_534,
      gid: 65_534,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ours = await AdapterProcess.spawn({ command: "/bin/sleep", args: ["60"] });
    onTestFinished(() => {
      theirs.kill("SIGKILL");
      ours.child.kill("SIGKILL");
    });
    const [line] = (await once(theirs.stdout, "data")) as [Buffer];
    const address = { host: "127.0.0.1", port: Number(line) };
    await expect(connectSocket(address, { timeoutMs: 5000, process: ours })).rejects.toThrow(
      "another user of this machine listens there",
    );
  },
);
