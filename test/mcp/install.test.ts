/** `sonde mcp install`: shown or written, merged with what is there, and never at its cost. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import JSON5 from "json5";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { CLIENTS, placeFor } from "../../src/mcp/install/clients.ts";
import { merged, snippet } from "../../src/mcp/install/merge.ts";
import { printed } from "../contract/rig.ts";
import { binary, createSonde } from "../support/sonde.ts";

const FILES = {
  "claude-code": [".mcp.json", ".claude.json"],
  codex: [".codex/config.toml", ".codex/config.toml"],
  cursor: [".cursor/mcp.json", ".cursor/mcp.json"],
  vscode: [".vscode/mcp.json", ".config/Code/User/mcp.json"],
  opencode: ["opencode.json", ".config/opencode/opencode.json"],
  gemini: [".gemini/settings.json", ".gemini/settings.json"],
} as const;

/** An empty home folder of the caller's. */
function caller() {
  const sonde = createSonde();
  const home = join(sonde.project, "home");
  const env = { HOME: home, XDG_CONFIG_HOME: undefined, CODEX_HOME: undefined };
  const install = (words: string) => sonde.run(`mcp install ${words}`, { env });
  return { sonde, home, install };
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

describe.each(CLIENTS)("%s", (client) => {
  test("is shown, with its file; and written for the project and the user, safe twice", async () => {
    const { sonde, home, install } = caller();
    const [project, user] = FILES[client];
    const shown = await install(`--client ${client}`);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain(join(sonde.project, project));
    expect(shown.stdout).toContain(binary());
    expect(existsSync(join(sonde.project, project))).toBe(false);

    for (const [scope, path] of [
      ["--project", join(sonde.project, project)],
      ["--user", join(home, user)],
    ] as const) {
      expect(await install(`--client ${client} ${scope} --write --yes`)).toMatchObject({ status: 0 });
      const first = read(path);
      const value: unknown = client === "codex" ? parse(first) : JSON.parse(first);
      expect(JSON.stringify(value)).toContain(JSON.stringify(binary()));
      expect((await install(`--client ${client} ${scope} --write`)).stdout).toContain("already has it");
      expect(read(path)).toBe(first);
    }
  });
});

test("what is there stays, and a copy of it as it was", async () => {
  const { sonde, install } = caller();
  const before = `${JSON.stringify({ mcpServers: { other: { command: "x" }, sonde: { command: "/old", env: { A: "1" } } }, also: [1, 2] }, null, 4)}\n`;
  const path = sonde.write(".mcp.json", before);
  chmodSync(path, 0o600);
  const { stdout } = await install("--client claude-code --write --yes");
  expect(JSON.parse(read(path))).toEqual({
    mcpServers: {
      other: { command: "x" },
      sonde: { type: "stdio", command: binary(), args: ["mcp"], env: { A: "1" } },
    },
    also: [1, 2],
  });
  expect(read(path)).toMatch(/^ {4}"mcpServers"/m);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [, backup = ""] = /as it was: (.*)\n/.exec(stdout) ?? [];
  expect(read(backup)).toBe(before);
  expect(readdirSync(sonde.project).filter((name) => name.includes(".new"))).toEqual([]);
});

test("nothing is written without a yes", async () => {
  const { sonde, install } = caller();
  const { status, stderr } = await install("--client cursor --write");
  expect(status).toBe(2);
  expect(stderr).toContain("--yes");
  expect(existsSync(join(sonde.project, ".cursor"))).toBe(false);
});

test.skipIf(spawnSync("script", ["--version"]).status !== 0)("in a terminal it asks", async () => {
  const { sonde, home } = caller();
  const path = join(sonde.project, ".cursor/mcp.json");
  for (const [typed, written] of [
    ["n", false],
    ["y", true],
  ] as const) {
    const command = `${binary()} mcp install --client cursor --write`;
    const terminal = sonde.program("script", ["-qec", command, "/dev/null"], { env: { HOME: home } });
    await printed(terminal.stdout, "[y/N]");
    terminal.stdin?.write(`${typed}\n`);
    await once(terminal, "exit");
    expect(existsSync(path)).toBe(written);
  }
});

test("a file that cannot be merged is left alone, and the text to paste is given", async () => {
  const { sonde, install } = caller();
  const broken = '{\n  // mine\n  "servers": {\n';
  const path = sonde.write(".vscode/mcp.json", broken);
  const { status, stderr } = await install("--client vscode --write --yes");
  expect(status).toBe(1);
  expect(stderr).toContain("it is not valid JSON (CloseBraceExpected, line 4)");
  expect(stderr).toContain(binary());
  expect(read(path)).toBe(broken);
});

test("comments stay", async () => {
  const { sonde, install } = caller();
  const path = sonde.write(".vscode/mcp.json", '{\n\t// mine\n\t"servers": {} // none yet\n}\n');
  expect(await install("--client vscode --write --yes")).toMatchObject({ status: 0 });
  expect(read(path)).toBe(
    `{\n\t// mine\n\t"servers": {\n\t\t"sonde": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "${binary()}",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t} // none yet\n}\n`,
  );
});

test("a link is written through, also to a file that is not there yet", async () => {
  const { sonde, install } = caller();
  const link = join(sonde.project, ".cursor/mcp.json");
  const target = join(sonde.project, "dotfiles/cursor.json");
  mkdirSync(join(sonde.project, ".cursor"));
  symlinkSync("../dotfiles/cursor.json", link);
  const early = await install("--client cursor --write --yes");
  expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining("whose folder does not exist") });
  expect(existsSync(join(sonde.project, "dotfiles"))).toBe(false);

  mkdirSync(join(sonde.project, "dotfiles"));
  const { status, stdout } = await install("--client cursor --write --yes");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${link} (a link to ${target}) written\n` });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(read(target))).toHaveProperty("mcpServers.sonde");
});

test("a read-only file is not replaced", async () => {
  const { sonde, install } = caller();
  const path = sonde.write(".cursor/mcp.json", "{}\n");
  chmodSync(path, 0o444);
  const { status, stderr } = await install("--client cursor --write --yes");
  expect(status).toBe(1);
  expect(stderr).toContain(`error PERMISSION: ${path} was not changed: it is read-only`);
  expect(stderr).toContain(`chmod u+w ${path}`);
  expect(read(path)).toBe("{}\n");
  expect(readdirSync(join(sonde.project, ".cursor"))).toEqual(["mcp.json"]);
});

test("what is no file, or no UTF-8, is told as that", async () => {
  const { sonde, install } = caller();
  mkdirSync(join(sonde.project, ".cursor/mcp.json"), { recursive: true });
  expect(await install("--client cursor --write --yes")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error BAD_CONFIG: .*mcp\.json is a folder, not a file\nhint: /),
  });
  const file = sonde.write(".gemini", "a file");
  expect(await install("--client gemini --write --yes")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`error BAD_ARGUMENT: ${file} is no folder\nhint: `),
  });
  writeFileSync(join(sonde.project, ".mcp.json"), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  expect(await install("--client claude-code --write --yes")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("it is not UTF-8"),
  });
});

test("wrong words are named", async () => {
  const { install } = caller();
  expect(await install("--client codx")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("did you mean codex?"),
  });
  expect((await install("")).stderr).toContain("for which client?");
  expect((await install("--client codex --frob")).stderr).toContain("no such option `--frob`");
  expect((await install("--client codex --user --project")).stderr).toContain("either --project or --user");
});

describe("merging", () => {
  const program = { command: "/opt/sonde/bin/sonde", args: ["mcp"] };
  const codex = placeFor("codex", "user", program, { cwd: "/", env: { HOME: "/home/me" } });
  const gemini = placeFor("gemini", "user", program, { cwd: "/", env: { HOME: "/home/me" } });

  test("TOML keeps comments, order and other tables", () => {
    const before = '# mine\nmodel = "x" # best\n\n[mcp_servers.other]\ncommand = "y"\n';
    const result = merged(codex, before);
    expect(result).toEqual({ changed: true, text: `${before}\n${snippet(codex)}` });
    expect(snippet(codex)).toBe('[mcp_servers.sonde]\ncommand = "/opt/sonde/bin/sonde"\nargs = [ "mcp" ]\n');
  });

  test("TOML: an entry of ours is brought up to date, what was added to it stays", () => {
    const before =
      '[mcp_servers.sonde]\n# why\ncommand = "/old/sonde"\nargs = ["mcp"]\nstartup_timeout_sec = 20\n\n[mcp_servers.sonde.env]\nA = "1"\n\n[z]\ncommand = "left"\n';
    const result = merged(codex, before);
    const expected = before.replace("/old/sonde", program.command);
    expect("text" in result && parse(result.text)).toEqual(parse(expected));
    expect("text" in result && result.text).toContain("# why\n");
  });

  test("TOML: a value on several lines is replaced whole, comments after values and other lines stay", () => {
    const before =
      '[mcp_servers.sonde]\ncommand = "/old#1" # "mine"\nargs = [\n  "mcp",\n  "--old",\n] # all\nenv_vars = [\n  "args = 1", # x\n]\n\n[z]\nargs = [\n]\n';
    expect(merged(codex, before)).toEqual({
      changed: true,
      text: '[mcp_servers.sonde]\ncommand = "/opt/sonde/bin/sonde" # "mine"\nargs = [ "mcp" ] # all\nenv_vars = [\n  "args = 1", # x\n]\n\n[z]\nargs = [\n]\n',
    });
    const same = before.replace('  "--old",\n', "  # only this\n");
    expect(merged(codex, same)).toEqual({ changed: true, text: same.replace("/old#1", program.command) });
    expect(merged(codex, '[mcp_servers.sonde]\ncommand = "/old"\n')).toMatchObject({ changed: true });
  });

  test("TOML: comments inside a value that must go are not lost; which lines to replace is said", () => {
    const before = '[mcp_servers.sonde]\ncommand = "x"\nargs = [\n  "old", # why\n]\n';
    expect(merged(codex, before)).toEqual({
      refused: "its `args` has comments inside, which would be lost",
      by: 'replace its lines 3 to 5 yourself by:\nargs = [ "mcp" ]\n',
    });
  });

  const entry = { command: program.command, args: ["mcp"] };

  test.each([
    ["CRLF", '{\r\n    "a": 1\r\n}\r\n'],
    ["a byte order mark", '\uFEFF{\n  "a": 1\n}\n'],
    ["tabs, and no newline at the end", '{\n\t"a": 1\n}'],
    ["a comment after the last member", '{\n  "a": 1 // one, not two\n  /* end */\n}\n'],
    ["a comma after the last member", '{\n  "a": [1,2,   3], // one\n}\n'],
    ["a key said twice", '{"a": 1, "a": 2}'],
    ["a number longer than a double", '{\n  "id": 12345678901234567890\n}'],
    ["servers on one line", '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n'],
    ["servers with a comment only", '{\n  "mcpServers": {\n    // none\n  }\n}\n'],
    ["servers that are null", '{\n  "mcpServers": null\n}\n'],
    ["an old entry", '{\n  "mcpServers": {"sonde": {"command": "/old", /* mine */ "env": {}}}\n}\n'],
  ])("JSON: %s stays as it was", (_, before) => {
    const result = merged(gemini, before);
    if (!("text" in result)) throw new Error(result.refused);
    const { text } = result;
    expect(merged(gemini, text)).toEqual({ text, changed: false });
    expect(JSON5.parse(text.replace("\uFEFF", ""))).toMatchObject({ mcpServers: { sonde: entry } });
    // Without what was put in, it is what it was: all that was there is there in its order.
    const parts = before.replace('"/old"', "").match(/[^\s,{}]+|\r?\n/g) ?? [];
    let at = 0;
    for (const part of parts.filter((one) => one !== "null")) {
      const found = text.indexOf(part, at);
      expect(found, `${JSON.stringify(part)} in ${text}`).toBeGreaterThanOrEqual(0);
      at = found + part.length;
    }
    expect(text.includes("\r\n")).toBe(before.includes("\r\n"));
    expect(/[^\r]\n/.test(text) && text.includes("\r\n")).toBe(false);
    expect(text.startsWith("\uFEFF")).toBe(before.startsWith("\uFEFF"));
    expect(text.endsWith("\n")).toBe(before.endsWith("\n"));
  });

  test("JSON: a new member stands on its own line, after what is said of the one before", () => {
    const before = '{\r\n\t"mcpServers": {\r\n\t\t"a": {} // first\r\n\t}\r\n}';
    expect(merged(gemini, before)).toEqual({
      changed: true,
      text: '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t\t"sonde": {\r\n\t\t\t"command": "/opt/sonde/bin/sonde",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}',
    });
    expect(merged(gemini, '{"a":1}')).toEqual({
      changed: true,
      text: '{"a":1,"mcpServers":{"sonde":{"command":"/opt/sonde/bin/sonde","args":["mcp"]}}}',
    });
  });

  test("TOML: CRLF stays", () => {
    const result = merged(codex, 'model = "x"\r\n');
    expect(result).toEqual({
      changed: true,
      text: `model = "x"\r\n\r\n${snippet(codex).replaceAll("\n", "\r\n")}`,
    });
  });

  test.each([
    ["TOML with its servers in one line", codex, 'mcp_servers = { other = { command = "y" } }\n'],
    ["broken TOML", codex, "mcp_servers = [\n"],
    ["an entry without a table", codex, '[mcp_servers]\nsonde = { command = "y" }\n'],
    ["broken JSON", gemini, '{"mcpServers": {}'],
    ["servers that are a list", gemini, '{"mcpServers": []}'],
    ["a list", gemini, "[]"],
    ["servers said twice", gemini, '{"mcpServers": {}, "mcpServers": {}}'],
  ])("%s is refused", (_, place, before) => {
    expect(merged(place, before)).toHaveProperty("refused");
  });

  test("an empty file is one that is not there", () => {
    expect(merged(gemini, "\n")).toEqual({ changed: true, text: snippet(gemini) });
  });
});
