import { expect, test } from "vitest";
import { type BannerFacts, banner } from "../../../src/agent/run/banner.ts";

const FACTS: BannerFacts = {
  title: "Claude Code",
  sessionId: "debug_20261117_083229_np2o",
  upstream: "api.anthropic.com",
  changed: {
    env: {
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      API_TIMEOUT_MS: "1",
      SONDE_AGENT_RUN: "x",
      CLAUDECODE: null,
    },
    args: ["--settings", "/tmp/x.json"],
  },
  costs: ["Remote Control is off."],
  hooks: true,
  startPaused: false,
  breakpoints: 1,
  replay: false,
  verbose: false,
};

test("four lines say what runs, what was changed, what it costs, and how to stop it", () => {
  expect(banner(FACTS)).toMatchInlineSnapshot(`
    "sonde: Claude Code runs as agent session debug_20261117_083229_np2o: 1 breakpoint; its calls go through Sonde to api.anthropic.com.
    sonde: Changed for this run only: base URL, time-outs, hooks (--settings), 2 more variables (--verbose lists them; so does session_start in its events).
    sonde: Remote Control is off.
    sonde: In another terminal: sonde agent wait, sonde agent pause, sonde agent attach."
  `);
  expect(banner({ ...FACTS, replay: true })).toContain("Its tools really run");
});

test("every name, for who asks", () => {
  const text = banner({ ...FACTS, verbose: true });
  expect(text).toContain("ANTHROPIC_BASE_URL, API_TIMEOUT_MS, SONDE_AGENT_RUN, CLAUDECODE (removed),");
});
