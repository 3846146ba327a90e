/** The rows of the menu by their numbers, as a screen reader or a script uses it. */
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTool } from "../../../src/foreground/menu/opener.ts";
import { createSonde, type RunOptions, type Sonde } from "../../support/sonde.ts";
import { unpacked } from "../report/unpacked.ts";

const ROWS = [
  "open artifacts",
  "performance",
  "work",
  "dump",
  "memory",
  "logs",
  "system",
  "raw stream",
  "transcript",
  "clear cache",
];

/** What is printed after the list was shown once, up to when it is shown again. */
async function choose(
  sonde: Sonde,
  name: string,
  answers: string[] = [],
  options: RunOptions = {},
): Promise<string> {
  const number = ROWS.indexOf(name) + 1;
  const input = `${[String(number), ...answers, "q"].join("\n")}\n`;
  const { stdout, stderr, status } = await sonde.run("menu --plain", {
    timeoutMs: 60_000,
    ...options,
    input,
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const [, , shown = ""] = stdout.split(/number, 1 to 10, or q to leave: |\n1\. open artifacts/);
  expect(stdout.split("10. clear cache").length).toBeGreaterThanOrEqual(3); // it came back to the list
  return shown;
}

function reports({ home }: Sonde): string[] {
  const folder = join(home, "state/reports");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

describe("menu, plain", () => {
  test("the first line says which mode it is, and the ten rows are numbered", async () => {
    const sonde = createSonde();
    const { stdout, status } = await sonde.run("menu", { input: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("sonde menu (plain mode: numbers to type, no full screen)");
    expect(lines.slice(1, 11).map((line) => line.split(":")[0])).toEqual(
      ROWS.map((name, at) => `${at + 1}. ${name}`),
    );
    expect(stdout).not.toContain("\x1b");
    expect(status).toBe(0);
  });

  test("a number that is none is told", async () => {
    const sonde = createSonde();
    const { stdout, status } = await sonde.run("menu", { input: "11\nwhat\n" });
    expect(stdout).toContain('there is no row "11"\n');
    expect(stdout).toContain('there is no row "what"\n');
    expect(status).toBe(0);
  });

  test("system", async () => {
    const shown = await choose(createSonde(), "system");
    expect(shown).toMatch(/^\$ sonde system\nos: /);
  });

  test("dump: shows the report, asks, and writes it", async () => {
    const sonde = createSonde();
    const refused = await choose(sonde, "dump", [""]);
    expect(refused).toMatch(/^\$ sonde report\nreport, not written: /);
    expect(refused).toContain("write this report? [y/N] nothing was done");
    expect(reports(sonde)).toEqual([]);
    const done = await choose(sonde, "dump", ["y"]);
    expect(done).toMatch(/write this report\? \[y\/N\] \$ sonde report --yes\nreport written: /);
    expect(reports(sonde)).toHaveLength(1);
  });

  test("logs", async () => {
    const sonde = createSonde();
    await sonde.run("status");
    const shown = await choose(sonde, "logs");
    expect(shown).toMatch(/^\$ sonde logs\n/);
    expect(shown).toContain("ready: sonde");
  });

  test("raw-sse and transcript: errors are shown, not thrown", async () => {
    const sonde = createSonde();
    for (const [name, line] of Object.entries({ "raw stream": "agent sse", transcript: "agent transcript" }))
      expect(await choose(sonde, name)).toContain(
        `$ sonde ${line}\nerror NO_SESSION: no agent has been run\nhint: `,
      );
  });

  test("transcript", async () => {
    const sonde = createSonde();
    const folder = join(sonde.home, "state/agents/sessions/debug_20261117_101010_abcd");
    mkdirSync(folder, { recursive: true });
    const timestamp = "2026-11-17T10:10:10.000Z";
    const record = {
      id: "x",
      pid: 999_999,
      startTime: timestamp,
      cwd: "/",
      route: "proxy",
      version: "1",
      ended: "clean",
      endTime: timestamp,
    };
    writeFileSync(join(folder, "session.json"), JSON.stringify(record));
    const event = {
      type: "user_input",
      timestamp,
      sessionId: "x",
      seq: 1,
      at: 1,
      data: { agent: "main", content: "please look" },
    };
    writeFileSync(join(folder, "events.jsonl"), `${JSON.stringify(event)}\n`);
    expect(await choose(sonde, "transcript")).toContain("please look");
  });

  test("clear-cache: an empty one is a plain answer, another is asked about", async () => {
    const sonde = createSonde();
    expect(await choose(sonde, "clear cache")).toMatch(/^\$ sonde clear-cache\nnothing to remove: /);
    const old = join(sonde.home, "state/traces/t1.jsonl");
    mkdirSync(join(old, ".."), { recursive: true });
    writeFileSync(old, "x");
    utimesSync(old, 0, 0);
    expect(await choose(sonde, "clear cache", ["no"])).toContain("remove it? [y/N] nothing was done");
    expect(existsSync(old)).toBe(true);
    expect(await choose(sonde, "clear cache", ["yes"])).toContain(
      "$ sonde clear-cache --yes\nremoved 1 artifact",
    );
    expect(existsSync(old)).toBe(false);
  });

  test("open-artifacts: the system's opener gets the folder; without one its path is shown", async () => {
    const sonde = createSonde();
    await sonde.run("status");
    const bin = join(sonde.project, "bin");
    const said = join(sonde.project, "opened");
    chmodSync(
      sonde.write("bin/xdg-open", `#!/bin/sh\necho "$1" > ${said}.part && mv ${said}.part ${said}\n`),
      0o755,
    );
    const folder = join(sonde.home, "state");
    const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ":0" };
    const shown = await choose(sonde, "open artifacts", [], { env });
    expect(shown).toContain(`$ xdg-open ${folder}`);
    await expect.poll(() => existsSync(said) && readFileSync(said, "utf8")).toBe(`${folder}\n`);
    const without = await choose(sonde, "open artifacts", [], {
      env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
    });
    expect(without).toContain(`it is ${folder}`);
  });

  test("performance: a profile of a command, then a report that holds it", { timeout: 90_000 }, async () => {
    const sonde = createSonde();
    sonde.write(
      "busy.js",
      "const end = Date.now() + 300; function spin() { let n = 0; while (Date.now() < end) n++; return n; } spin();",
    );
    const shown = await choose(sonde, "performance", ["node busy.js", "y"]);
    expect(shown).toContain("$ sonde profile cpu -- node busy.js\n");
    expect(shown).toContain("spin");
    expect(shown).toContain("$ sonde report --yes\nreport written: ");
    const names = [...unpacked(reports(sonde)[0] ?? "").files.keys()];
    expect(names).toContain("profiles/p1/flame.svg");
    // Paths in it cannot be masked.
    expect(names).not.toContain("profiles/p1/profile.pb.gz");
    expect(names).toContain("profiles/p1/stacks.folded");
  });

  test("memory: a heap snapshot, then a report that holds it, with a warning", {
    timeout: 90_000,
  }, async () => {
    const sonde = createSonde();
    const script = "globalThis.held = ['a', 'b']; setInterval(() => {}, 1000); console.log('ready')";
    const program = sonde.program("node", ["-e", script]);
    await once(program.stdout ?? program, "data");
    const shown = await choose(sonde, "memory", [String(program.pid), "y"]);
    expect(shown).toContain(`$ sonde profile heap --snapshot --seconds 1 --pid ${program.pid}\n`);
    expect(shown).toMatch(/\$ sonde report --heap-snapshot \S+\.heapsnapshot\n/);
    expect(shown).toContain("warning: a heap snapshot holds every text");
    expect([...unpacked(reports(sonde)[0] ?? "").files.keys()]).toContain("memory.heapsnapshot");
  });

  test("work: the same for the daemon itself", { timeout: 90_000 }, async () => {
    expect(await choose(createSonde(), "work")).toMatch(/^\$ sonde profile work\n/);
  });
});

test("no folder is opened in a terminal without a desktop", () => {
  expect(findTool({ PATH: process.env.PATH ?? "" }, "linux")).toBeUndefined();
  expect(findTool({ PATH: "/nowhere", DISPLAY: ":0" }, "linux")).toBeUndefined();
});
