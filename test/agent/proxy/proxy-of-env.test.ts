import { describe, expect, test } from "vitest";
import { proxyOfEnv } from "../../../src/agent/proxy/proxy-of-env.ts";

const PROXY = "http://proxy:3128";
const of = (url: string, env: NodeJS.ProcessEnv) => proxyOfEnv(new URL(url), env);

describe("the proxy of an environment", () => {
  test.each([
    [{ HTTPS_PROXY: PROXY }, PROXY],
    [{ https_proxy: PROXY, HTTPS_PROXY: "http://other" }, PROXY],
    [{ https_proxy: "", HTTPS_PROXY: PROXY }, PROXY],
    [{ ALL_PROXY: PROXY }, PROXY],
    [{ HTTPS_PROXY: "proxy:3128" }, PROXY],
    [{ HTTP_PROXY: PROXY }, ""],
    [{}, ""],
  ])("%j", (env, expected) => {
    expect(of("https://api.example.com/v1", env)).toBe(expected);
  });

  test("is that of the environment it is given, not of this process", () => {
    process.env.HTTPS_PROXY = "http://of-this-process";
    try {
      expect(of("https://api.example.com", {})).toBe("");
    } finally {
      delete process.env.HTTPS_PROXY;
    }
  });

  test.each([
    ["*", true],
    ["api.example.com", true],
    ["API.Example.com", true],
    ["example.com", true],
    [".example.com", true],
    ["*.example.com", true],
    ["other.org, example.com", true],
    ["other.org example.com", true],
    ["example.com:443", true],
    ["example.com:8443", false],
    ["ample.com", false],
    ["other.org", false],
    [",", false],
  ])("NO_PROXY=%s: exempt %s", (list, exempt) => {
    expect(of("https://api.example.com", { HTTPS_PROXY: PROXY, NO_PROXY: list })).toBe(exempt ? "" : PROXY);
  });

  test.each(["::1", "[::1]", "[::1]:8443"])("NO_PROXY=%s is an IPv6 address", (list) => {
    expect(of("https://[::1]:8443", { HTTPS_PROXY: PROXY, NO_PROXY: list })).toBe("");
  });
});
