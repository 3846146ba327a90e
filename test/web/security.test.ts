/** Nobody is let in who was not given a link: each row of what the page's server promises, with its bypass tried. */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Keys } from "../../src/web/server/keys.ts";
import { Sonde } from "../support/sonde.ts";
import { ask, type Entry, enter, entered, type Served, serve, TestTab } from "./page-link.ts";

let sonde: Sonde;
let served: Served;
let entry: Entry;

beforeAll(async () => {
  sonde = new Sonde();
  sonde.fixture("js/stats.js");
  served = await serve(sonde);
  entry = await entered(served);
});

afterAll(async () => {
  await sonde.run("ui stop");
  await sonde[Symbol.asyncDispose]();
});

const shown = () => ({ cookie: entry.cookie, "x-sonde-secret": entry.secret });

describe("Host", () => {
  const good = () => [`127.0.0.1:${served.port}`, `localhost:${served.port}`];

  test("is exactly one of two names", async () => {
    for (const host of good()) expect((await ask(served.port, "/", { headers: { host } })).status).toBe(200);
  });

  test("any other spelling is refused, for files, for the door and for what is entered", async () => {
    const { port } = served;
    const bad = [
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `evil.example:${port}`,
      `0.0.0.0:${port}`,
      `127.1:${port}`,
      `0177.0.0.1:${port}`,
      `2130706433:${port}`,
      `[::1]:${port}`,
      `localhost6:${port}`,
      `LOCALHOST:${port}`,
      `user@127.0.0.1:${port}`,
      "",
    ];
    for (const host of bad)
      for (const path of ["/", "/app.js", "/entered", "/enter"]) {
        const { status } = await ask(port, path, { headers: { ...shown(), host }, setHost: false });
        expect([host, path, status]).toEqual([host, path, 403]);
      }
  });

  test("a target with a host of its own is no path", async () => {
    const { status } = await ask(served.port, `http://evil.example:${served.port}/`);
    expect(status).toBe(400);
    expect((await ask(served.port, "//evil.example/")).status).toBe(400);
  });
});

