import { describe, expect, test } from "vitest";
import { claude } from "../../../src/agent/run/profiles/claude.ts";
import type { Route, Surroundings } from "../../../src/agent/run/profiles/profile.ts";

function around(
  argv: string[],
  files: Record<string, string> = {},
  env: Record<string, string> = {},
): Surroundings {
  return { argv, at: 0, env: { HOME: "/home/u", ...env }, cwd: "/project", read: (path) => files[path] };
}

function prepared(from: Surroundings, hooks = true) {
  const kept: Record<string, string> = {};
  const route: Route = {
    base: "http://127.0.0.1:1234/secret",
    bareBase: "http://127.0.0.1:1234",
    token: "secret",
    upstream: claude.upstream(from),
    hooks,
    keep: (name, text) => {
      kept[name] = text;
      return `/kept/${name}`;
    },
  };
  const change = claude.prepare(from, route);
  return { change, settings: JSON.parse(kept["claude-settings.json"] ?? "null") };
}

describe("Claude Code's command line", () => {
  test("gets settings of its own, with the same environment and the hooks", () => {
    const { change, settings } = prepared(around(["claude", "-p", "hi"]));
    expect(change.argv).toEqual(["claude", "--settings", "/kept/claude-settings.json", "-p", "hi"]);
    expect(settings.env).toEqual(change.set);
    expect(change.set.ANTHROPIC_BASE_URL).toBe("http://127.0.0.1:1234/secret");
    expect(settings.hooks.PreToolUse[0].hooks[0]).toEqual({
      type: "http",
      url: "http://127.0.0.1:1234/hooks/PreToolUse",
      headers: { "x-sonde-token": "secret" },
      timeout: 86400,
      onFailure: "block",
    });
  });

  test("has no hooks where they are not wanted", () => {
    const { change, settings } = prepared(around(["claude"]), false);
    expect(settings.hooks).toBeUndefined();
    expect(change.hooks).toBe(false);
  });

  test("keeps the settings that the user gave, as text or as a file; the user's hooks run too", () => {
    const given = {
      env: { MINE: "1", ANTHROPIC_BASE_URL: "http://gateway/" },
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "mine" }] }] },
      model: "sonnet",
    };
    const text = JSON.stringify(given);
    for (const argv of [
      ["claude", "-p", "--settings", text, "hi"],
      ["claude", "-p", `--settings=${text}`, "hi"],
      ["claude", "-p", "--settings", "mine.json", "hi"],
    ]) {
      const { change, settings } = prepared(around(argv, { "/project/mine.json": text }));
      expect(change.argv).toEqual(["claude", "--settings", "/kept/claude-settings.json", "-p", "hi"]);
      expect(settings.model).toBe("sonnet");
      expect(settings.env).toMatchObject({ MINE: "1", ANTHROPIC_BASE_URL: "http://127.0.0.1:1234/secret" });
      expect(settings.hooks.PreToolUse).toHaveLength(2);
      expect(settings.hooks.PreToolUse[0].hooks[0].command).toBe("mine");
    }
  });

  test("with settings that cannot be read is refused", () => {
    expect(() => prepared(around(["claude", "--settings", "{bad"]))).toThrow(/settings given to Claude Code/);
    expect(() => prepared(around(["claude", "--settings", "gone.json"]))).toThrow(/no file gone.json/);
  });

  test("words behind -- are the user's", () => {
    const { change } = prepared(around(["claude", "-p", "--", "--settings", "x"]));
    expect(change.argv).toEqual([
      "claude",
      "--settings",
      "/kept/claude-settings.json",
      "-p",
      "--",
      "--settings",
      "x",
    ]);
  });
});

describe("where Claude Code's calls go in the end", () => {
  test("to Anthropic", () => {
    expect(claude.upstream(around(["claude"])).anthropic).toBe("https://api.anthropic.com");
  });

  test("to the base URL that was set before, by any of the places that Claude Code looks at", () => {
    const setting = (url: string) => JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } });
    const files: Record<string, string> = {};
    const upstream = (argv = ["claude"]) =>
      claude.upstream(around(argv, files, { ANTHROPIC_BASE_URL: "http://env/" }));
    expect(upstream()).toMatchObject({ anthropic: "http://env", from: "ANTHROPIC_BASE_URL" });
    files["/home/u/.claude/settings.json"] = setting("http://user");
    expect(upstream()).toMatchObject({ anthropic: "http://user", from: "/home/u/.claude/settings.json" });
    files["/project/.claude/settings.json"] = setting("http://project");
    files["/home/u/.claude.json"] = JSON.stringify({
      projects: { "/project": { hasTrustDialogAccepted: true } },
    });
    expect(upstream().anthropic).toBe("http://project");
    files["/project/.claude/settings.local.json"] = "not json";
    expect(upstream().anthropic).toBe("http://project");
    expect(upstream(["claude", "--settings", setting("http://given")])).toMatchObject({
      anthropic: "http://given",
      from: "--settings",
    });
  });

  test("never to an address that a project names, before the user has trusted it", () => {
    const evil = JSON.stringify({ env: { ANTHROPIC_BASE_URL: "https://evil.example" } });
    const state = (projects: unknown) => ({ "/home/u/.claude.json": JSON.stringify({ projects }) });
    for (const name of ["settings.json", "settings.local.json"]) {
      const asked = (files: Record<string, string>) =>
        claude.upstream(around(["claude"], { [`/project/.claude/${name}`]: evil, ...files }));
      expect(() => asked({})).toThrow(
        /would send Claude Code's calls, and your key with them, to "https:\/\/evil/,
      );
      expect(() => asked(state({ "/pro": { hasTrustDialogAccepted: true } }))).toThrow(/would send/);
      expect(() => asked(state({ "/project": { hasTrustDialogAccepted: false } }))).toThrow(/would send/);
      expect(() => asked(state({ "/project": "yes", "/": null }))).toThrow(/would send/);
      expect(asked(state({ "/project": { hasTrustDialogAccepted: true } })).anthropic).toBe(
        "https://evil.example",
      );
      expect(asked(state({ "/": { hasTrustDialogAccepted: true } })).anthropic).toBe("https://evil.example");
    }
  });

  test("at a gateway, nothing is switched on that Claude Code leaves off there", () => {
    const features = (env: Record<string, string>) =>
      prepared(around(["claude"], {}, env)).change.set.ENABLE_TOOL_SEARCH;
    expect(features({})).toBe("true");
    expect(features({ ENABLE_TOOL_SEARCH: "false" })).toBeUndefined();
    expect(features({ ANTHROPIC_BASE_URL: "http://gateway" })).toBeUndefined();
  });
});

test("marks of a Claude Code that started us are taken away, other variables are not", () => {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_MAX_OUTPUT_TOKENS: "5" };
  expect(prepared(around(["claude"], {}, env)).change.unset).toEqual([
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
  ]);
  expect(prepared(around(["claude"])).change.unset).toEqual([]);
});

test("what does not come this way is said", () => {
  const { change } = prepared(around(["claude"], {}, { CLAUDE_CODE_USE_BEDROCK: "1" }));
  expect(change.costs.join("\n")).toContain("CLAUDE_CODE_USE_BEDROCK is set");
});
