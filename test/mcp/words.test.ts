/** Advice in the words of tools, over everything we say: it is read, it is said, and the call asks for the same command. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { checked } from "../../src/mcp/arguments.ts";
import { toolWords } from "../../src/mcp/hints.ts";
import { ALL } from "../../src/mcp/main.ts";
import type { Call } from "../../src/mcp/tool.ts";
import { readLine } from "../../src/surface/line.ts";
import { said, saidText } from "../../src/surface/said.ts";
import { advice, linesIn } from "../support/advice.ts";

const WORDS = toolWords(ALL);
const GOLDEN = join(import.meta.dirname, "../cli/golden");
/** Run in the client: no surface has them. */
const LOCAL = /^(daemon|help|--version|do|mcp|skills|completion)\b/;
/** Filled in with whole words and options, so that only what comes out can be read; the goldens have those. */
const FILLED = /<…>.*<…>$|<…> --|start<…>|<…>$/;

const ADVICE = advice();
const LINES = [...new Set(ADVICE.flatMap(({ text }) => linesIn(text)))];
const TYPED = REGISTERED.flatMap(({ examples }) => examples.map((one) => one.replace(/^sonde /, "")));
const GOLDENS = readdirSync(GOLDEN).map((name) => ({
  name,
  lines: readFileSync(join(GOLDEN, name), "utf8")
    .split("\n")
    .filter((line) => line.includes("`sonde ") && !line.startsWith("$ ")),
}));

test("there is advice to look at", () => {
  expect(LINES.length).toBeGreaterThan(60);
  expect(GOLDENS.flatMap(({ lines }) => lines).length).toBeGreaterThan(20);
});

test.each(LINES.filter((line) => !LOCAL.test(line) && !FILLED.test(line)))(
  "`sonde %s` can be read",
  (line) => {
    for (const one of line.split("; sonde ")) expect(readLine(one)?.command).toBeDefined();
  },
);

/** What is left in backticks, and could have been said. */
function leftIn(text: string): string[] {
  return linesIn(text).filter((line) => {
    const read = readLine(line);
    return read !== undefined && WORDS.call(read) !== undefined;
  });
}

test.each(ADVICE)("$at leaves no command line that a tool could do", ({ text }) => {
  expect(leftIn(said(text, WORDS))).toEqual([]);
});

test.each(GOLDENS.filter(({ lines }) => lines.length > 0))(
  "$name, line by line as answers have them",
  ({ lines }) => {
    for (const line of lines) {
      const isHint = /^(hint|error \w+): /.test(line);
      expect(leftIn(isHint ? said(line, WORDS) : saidText(line, WORDS))).toEqual([]);
    }
  },
);

describe("the call asks for the command that was typed", () => {
  const whole = [...TYPED, ...LINES].filter((line) => !MENTIONED.test(line));
  const sayable = whole.flatMap((line) => {
    const read = readLine(line);
    const call = read && WORDS.call(read);
    const [, tool, json] = /^(\w+) (\{.*\})$/s.exec(call ?? "") ?? [];
    // A placeholder for a number is no JSON; everything else is meant to be copied.
    const numbers = json?.replace(/:<[^<>]*>/g, ":7");
    return read && tool && numbers ? [{ line, read, tool, json: numbers }] : [];
  });

  test("and there are enough of them", () => {
    expect(sayable.length).toBeGreaterThan(70);
  });

  test.each(sayable)("$line", async ({ read, tool, json }) => {
    const { action, mode, ...given } = JSON.parse(json) as Record<string, unknown>;
    const named = ALL.find(({ name }) => name === tool)?.actions.find(
      ({ name }) => name === (action ?? mode),
    );
    const asked: [string, Record<string, unknown>][] = [];
    const ask: Call["ask"] = async (command, args = {}) => {
      asked.push([command, args]);
      return { data: {}, text: "" };
    };
    const call: Call = {
      ask,
      cwd: "/",
      seconds: 30,
      asked: undefined,
      watched: false,
    };
    if (!named) throw new Error(`no ${tool} ${String(action ?? mode)}`);
    await named.run(call, checked(named.name, named, given));
    const found = asked.find(
      ([command]) => SAME[read.command]?.includes(command) || command === read.command,
    );
    expect(found, JSON.stringify(asked)).toBeDefined();
    const wanted = Object.entries(read.args).filter(
      ([key, value]) => !ELSEWHERE.has(key) && !hasBlank(value),
    );
    for (const [key, value] of wanted)
      expect(plain(found?.[1][key]), `${read.command} ${key}`).toEqual(plain(value));
  });
});

/** Named without what they need, or with a blank that no argument takes. */
const MENTIONED = /^hang$|^watch remove <…>$|^variables <…>$|\[host:\]/;
/** Where an action does at least what the command does, by another one. */
const SAME: Record<string, string[]> = {
  locals: ["scopes"],
  args: ["scopes"],
  await: ["continue"],
  source: ["context"],
  frame: ["context"],
  thread: ["context"],
};
/** `cwd` and `timeout` are the caller's to keep; of a look at a frame the number is asked for first. */
const ELSEWHERE = new Set(["cwd", "timeout", "maxSeconds"]);

function hasBlank(value: unknown): boolean {
  return /<[^<>]*>/.test(JSON.stringify(value));
}

/** A place is the same in parts and as one text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, one: unknown) => {
      if (typeof one !== "object" || one === null || !("location" in one)) return one;
      const { location, watch, condition } = one as {
        location: string;
        watch?: string[];
        condition?: string;
      };
      return `${location}${watch ? `=${watch.join(",")}` : ""}${condition ? ` if ${condition}` : ""}`;
    }),
  );
}
