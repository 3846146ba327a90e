import { describe, expect, test } from "vitest";
import { codex } from "../../../src/agent/run/profiles/codex.ts";
import type { Surroundings } from "../../../src/agent/run/profiles/profile.ts";

function around(argv: string[], config = "", env: Record<string, string> = {}): Surroundings {
  return {
    argv,
    at: 0,
    env: { HOME: "/nobody", ...env },
    cwd: "/project",
    read: (path) => (path === "/nobody/.codex/config.toml" ? config : undefined),
  };
}

function prepared(from: Surroundings) {
  const address = {
    base: "http://127.0.0.1:1234/secret",
    bareBase: "http://127.0.0.1:1234",
    token: "secret",
  };
  return codex.prepare(from, { ...address, upstream: codex.upstream(from), hooks: true, keep: () => "" });
}

describe("Codex's command line", () => {
  test("describes a provider like the built-in one, at our address", () => {
    const { argv = [] } = prepared(around(["codex", "exec", "hi"]));
    expect(argv.slice(0, 3)).toEqual(["codex", "-c", 'model_provider="sonde"']);
    expect(argv[4]).toContain('base_url="http://127.0.0.1:1234/v1"');
    expect(argv[4]).toContain("requires_openai_auth=true");
    expect(argv[4]).toContain("supports_websockets=false");
    expect(argv.join(" ")).not.toContain("secret");
    expect(argv.slice(-2)).toEqual(["exec", "hi"]);
  });

  test("names the key where there is one and nobody has logged in", () => {
    const { argv = [] } = prepared(around(["codex"], "", { OPENAI_API_KEY: "k" }));
    expect(argv[4]).toContain('env_key="OPENAI_API_KEY"');
    expect(prepared(around(["codex"], "", { OPENAI_API_KEY: "k", CODEX_API_KEY: "k" })).argv?.[4]).toContain(
      "requires_openai_auth",
    );
  });

  test("leaves a provider of the user's as it is but for its address", () => {
    const config =
      'model_provider = "mine"\n[model_providers.mine]\nbase_url = "https://gateway.example/v1/"\n';
    const from = around(["codex", "exec", "-c", "model=x", "hi"], config);
    expect(codex.upstream(from)).toMatchObject({
      openai: "https://gateway.example/v1",
      from: "/nobody/.codex/config.toml",
    });
    const { argv = [] } = prepared(from);
    expect(argv).toContain('model_providers.mine.base_url="http://127.0.0.1:1234/v1"');
    expect(argv.slice(-4)).toEqual(["exec", "-c", "model=x", "hi"]);
  });

  test("words that would win over ours are taken out and followed", () => {
    const config = '[model_providers.other]\nbase_url = "https://other.example/v1"\n';
    const from = around(["codex", "exec", "-c", 'model_provider="other"', "hi"], config);
    expect(codex.upstream(from).openai).toBe("https://other.example/v1");
    expect(prepared(from).argv?.slice(-2)).toEqual(["exec", "hi"]);
    const direct = around(["codex", "-c", "openai_base_url=https://direct.example/v1", "exec", "hi"]);
    expect(codex.upstream(direct)).toMatchObject({
      openai: "https://direct.example/v1",
      from: "-c openai_base_url",
    });
  });

  test("a provider whose address is not known is refused", () => {
    expect(() => prepared(around(["codex", "--oss"]))).toThrow(/provider ollama/);
  });
});
