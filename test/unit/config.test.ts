import { expect, test } from "vitest";
import { DEFAULT_CONFIG, parseConfig } from "../../src/engine/config/config.ts";

const failing = (text: string) => {
  try {
    parseConfig(text, "config.toml");
  } catch (error) {
    return `${(error as Error).message} / ${(error as { hint?: string }).hint}`;
  }
  throw new Error("parsed");
};

test("an empty file is the defaults; a key changes just itself", () => {
  expect(parseConfig("", "config.toml")).toEqual(DEFAULT_CONFIG);
  const config = parseConfig("[timeouts]\nwait_secs = 5\n", "config.toml");
  expect(config).toEqual({ ...DEFAULT_CONFIG, timeouts: { ...DEFAULT_CONFIG.timeouts, wait_secs: 5 } });
});

test("a mistake is named by file, line and key", () => {
  expect(failing("[timeouts]\n\nwait_sec = 5\n")).toBe(
    "config.toml:3: there is no key timeouts.wait_sec / did you mean wait_secs?",
  );
  expect(failing("[limits]\nframes = 'ten'\n")).toMatch(/^config\.toml:2: limits\.frames: .*number/);
  expect(failing("[deamon]\n")).toContain("config.toml:1: there is no key deamon / did you mean daemon?");
  expect(failing("[limits]\nframes = = 3\n")).toContain("config.toml:2:");
});
