/** Nobody else gets into a session by a port: nothing listens, or whoever is of another user is hung up on and told nothing. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { listeners, socketInodes } from "../../src/adapters/node/process/proc.ts";
import { encode } from "../../src/dap/framing.ts";
import { TEST_ADAPTERS } from "../support/sonde.ts";
import type { AdapterUnderTest } from "./adapter.ts";
import { Rig } from "./rig.ts";
import { gdbRows } from "./rows/gdb.ts";
import { goRows } from "./rows/go.ts";
import { javaRows } from "./rows/java.ts";
import { nativeRows } from "./rows/native.ts";
import { nodeRows } from "./rows/node.ts";
import { perlRows } from "./rows/perl.ts";
import { phpRows } from "./rows/php.ts";
import { pythonRows } from "./rows/python.ts";
import { rubyRows } from "./rows/ruby.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Ports that stay open while a session lives; every other adapter has none. */
const OPEN: Record<string, number> = { xdebug: 1, perl: 1 };

function ports(pid: number): number[] {
  const inodes = socketInodes(pid);
  return listeners(pid)
    .filter(({ inode }) => inodes.has(inode))
    .map(({ port }) => port);
}

/** What somebody else hears who calls and talks, and whether it was hung up. */
function triedByNobody(port: number): { heard: string; end: string } {
  const code = `let heard = "";
    const tell = (end) => { console.log(JSON.stringify({ heard, end })); process.exit(); };
    const socket = require("node:net").connect(${port}, "127.0.0.1", () => socket.write("JDWP-Handshake"));
    socket.on("data", (bytes) => { heard += bytes; }).on("error", () => tell("hung up")).on("close", () => tell("hung up"));
    setTimeout(() => tell("still open"), 5000);`;
  const options = { uid: NOBODY, gid: NOBODY, encoding: "utf8", timeout: 20_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", code], options);
  if (stdout === "") throw new Error(`the caller could not call: ${stderr}`);
  return JSON.parse(stdout) as { heard: string; end: string };
}

const HUNG_UP = { heard: "", end: "hung up" };

/** One of each adapter: what listens does not depend on the language. */
function oneOfEach(rows: readonly AdapterUnderTest[]): AdapterUnderTest[] {
  return rows.filter((row, at) => rows.findIndex(({ adapter }) => adapter === row.adapter) === at);
}

const every = [nodeRows, pythonRows, nativeRows, gdbRows, goRows, rubyRows, phpRows, perlRows, javaRows];

test.skipIf(!isRoot).each(every.flatMap(oneOfEach))(
  "$name: no other user gets in",
  { timeout: 60_000 },
  async (adapter) => {
    const rig = new Rig(adapter);
    await rig.startStopped("stats", ["main-print"]);
    const open = rig.sonde.processes().flatMap(({ pid }) => ports(pid));
    expect(open).toHaveLength(OPEN[adapter.adapter] ?? 0);
    expect(open.map(triedByNobody)).toEqual(open.map(() => HUNG_UP));
    expect(await rig.ends()).toMatchObject({ exitCode: 0 });
  },
);

/** The bridge, as it is started for a launch, and the port at which it awaits the JVM. */
async function javaBridge(): Promise<{ port: number; wire: Socket }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" ? String(address?.port) : "";
  const folder = join(TEST_ADAPTERS, "java");
  const classes = readdirSync(folder).find((name) => name.startsWith("classes-")) ?? "";
  const options = [
    "-Djava.net.preferIPv4Stack=true",
    "--add-modules",
    "jdk.jdi",
    "-cp",
    join(folder, classes),
  ];
  const child = spawn("java", [...options, "Bridge", "127.0.0.1", own, "listen"], { stdio: "pipe" });
  onTestFinished(() => {
    child.kill("SIGKILL");
    server.close();
  });
  const lines = createInterface({ input: child.stdout });
  const [[wire], [line]] = await Promise.all([once(server, "connection"), once(lines, "line")]);
  return { wire: wire as Socket, port: Number(/^port (\d+)$/.exec(String(line))?.[1]) };
}

test.skipIf(!isRoot || javaRows.length === 0)(
  "the Java bridge takes the program's JVM, whoever called before it",
  { timeout: 60_000 },
  async () => {
    const { port, wire } = await javaBridge();
    const initialized = new Promise<void>((resolve) => {
      let said = "";
      wire.on("data", (bytes) => {
        said += bytes;
        if (said.includes('"initialized"')) resolve();
      });
    });
    wire.write(encode({ seq: 1, type: "request", command: "launch", arguments: {} }));
    expect([1, 2].map(() => triedByNobody(port))).toEqual([HUNG_UP, HUNG_UP]);
    const agent = `-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:${port}`;
    const jvm = spawn("java", [agent, "-version"], { stdio: "ignore" });
    onTestFinished(() => void jvm.kill("SIGKILL"));
    await initialized;
    expect(ports(jvm.pid ?? 0)).toEqual([]);
  },
);
