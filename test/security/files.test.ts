/** What Sonde makes is its user's alone, and what it uses was made by its user: no other user of the machine reads it, plants it or swaps it. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { binary, createSonde, FIXTURES, type Sonde } from "../support/sonde.ts";

const NOBODY = 65_534;
/** Files of a second user can only be made by root, as which continuous integration runs. */
const isRoot = process.getuid?.() === 0;

interface Entry {
  path: string;
  mode: number;
  uid: number;
  kind: "folder" | "socket" | "file" | "link" | "pipe";
}

function entries(folder: string): Entry[] {
  return readdirSync(folder).flatMap((name): Entry[] => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return []; // gone meanwhile
    const kind = stats.isDirectory()
      ? "folder"
      : stats.isSocket()
        ? "socket"
        : stats.isSymbolicLink()
          ? "link"
          : stats.isFIFO()
            ? "pipe"
            : "file";
    const own = { path, mode: stats.mode & 0o777, uid: stats.uid, kind } as const;
    return [own, ...(kind === "folder" ? entries(path) : [])];
  });
}

const wide = (all: Entry[]) =>
  all.filter(
    ({ mode, uid, kind }) => uid !== process.getuid?.() || (kind !== "link" && (mode & 0o077) !== 0),
  );

/** A shell whose user lets everybody in: what does not say its mode shows. */
function careless(sonde: Sonde, env: Record<string, string>, words: string[]) {
  const args = ["-c", 'umask 0; exec "$@"', "sh", binary(), ...words];
  const options = {
    cwd: sonde.project,
    env: { ...sonde.env, ...env },
    encoding: "utf8",
    timeout: 60_000,
  } as const;
  const { status, stdout, stderr } = spawnSync("/bin/sh", args, options);
  return { status, text: `${stdout}${stderr}` };
}

test("every file and folder, in a shell with umask 0", { timeout: 120_000 }, () => {
  const sonde = createSonde();
  const around = join(sonde.home, "..");
  const env = { SONDE_HOME: join(around, "fresh"), TMPDIR: join(around, "tmp") };
  mkdirSync(env.TMPDIR);
  onTestFinished(() => void careless(sonde, env, ["daemon", "stop"]));
  const seen = new Map<string, Entry>();
  const run = (...words: string[]) => {
    const { text } = careless(sonde, env, words);
    for (const one of [...entries(env.SONDE_HOME), ...entries(env.TMPDIR)]) seen.set(one.path, one);
    // A compiler's own output, in a folder that is closed.
    const found = wide([...seen.values()]).filter(({ path }) => !/\/sonde-build-[^/]+\//.test(path));
    expect(found, `after sonde ${words.join(" ")}: ${text}`).toEqual([]);
  };
  sonde.fixture("js/stats.js");
  sonde.fixture("python/stats.py");
  run("start", "stats.js", "--stop-on-entry");
  run("start", "--stop-on-entry", "--", "/usr/bin/python3", "stats.py");
  for (const language of ["c", "go"] as const)
    if (compilerVersion(language) !== undefined)
      run("start", join(builtFolder(language), "stats"), "--stop-on-entry");
  run("stop", "--all");
  run("trace", "--at", "stats.js:3", "--", process.execPath, "stats.js");
  run("trace", "--at", "stats.py:3", "--", "/usr/bin/python3", "stats.py");
  if (compilerVersion("c") !== undefined) {
    sonde.fixture("c/stats.c");
    run("trace", "--at", "stats.c:6", "--build", "stats.c");
    run("start", "stats.c", "--build", "--stop-on-entry");
    run("restart");
  }
  run("crash", "stats.js");
  run("agent", "run", "--quiet", "--client", "anthropic", "--", process.execPath, "-e", "0");
  run("report", "--yes");
  run("stop", "--all");
  const kinds = [
    "run/daemon.sock",
    "run/daemon.json",
    "state/logs",
    "state/traces/t1.jsonl",
    "state/agents/sessions",
  ];
  for (const name of kinds) expect([...seen.keys()]).toContain(join(env.SONDE_HOME, name));
});

/** Names that can be known beforehand, of a file that is written there sooner or later. */
const EXPECTED = [
  ...["daemon.json.new", "daemon.json", "daemon.sock"].map((name) => `run/${name}`),
  ...["t1.output.txt", "t2.output.txt", "t2.jsonl"].map((name) => `state/traces/${name}`),
  ...["index.json", "current"].map((name) => `state/agents/${name}`),
  `state/logs/sonde-${new Date().toISOString().slice(0, 10)}.log`,
];

test("a link where a file will be written is not followed", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const target = join(sonde.home, "..", "precious");
  writeFileSync(target, "precious\n", { mode: 0o644 });
  for (const name of EXPECTED) {
    mkdirSync(join(sonde.home, name, ".."), { recursive: true, mode: 0o700 });
    symlinkSync(target, join(sonde.home, name));
  }
  const program = sonde.fixture("js/stats.js");
  await sonde.run("status");
  await sonde.run(["trace", "--at", `${program}:3`, "--", process.execPath, program]);
  await sonde.run(["agent", "run", "--quiet", "--client", "anthropic", "--", process.execPath, "-e", "0"]);
  await sonde.run("daemon stop");
  expect(readFileSync(target, "utf8")).toBe("precious\n");
  expect(lstatSync(target).mode & 0o777).toBe(0o644);
});

