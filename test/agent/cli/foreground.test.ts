/** Commands that run in the caller's terminal: the client knows which they are, and starts no daemon for them. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { REGISTERED } from "../../../src/commands/index.ts";
import { createSonde } from "../../support/sonde.ts";

const SOURCES = resolve(import.meta.dirname, "../../../src/cli");

/** `agent run`, `agent replay --serve` */
const DECLARED = REGISTERED.flatMap(({ name, foreground }) =>
  foreground === undefined ? [] : [foreground === true ? name : `${name} --${foreground}`],
);

test("are the same for the client as in the declarations", () => {
  const client = readFileSync(join(SOURCES, "words.ts"), "utf8");
  const always = /IN_TERMINAL = \/\^agent \(([\w|]+)\)\$\//.exec(client)?.[1]?.split("|") ?? [];
  const sometimes = /IN_TERMINAL_WITH = \/\^(agent [\w -]+)\$\//.exec(client)?.[1];
  const menu = /MENU = "(\w+)"/.exec(client)?.[1];
  expect([...always.map((word) => `agent ${word}`), sometimes, menu].sort()).toEqual([...DECLARED].sort());
  const interactive = /INTERACTIVE: readonly string\[\] = \[([\s\S]*?)\];/.exec(client)?.[1] ?? "";
  expect([...interactive.matchAll(/"([^"]+)"/g)].map(([, name]) => name).sort()).toEqual(
    REGISTERED.filter((one) => one.interactive)
      .map(({ name }) => name)
      .sort(),
  );
  const perl = readFileSync(join(SOURCES, "fast.pl"), "utf8");
  expect(perl).toContain(`=~ /^(${always.join("|")})$/`);
  expect(perl).toContain(`$named[0] eq "${menu}"`);
  expect(perl).toContain(`eq "replay" && grep { $_ eq "--serve" }`);
});

test("an agent runs in the terminal, with no daemon, and its exit status is ours", async () => {
  await using sonde = createSonde();
  const words = [
    "agent",
    "run",
    "--",
    process.execPath,
    "-e",
    "console.log(process.argv[1]); process.exit(7)",
    "hi",
  ];
  const { status, stdout, stderr } = await sonde.run(words);
  expect(stderr).toContain("debug_");
  expect(stdout).toBe("hi\n");
  expect(status).toBe(7);
  // The guard of its processes outlives it by a moment; a daemon would stay.
  await expect.poll(() => sonde.processes()).toEqual([]);
  const all = await sonde.ask<{ sessions: { state: string; what: string }[] }>("agent sessions --all");
  expect(all.sessions).toMatchObject([{ state: "exited with 7" }]);
});

test("mistakes are refused as everywhere, before anything is started", async () => {
  await using sonde = createSonde();
  expect(await sonde.refusal("agent run")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
  expect(await sonde.refusal("agent run --pausd -- true")).toMatchObject({ hint: "did you mean --paused?" });
  expect(await sonde.refusal("agent run -- no-such-program-here")).toMatchObject({ status: 1 });
  expect((await sonde.run("agent run --break tol=Bash -- true")).stderr).toContain(
    "`tol` is not a kind of breakpoint",
  );
  expect(sonde.processes()).toEqual([]);
  const inside = await sonde.run(["do", "agent attach"]);
  expect(inside.stderr).toContain("error UNSUPPORTED: agent attach runs in a terminal of its own");
});

test("a recording is served until it is interrupted", async () => {
  await using sonde = createSonde();
  await sonde.run(["agent", "run", "--", "true"]);
  const child = sonde.spawn(["agent", "replay", "--serve"]);
  const url = await new Promise<string>((done) => child.stdout?.once("data", (text) => done(String(text))));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S+\n$/);
  child.kill("SIGINT");
  expect(await new Promise((done) => child.once("exit", done))).toBe(0);
});
