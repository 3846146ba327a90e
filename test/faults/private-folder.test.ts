/** A program calls its debugger only in a folder that nobody else can enter: whoever else answers there would get in. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ADAPTERS = resolve(import.meta.dirname, "../../src/adapters");
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Each prepares a folder and gives the path that leads to it. */
const folders: Record<string, (folder: string) => string> = {
  "its own": (folder) => folder,
  "open to others": (folder) => {
    chmodSync(folder, 0o710);
    return folder;
  },
  "a link": (folder) => {
    symlinkSync(folder, `${folder}-link`);
    return `${folder}-link`;
  },
  ...(isRoot
    ? {
        "of another user": (folder: string) => {
          chownSync(folder, NOBODY, NOBODY);
          return folder;
        },
      }
    : {}),
};

/** A line of the program itself says that it ran; the call, if there is one, comes first. */
const programs: Record<string, (socket: string) => { file: string; args: string[]; env: object }> = {
  node: (socket) => ({
    file: process.execPath,
    args: ["-e", "console.log('ran')"],
    env: { NODE_OPTIONS: `--require ${join(ADAPTERS, "node/boot.entry.cjs")}`, SONDE_NODE_SOCKET: socket },
  }),
  python3: (socket) => ({
    file: "python3",
    args: ["-c", `import sonde_boot; sonde_boot.call(${JSON.stringify(socket)}, 'app'); print('ran')`],
    env: { PYTHONPATH: join(ADAPTERS, "python/boot"), PYTHONDONTWRITEBYTECODE: "1" },
  }),
  ruby: (socket) => ({
    file: "ruby",
    args: ["-e", "puts 'ran'"],
    env: {
      RUBYOPT: `-r${join(ADAPTERS, "ruby/boot/boot.rb")}`,
      SONDE_RUBY_SOCKET: socket,
      SONDE_RUBY_DEBUG: "/nonexistent",
    },
  }),
};

const cases = Object.keys(programs).flatMap((language) =>
  Object.keys(folders).map((kind) => ({ language, kind })),
);

test.each(cases)("$language calls a socket in a folder that is its own, and no other: $kind", async (row) => {
  const { language, kind } = row;
  if (language !== "node" && spawnSync(language, ["--version"]).status !== 0) return;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sonde-private-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const made = join(root, "folder");
  mkdirSync(made, { mode: 0o700 });
  const folder = folders[kind]?.(made) ?? made;
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(join(folder, "s"), done));
  onTestFinished(() => void server.close());
  const program = programs[language]?.(join(folder, "s"));
  if (program === undefined) throw new Error(language);
  const child = spawn(program.file, program.args, { env: { ...process.env, ...program.env } });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  await new Promise((done) => child.once("close", done));
  // Ruby without its debug gem cannot go on once it is called for; that it called is what counts here.
  if (kind !== "its own" || language !== "ruby") expect(said).toBe("ran\n");
  expect(calls).toBe(kind === "its own" ? 1 : 0);
});
