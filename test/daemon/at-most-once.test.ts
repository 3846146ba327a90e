/** Several requests on one connection: the word that one was taken is never lost by the sending of another. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Connection, type Request } from "../../src/client/connection.ts";
import { Home } from "./home.ts";

/** Takes what comes first, and is gone. Its descriptor 3 tells by its end that it is. */
const DAEMON = `
  const server = require("node:net").createServer((socket) => {
    socket.once("data", () => socket.write('{"id":1,"accepted":true}\\n', () => process.kill(process.pid, "SIGKILL")));
  });
  server.listen(process.argv[1], () => console.log("listening"));
`;

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

function request(id: number): Request {
  return { id, command: "echo", args: {}, cwd: "/", env: {} };
}

/** A connection whose first request was taken by a daemon that has ended since, with nothing read yet. */
async function takenAndEnded(): Promise<{ connection: Connection; first: ReturnType<Connection["ask"]> }> {
  const [path, life] = [join(home.path, "d.sock"), join(home.path, "life")];
  execFileSync("mkfifo", [life]);
  const daemon = spawn("sh", ["-c", 'exec 3>"$0"; exec "$@"', life, process.execPath, "-e", DAEMON, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = () => readFileSync(life);
  const socket = await new Promise<ReturnType<typeof connect>>((done) => {
    // Opened for writing only once somebody reads: so a reader of its own until the daemon has it.
    const reader = spawn("sh", ["-c", 'exec 3<>"$0"; read line', life], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    daemon.stdout?.once("data", () => {
      reader.stdin?.end("\n");
      reader.once("exit", () => done(connect(path)));
    });
  });
  const connection = new Connection(socket);
  const first = connection.ask(request(1));
  await new Promise<void>((done) =>
    socket.once("connect", () => {
      ended();
      done();
    }),
  );
  return { connection, first };
}

test("another request that cannot be written", async () => {
  const { connection, first } = await takenAndEnded();
  const second = connection.ask(request(2));
  expect(await first).toMatchObject({ kind: "lost", accepted: true });
  expect(await second).toMatchObject({ kind: "lost", accepted: false });
});

test("nor by the cancel of one that has not been sent yet", async () => {
  const { connection, first } = await takenAndEnded();
  const second = connection.ask(request(2));
  connection.send({ id: 2, cancel: true });
  expect(await first).toMatchObject({ kind: "lost", accepted: true });
  expect(await second).toMatchObject({ kind: "lost", accepted: false });
});