describe("the key", () => {
  test("opens once", async () => {
    const again = await serve(sonde);
    expect((await enter(again, again.key)).status).toBe(200);
    expect((await enter(again, again.key)).status).toBe(401);
  });

  test("a wrong one, none, or one in the address opens nothing", async () => {
    expect((await enter(served, "x".repeat(43))).status).toBe(401);
    expect((await enter(served, "")).status).toBe(401);
    const { key } = await serve(sonde);
    const { status, headers } = await ask(served.port, `/enter?key=${key}`);
    expect([status, headers["set-cookie"]]).toEqual([405, undefined]);
  });

  test("is good for a minute", () => {
    let now = 0;
    const keys = new Keys(() => now);
    const from = { cwd: "/", env: {} };
    const [early, late] = [keys.issue(false, from), keys.issue(false, from)];
    now = 59_999;
    expect(keys.redeem(early, undefined)).toBeDefined();
    now = 60_001;
    expect(keys.redeem(late, undefined)).toBeUndefined();
    expect(keys.redeem(late, undefined)).toBeUndefined();
  });

  test("what came with a link is kept once, and not longer than the link", async () => {
    let now = 0;
    const keys = new Keys(() => now);
    const from = () => ({ cwd: "/", env: { SAID: "x".repeat(1000) } });
    const [one, other] = [keys.issue(false, from()), keys.issue(true, from())];
    expect(keys.redeem(one, undefined)?.from).toBe(keys.redeem(other, undefined)?.from);
    const gone = new WeakRef(
      (() => {
        const { env } = { env: { OTHER: "y" } };
        keys.issue(false, { cwd: "/", env });
        return env;
      })(),
    );
    now = 60_001;
    keys.issue(false, from());
    setFlagsFromString("--expose-gc");
    await new Promise((done) => setImmediate(done));
    runInNewContext("gc")();
    expect(gone.deref()).toBeUndefined();
  });

  test("what a link opened is forgotten when no tab has used it for half a day, and of many the one that was unused longest", () => {
    let now = 0;
    const keys = new Keys(() => now);
    const enter = () => {
      const grant = keys.redeem(keys.issue(false, { cwd: "/", env: {} }), undefined);
      if (grant === undefined) throw new Error("refused");
      return grant;
    };
    const isKnown = ({ cookie, secret }: { cookie: string; secret: string }) =>
      keys.check(cookie, secret) !== undefined;
    const [open, closed] = [enter(), enter()];
    const leave = keys.opened(open);
    now += 12 * 3_600_000 + 1;
    expect([isKnown(open), isKnown(closed)]).toEqual([true, false]);
    // It counts from when its tab was closed.
    leave();
    now += 11 * 3_600_000;
    expect(isKnown(open)).toBe(true);
    const first = enter();
    const stays = keys.opened(enter());
    const many = Array.from({ length: 98 }, () => {
      now += 1;
      return enter();
    });
    expect(isKnown(open)).toBe(false);
    expect([isKnown(first), many.every(isKnown)]).toEqual([true, true]);
    now += 1;
    enter();
    expect(many.filter((one) => !isKnown(one))).toHaveLength(0);
    expect(isKnown(first)).toBe(false);
    expect(keys.size).toBe(100);
    stays();
  });

  test("a form of another page cannot send it", async () => {
    const { key, base, port } = await serve(sonde);
    const send = (headers: Record<string, string>) =>
      ask(port, "/enter", { method: "POST", headers, body: JSON.stringify({ key }) });
    expect((await send({ "content-type": "application/json" })).status).toBe(403);
    expect((await send({ "content-type": "application/json", origin: "null" })).status).toBe(403);
    expect((await send({ "content-type": "application/json", origin: "http://evil.example" })).status).toBe(
      403,
    );
    expect(
      (await send({ "content-type": "application/json", origin: `http://127.0.0.1:${port + 1}` })).status,
    ).toBe(403);
    expect((await send({ "content-type": "text/plain", origin: base })).status).toBe(415);
    // None of these used it up.
    expect((await send({ "content-type": "application/json", origin: base })).status).toBe(200);
  });

  test("the cookie is for this server alone, and no script reads it", async () => {
    const { headers } = await enter(served, (await serve(sonde)).key);
    const [cookie = ""] = headers["set-cookie"] as string[];
    expect(cookie).toMatch(
      new RegExp(`^sonde-${served.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });
});

describe("cookie and secret", () => {
  const asks = async (headers: Record<string, string>) =>
    (await ask(served.port, "/entered", { headers })).status;

  test("count only together", async () => {
    const { cookie, secret } = entry;
    expect(await asks({ cookie, "x-sonde-secret": secret })).toBe(200);
    expect(await asks({ cookie })).toBe(401);
    expect(await asks({ "x-sonde-secret": secret })).toBe(401);
    expect(await asks({ cookie, "x-sonde-secret": `${secret}x` })).toBe(401);
    expect(await asks({ cookie: `${cookie}; ${cookie}x`, "x-sonde-secret": secret })).toBe(401);
  });

  test("of two browsers do not mix", async () => {
    const other = await entered(await serve(sonde));
    expect(await asks({ cookie: other.cookie, "x-sonde-secret": entry.secret })).toBe(401);
    expect(await asks({ cookie: entry.cookie, "x-sonde-secret": other.secret })).toBe(401);
  });

  test("a second link in the same browser leaves the first one good", async () => {
    const again = await entered(await serve(sonde), { cookie: entry.cookie });
    expect(again.cookie).toBe(entry.cookie);
    expect(await asks({ cookie: entry.cookie, "x-sonde-secret": entry.secret })).toBe(200);
    expect(await asks({ cookie: entry.cookie, "x-sonde-secret": again.secret })).toBe(200);
  });
});

describe("the socket", () => {
  async function opens(
    protocols: string[],
    headers: Record<string, string>,
    path = "/socket",
  ): Promise<number> {
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, protocols, { headers });
    const refused = once(socket, "unexpected-response").then(([, response]) => response.statusCode as number);
    const opened = once(socket, "open").then(() => 101);
    socket.on("error", () => {});
    const status = await Promise.race([refused, opened]);
    socket.terminate();
    return status;
  }

  test("needs cookie, secret and Origin, and its own Host", async () => {
    const { cookie, secret } = entry;
    const { base: origin, port } = served;
    expect(await opens(["sonde", secret], { cookie, origin })).toBe(101);
    expect(await opens(["sonde", secret], { cookie })).toBe(403);
    expect(await opens(["sonde", secret], { cookie, origin: "null" })).toBe(403);
    expect(await opens(["sonde", secret], { cookie, origin: "http://evil.example" })).toBe(403);
    expect(await opens(["sonde", secret], { cookie, origin: `http://127.0.0.1.evil.example:${port}` })).toBe(
      403,
    );
    expect(await opens(["sonde", secret], { cookie, origin: `https://127.0.0.1:${port}` })).toBe(403);
    expect(await opens(["sonde", secret], { cookie, origin, host: `evil.example:${port}` })).toBe(403);
    expect(await opens(["sonde", secret], { origin })).toBe(401);
    expect(await opens(["sonde"], { cookie, origin })).toBe(401);
    expect(await opens(["sonde", secret.slice(1)], { cookie, origin })).toBe(401);
    expect(await opens(["sonde", secret], { cookie, origin }, "/other")).toBe(404);
  });

  test("what is no message of the page ends it", async () => {
    for (const text of ["{", "[]", '{"do":"call","id":1}', '{"do":"watch","topic":"/etc"}', '{"do":"run"}']) {
      const socket = new WebSocket(`ws://127.0.0.1:${served.port}/socket`, ["sonde", entry.secret], {
        headers: { cookie: entry.cookie, origin: served.base },
      });
      await once(socket, "open");
      socket.send(text);
      const [code] = await once(socket, "close");
      expect([text, code]).toEqual([text, 1003]);
    }
  });
});

describe("a tab that wants too much", () => {
  test("is told so, call by call, and goes on when there is room", async () => {
    const tab = await TestTab.open(served, entry);
    const follow = (id: number) => tab.send({ do: "call", id, command: "changes", args: { follow: true } });
    const answer = (id: number) =>
      tab.next((one) => ("id" in one && "ok" in one && one.id === id ? one : undefined));
    for (let id = 1; id <= 101; id++) follow(1_000 + id);
    expect(await answer(1_101)).toMatchObject({
      ok: false,
      error: { code: "BUSY", message: "this tab has 100 calls under way", hint: expect.any(String) },
    });
    tab.send({ do: "cancel", id: 1_001 });
    await answer(1_001);
    expect((await tab.call("sessions")).ok).toBe(true);
    tab.close();
  });

  test("or nests it without end", async () => {
    const tab = await TestTab.open(served, entry);
    const levels = 200_000;
    tab.raw(
      `{"do":"call","id":7000,"command":"sessions","args":{"x":${"[".repeat(levels)}${"]".repeat(levels)}}}`,
    );
    const answer = await tab.next((one) =>
      "id" in one && "ok" in one && one.id === 7_000 ? one : undefined,
    );
    expect(answer).toMatchObject({ ok: false, error: { code: "BAD_ARGUMENT", hint: expect.any(String) } });
    const odd = await tab.call("context", { session: { name: "stats" } });
    expect(odd).toMatchObject({ ok: false, error: { code: "BAD_ARGUMENT" } });
    tab.close();
  });

  test("and topic by topic", async () => {
    const tab = await TestTab.open(served, entry);
    for (let n = 0; n <= 50; n++) tab.watch(`session:s${n}`);
    const { why } = await tab.event("s50", "gone");
    expect(why).toContain("looks at 50 things already");
    expect((await tab.event("s49", "gone")).why).toBeUndefined();
    tab.send({ do: "unwatch", topic: "session:s0" });
    const seen = tab.count;
    tab.watch("session:s50");
    expect((await tab.event("s50", "gone", () => true, seen)).why).toBeUndefined();
    tab.close();
  });
});

test("every answer has the headers", async () => {
  for (const path of ["/", "/s/app", "/app.js", "/entered", "/nothing-here", "/enter"]) {
    const { headers } = await ask(served.port, path);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    );
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("only the page's own files are served", async () => {
  const paths = [
    "/../web-server.mjs",
    "/..%2fweb-server.mjs",
    "/%2e%2e/cli.cjs",
    "/page/../../package.json",
    "/./../cli.cjs",
  ];
  for (const path of [...paths, "/etc/passwd", "/app.js/../../cli.cjs", "/.env", "/app.js%00.html"]) {
    const { status, body } = await ask(served.port, path);
    expect([path, status]).toEqual([path, 404]);
    expect(body).not.toContain("root:");
  }
});

describe("a link to watch with", () => {
  test("reads, and neither moves nor changes anything", async () => {
    await sonde.run("start stats.js --stop-on-entry --name watched");
    const link = await serve(sonde, "--read-only");
    const tab = await TestTab.open(link);
    expect(await tab.next((one) => ("hello" in one ? one.hello.readOnly : undefined))).toBe(true);
    expect((await tab.call("sessions")).ok).toBe(true);
    expect((await tab.call("context", {}, "watched")).ok).toBe(true);
    const tries: [string, Record<string, unknown>][] = [
      ["next", {}],
      ["n", {}],
      ["stop", { all: true }],
      ["eval", { expression: "process.exit()" }],
      ["set", { target: "x", value: "1" }],
      ["breakpoint add", { location: "stats.js:4" }],
      ["b", { location: "stats.js:4" }],
      ["start", { program: "stats.js" }],
      ["handover take", {}],
      ["print", { expression: "process.exit()" }],
      ["await", { eval: ["process.exit()"] }],
      ["trace show", { format: "json", to: "/tmp/never" }],
      ["agent inspect", { what: "request", out: "/tmp/never" }],
      ["agent events", { source: "/etc/never.jsonl" }],
      ["agent sessions", { dir: "/tmp" }],
      ["report", { output: "/etc/passwd" }],
      ["doctor", { verify: true }],
      ["probe", { location: ["stats.js:4"] }],
      ["trace", { at: ["stats.js:4"], args: ["node", "stats.js"] }],
      ["diff", { traces: ["t1", "t2"], a: ["node", "stats.js"] }],
      ["report", { yes: true }],
      ["clear-cache", { yes: true }],
      ["agent pause", {}],
      ["output", { clear: true }],
    ];
    for (const [command, args] of tries) {
      const answer = await tab.call(command, args, "watched");
      expect([command, answer.ok ? "done" : answer.error.code]).toEqual([command, "PERMISSION"]);
    }
    const { sessions } = await sonde.ask<{ sessions: { state: string; owner: { who: string } }[] }>(
      "sessions",
    );
    expect(sessions).toMatchObject([{ state: "stopped", owner: { who: "agent" } }]);
    tab.close();
    await sonde.run("stop");
  });
});

describe("another user", () => {
  const isRoot = process.getuid?.() === 0;
  const other = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"];

  test("the runtime folder and its sockets are closed", () => {
    const run = join(sonde.home, "run");
    expect(statSync(run).mode & 0o777).toBe(0o700);
    expect(statSync(join(run, "ui.sock")).mode & 0o777).toBe(0o600);
  });

  test.skipIf(!isRoot)("gets nothing from the port, with a good key, cookie and secret", async () => {
    const { key, base, port } = await serve(sonde);
    const script = `
      const { request } = require("node:http");
      // Not by fetch, whose promise Node 20 may leave open where a connection is closed at once.
      const ask = (path, { body, ...options }) => new Promise((done) => {
        const one = request("${base}" + path, options, (answer) => done(answer.resume().statusCode));
        one.on("error", () => done("closed")).end(body);
      });
      const headers = { "content-type": "application/json", origin: "${base}" };
      Promise.all([
        ask("/", {}),
        ask("/enter", { method: "POST", headers, body: JSON.stringify({ key: "${key}" }) }),
        ask("/entered", { headers: { cookie: "${entry.cookie}", "x-sonde-secret": "${entry.secret}" } }),
      ]).then((all) => console.log(JSON.stringify(all)));`;
    const [command = "", ...words] = [...other, process.execPath, "-e", script];
    const { stdout, stderr } = spawnSync(command, words, { encoding: "utf8", cwd: "/" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(["closed", "closed", "closed"]);
    // And the key is still its owner's.
    expect((await enter({ port, base, key }, key)).status).toBe(200);
  });
});
