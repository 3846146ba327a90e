/** One server for a user, however it is started, ended or stuck. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, watch } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { ask, serve, TestTab } from "./page-link.ts";

interface Link {
  url: string;
  port: number;
  pid: number;
}

const link = (sonde: Sonde, ...flags: string[]) => sonde.ask<Link>(["ui", "--no-open", ...flags]);

function started(): Sonde {
  const sonde = createSonde();
  onTestFinished(async () => {
    await sonde.run("ui stop");
  });
  return sonde;
}

const servers = (sonde: Sonde) =>
  sonde.processes().filter(({ command }) => command.includes("web-server.mjs"));

test("many at once get links of one server, and a start leaves nothing behind", async () => {
  const sonde = started();
  const all = await Promise.all(Array.from({ length: 6 }, () => link(sonde)));
  expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
  expect(new Set(all.map(({ url }) => url)).size).toBe(6);
  expect(servers(sonde)).toHaveLength(1);
  const left = readdirSync(join(sonde.home, "run")).filter((name) => /^\.?ui/.test(name));
  expect(left.sort()).toEqual(["ui.pid", "ui.sock"]);
  expect(await sonde.text("ui stop")).toBe("the page's server has ended\n");
  expect(servers(sonde)).toHaveLength(0);
  expect(readdirSync(join(sonde.home, "run")).filter((name) => /^\.?ui/.test(name))).toEqual([]);
  expect(await sonde.text("ui stop")).toBe("it was not running\n");
});

test("who is interrupted while it starts the server leaves one server at most", async () => {
  const sonde = started();
  await sonde.text("status"); // the folder is there
  const run = join(sonde.home, "run");
  const lock = join(run, "ui.lock");
  const first = sonde.spawn("ui --no-open");
  const holder = () => {
    try {
      return (JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid;
    } catch {
      return undefined; // not there, or gone between the two
    }
  };
  // The lock is the server's own before it takes its place.
  const watcher = watch(run);
  for (const changes = on(watcher); ; await changes.next()) {
    const pid = holder();
    if (pid !== undefined && servers(sonde).some((one) => one.pid === pid)) break;
    if (first.exitCode !== null) throw new Error("it was never handed over");
  }
  watcher.close();
  first.kill("SIGKILL");
  const all = await Promise.all([link(sonde), link(sonde), link(sonde)]);
  expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
  expect(servers(sonde)).toHaveLength(1);
  expect(existsSync(lock)).toBe(false);
});

test("that a browser is opened is said only if one is", async () => {
  const sonde = started();
  const open = async (BROWSER: string) =>
    (await sonde.text("ui", { env: { DISPLAY: ":0", BROWSER } })).split("\n")[1];
  expect(await open("true")).toBe("opening the browser");
  expect(await open("/nowhere/browser")).toContain("open it within 60 seconds");
  expect(await open(":true")).toBe("opening the browser");
  // As if it were not set: there may be one here or not.
  expect(await open("")).toMatch(/^(opening the browser|open it within 60 seconds.*)$/);
});

test("what a page starts runs where its own `sonde ui` was called, with the environment from there", async () => {
  const sonde = started();
  const long = "x".repeat(100_000);
  const tabs = [];
  for (const name of ["one", "two"]) {
    sonde.write(
      `${name}/say.js`,
      'const { basename } = require("node:path");\nconsole.log(basename(process.cwd()), process.env.SAID, (process.env.LONG ?? "").length);\n',
    );
    const { stdout } = await sonde.run(["ui", "--no-open", "--json"], {
      cwd: name,
      env: { SAID: `in ${name}`, LONG: long },
    });
    const { url, port } = (JSON.parse(stdout) as { data: Link }).data;
    const [base = "", key = ""] = url.split("/#k=");
    tabs.push(await TestTab.open({ port, base, key }));
  }
  expect(servers(sonde)).toHaveLength(1);
  for (const [at, name] of ["one", "two"].entries()) {
    const tab = tabs[at];
    const answer = await tab?.call("start", { program: "say.js", name });
    expect(answer).toMatchObject({ ok: true });
    expect(await sonde.text(`output -s ${name}`)).toContain(`${name} in ${name} 100000\n`);
  }
  for (const tab of tabs) await tab.closed();
});

test("a server that was killed is replaced; one that does not answer is named", async () => {
  const sonde = started();
  const first = await link(sonde);
  process.kill(first.pid, "SIGKILL");
  const second = await link(sonde);
  expect(second.pid).not.toBe(first.pid);
  process.kill(second.pid, "SIGSTOP");
  const refused = await sonde.refusal("ui --no-open");
  expect(refused).toMatchObject({
    code: "DAEMON_FAILED",
    message: `the page's server (pid ${second.pid}) does not answer`,
  });
  expect(refused.hint).toContain(`\`kill -9 ${second.pid}\``);
  process.kill(second.pid, "SIGKILL");
  expect((await link(sonde)).pid).not.toBe(second.pid);
});

test("a server that leaves frees its port at once, also while the daemon does not answer", async () => {
  const sonde = started();
  sonde.fixture("js/stats.js");
  await sonde.text("start stats.js --stop-on-entry");
  const served = await serve(sonde);
  const tab = await TestTab.open(served);
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
  const [first, late] = [await controlOf(sonde), await controlOf(sonde)];
  const { build } = await first({ ask: "status" });
  process.kill(daemon.pid, "SIGSTOP");
  try {
    const other = await link(sonde, "--port", String(await freePort()));
    expect(other.port).not.toBe(served.port);
    // It is still there, because of the daemon, and gives no link that leads nowhere.
    expect(await late({ ask: "link", build, readOnly: false })).toEqual({ leaving: true, port: served.port });
    const back = await link(sonde, "--port", String(served.port));
    expect(back.port).toBe(served.port);
    expect((await ask(back.port, "/")).status).toBe(200);
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
});

/** Asks the server that is there now, perhaps later. */
async function controlOf(sonde: Sonde): Promise<(ask: object) => Promise<Record<string, unknown>>> {
  const socket = connect(join(sonde.home, "run/ui.sock"));
  await once(socket, "connect");
  return async (ask) => {
    socket.write(`${JSON.stringify(ask)}\n`);
    return JSON.parse(await text(socket)) as Record<string, unknown>;
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** Each change, and now and then none: the folder may be as we want it before we watch. */
function on(watcher: ReturnType<typeof watch>): { next(): Promise<void> } {
  return {
    next: () =>
      new Promise((done) => {
        const timer = setTimeout(done, 20);
        watcher.once("change", () => {
          clearTimeout(timer);
          done();
        });
      }),
  };
}
