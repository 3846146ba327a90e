/** `sonde mcp install`: shown or written, merged with what is there, and never at its cost. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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
      expect((await install(`--client ${client} ${scope} --write`)).stdout).toContain("has it already");
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
  const commented = '{\n  // mine\n  "servers": {}\n}\n';
  const path = sonde.write(".vscode/mcp.json", commented);
  const { status, stderr } = await install("--client vscode --write --yes");
  expect(status).toBe(1);
  expect(stderr).toContain("comments would be lost");
  expect(stderr).toContain(binary());
  expect(read(path)).toBe(commented);
});

test("wrong words are named", async () => {
  const { install } = caller();
  expect(await install("--client codx")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("did you mean codex?"),
  });
  expect((await install("")).stderr).toContain("for which client?");
  expect((await install("--client codex --frob")).stderr).toContain("knows no `--frob`");
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

  test.each([
    ["TOML with its servers in one line", codex, 'mcp_servers = { other = { command = "y" } }\n'],
    ["broken TOML", codex, "mcp_servers = [\n"],
    ["JSON with comments", gemini, '{"mcpServers": {} /* none */}'],
    ["servers that are a list", gemini, '{"mcpServers": []}'],
    ["a list", gemini, "[]"],
    ["a key said twice", gemini, '{"a": 1, "a": 2}'],
    ["a number that would change", gemini, '{"id": 12345678901234567890}'],
  ])("%s is refused", (_, place, before) => {
    expect(merged(place, before)).toHaveProperty("refused");
  });

  test("an empty file is one that is not there", () => {
    expect(merged(gemini, "\n")).toEqual({ changed: true, text: snippet(gemini) });
  });
});