/** What another user has made first, in a place that they can write to; and what is then refused. */
const taken: Record<string, { path: string; refused: string[]; rule: RegExp }> = {
  "the runtime folder": {
    path: "run",
    refused: ["status"],
    rule: /run is not safe to use: it belongs to uid 65534/,
  },
  "the folder of traces": {
    path: "state/traces",
    refused: ["trace", "--at", "stats.js:3", "--", process.execPath, "stats.js"],
    rule: /traces is not safe to use: it belongs to uid 65534/,
  },
  "the folder of agents": {
    path: "state/agents",
    refused: ["agent", "run", "--quiet", "--client", "anthropic", "--", process.execPath, "-e", "0"],
    rule: /agents is not safe to use: it belongs to uid 65534/,
  },
  "the folder of debuggers": {
    path: "share/adapters",
    refused: ["adapters"],
    rule: /adapters is not safe to use: it belongs to uid 65534/,
  },
};

test.skipIf(!isRoot).each(Object.keys(taken))(
  "another user's folder in its place is refused, by its rule: %s",
  async (what) => {
    const sonde = createSonde();
    sonde.fixture("js/stats.js");
    const { path = "", refused = [], rule = /./ } = taken[what] ?? {};
    const folder = join(sonde.home, path);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    chownSync(folder, NOBODY, NOBODY);
    const { message } = await sonde.refusal(refused);
    expect(message).toMatch(rule);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.skipIf(!isRoot).each(["of another user", "that everybody can write"])(
  "a configuration file %s names no program for us to run",
  async (kind) => {
    const sonde = createSonde();
    const canary = join(sonde.home, "..", "canary");
    const evil = sonde.write("evil", `#!/bin/sh\n/usr/bin/touch ${canary}\n`);
    chmodSync(evil, 0o755);
    sonde.config(`[adapters.lldb]\ncommand = "${evil}"\n`);
    const config = join(sonde.home, "config.toml");
    if (kind === "of another user") chownSync(config, NOBODY, NOBODY);
    else chmodSync(config, 0o666);
    const { message } = await sonde.refusal("adapters");
    expect(message).toMatch(
      /config\.toml is not safe to use: (it belongs to uid 65534|every user can write to it)/,
    );
    expect(existsSync(canary)).toBe(false);
  },
);

test.skipIf(!isRoot)(
  "leftovers of another user in the temporary folder are not cleaned up",
  { timeout: 60_000 },
  async () => {
    const sonde = createSonde();
    const temporary = join(sonde.home, "..", "tmp");
    mkdirSync(temporary);
    chmodSync(temporary, 0o1777);
    // The name of one whose daemon is gone. Inside, its owner can exchange folders for links while we remove them.
    const bait = join(temporary, "sonde-python-4194303-abcdef");
    mkdirSync(join(bait, "inside"), { recursive: true });
    writeFileSync(join(bait, "inside", "file"), "");
    for (const path of [bait, join(bait, "inside"), join(bait, "inside", "file")])
      chownSync(path, NOBODY, NOBODY);
    const own = join(temporary, "sonde-python-4194302-abcdef");
    mkdirSync(own);
    const env = { TMPDIR: temporary };
    await sonde.run(
      ["start", "--stop-on-entry", "--", "/usr/bin/python3", join(FIXTURES, "python/stats.py")],
      { env },
    );
    expect(existsSync(own)).toBe(false);
    expect(existsSync(join(bait, "inside", "file"))).toBe(true);
  },
);

const EXCHANGE = `
import ctypes, sys
libc = ctypes.CDLL(None)
one, other = (word.encode() for word in sys.argv[1:])
print("ready", flush=True)
while True: libc.renameat2(-100, one, -100, other, 2)
`;

test.skipIf(!isRoot || process.platform !== "linux")(
  "a runtime folder that is exchanged all the time: nobody else is ever called",
  { timeout: 120_000 },
  async () => {
    const sonde = createSonde();
    await sonde.text("status");
    const [run, link, theirs] = ["run", "link", "theirs"].map((name) => join(sonde.home, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(theirs);
    chownSync(theirs, NOBODY, NOBODY);
    symlinkSync(theirs, link);
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(join(theirs, "daemon.sock"), done));
    onTestFinished(() => void server.close());
    const swapper = spawn("/usr/bin/python3", ["-c", EXCHANGE, run, link], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const gone = new Promise((done) => swapper.once("exit", done));
    await new Promise((done) => swapper.stdout.once("data", done));
    for (let round = 0; round < 4; round++) await Promise.all([1, 2, 3, 4].map(() => sonde.run("sessions")));
    swapper.kill("SIGKILL");
    await gone;
    if (lstatSync(run).isSymbolicLink()) {
      rmSync(run);
      spawnSync("/bin/mv", [link, run]);
    } else expect(readlinkSync(link)).toBe(theirs);
    expect(calls).toBe(0);
    expect(await sonde.text("sessions")).toBe("no sessions\n");
  },
);
