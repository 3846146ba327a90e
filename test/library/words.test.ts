/** Advice in the words of the library, over everything we say: what a failure tells to call asks for the same command. */
import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { SondeError } from "../../src/errors.ts";
import { attachArguments, launchArguments, runArguments } from "../../src/library/arguments.ts";
import type { Backend } from "../../src/library/backend.ts";
import { Session } from "../../src/library/session.ts";
import { inOurWords, LIBRARY_WORDS } from "../../src/library/words.ts";
import { readLine } from "../../src/surface/line.ts";
import { said } from "../../src/surface/said.ts";
import { advice, linesIn } from "../support/advice.ts";

const ADVICE = advice();
const LINES = [...new Set(ADVICE.flatMap(({ text }) => linesIn(text)))];
const TYPED = REGISTERED.flatMap(({ examples }) => examples.map((one) => one.replace(/^sonde /, "")));

test.each(ADVICE)("$at leaves no command line that the library could do", ({ text }) => {
  const left = linesIn(said(text, LIBRARY_WORDS)).filter((line) => {
    const read = readLine(line);
    return read !== undefined && LIBRARY_WORDS.call(read) !== undefined;
  });
  expect(left).toEqual([]);
});

type Asked = { command: string; args: Record<string, unknown> };
type Options = Record<string, unknown>;

/** Everything that advice may name, noting what it asks for. */
function recording(): { asked: Asked[]; names: Record<string, unknown> } {
  const asked: Asked[] = [];
  const backend: Backend = {
    call: async (command, { session: _, ...args }) => asked.push({ command, args }),
    isHere: false,
    session: () => undefined,
    interrupt: () => {},
    close: async () => {},
  };
  const session = Session.found({ backend, cwd: "/", env: {} }, "s");
  const note = (command: string, args: Options) => asked.push({ command, args });
  const shot = (command: string) => (options: Options) =>
    note(command, { ...runArguments(options), stdin: options.stdin });
  const sonde = {
    sessions: () => note("sessions", {}),
    session: () => session,
    call: note,
  };
  return {
    asked,
    names: {
      session,
      sonde,
      launch: (options: Options) => note("start", { ...launchArguments(options), stdin: options.stdin }),
      attach: (options: Options) => note("attach", attachArguments(options)),
      ...Object.fromEntries(["probe", "trace", "crash", "hang", "test"].map((one) => [one, shot(one)])),
      diff: (options: Options) => note("diff", runArguments(options)),
    },
  };
}

describe("the call asks for the command that was typed", () => {
  const sayable = [...TYPED, ...LINES].flatMap((line) => {
    const read = readLine(line);
    const call = read && LIBRARY_WORDS.call(read);
    return read === undefined || call === undefined || /^(test|hang|launch)\(\)$/.test(call)
      ? []
      : [{ line, read, call }];
  });

  test("and there are enough of them", () => {
    expect(sayable.length).toBeGreaterThan(100);
  });

  test.each(sayable)("$line: $call", async ({ read, call }) => {
    const { asked, names } = recording();
    // A placeholder for a number has no quotes.
    const code = call.replace(/(?<=[(:[] ?)<[^<>]*>(?=[,)\] ])/g, "7");
    await new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));
    const [first] = asked;
    expect(first?.command).toBe(read.command);
    for (const [key, value] of Object.entries(read.args)) {
      if (/<[^<>]*>/.test(JSON.stringify(value))) continue;
      const spaced = (one: unknown) => (typeof one === "string" ? one.replace(/["'\s]/g, "") : one);
      expect(spaced(first?.args[key]), `${read.command} ${key}`).toEqual(spaced(value));
    }
  });
});

test("a failure names the call and its options, and keeps what it was", () => {
  const thrown = new SondeError("BAD_ARGUMENT", "start break: Invalid input", {
    hint: "usage: sonde start [program] [options] [-- args…]",
    details: 7,
  });
  const ours = inOurWords(thrown, "start") as SondeError;
  expect(ours.message).toBe("launch `breakpoints`: Invalid input");
  expect(ours.hint).toMatch(/^usage: `launch\(\{ program, .*breakpoints, .*command.* \}\)`$/);
  expect(ours).toMatchObject({ code: "BAD_ARGUMENT", details: 7 });
  expect(said("--max-hits keeps more", LIBRARY_WORDS, "trace")).toBe("`maxHits` keeps more");
});
