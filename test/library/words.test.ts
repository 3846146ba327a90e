/** Advice in the words of the library: what a failure tells to call asks for the same command with the same arguments. */
import { describe, expect, test } from "vitest";
import { advice, blank, call, named, option, said, type Told } from "../../src/advice/advice.ts";
import { methodWords, readOptions } from "../../src/commands/library-words.ts";
import type { Backend } from "../../src/library/backend.ts";
import { ownOptions, Session } from "../../src/library/session.ts";
import { EXAMPLES, find, plain } from "../support/spoken.ts";

function here(told: Told, asked?: string): string {
  return said(told, methodWords(find, asked === undefined ? undefined : find(asked)));
}

test.each<[Told, string]>([
  [advice`${call("pause")} stops it`, "`session.pause()` stops it"],
  [advice`${call("stop", {}, "web")}`, '`sonde.session("web").stop()`'],
  [advice`${call("start", { program: blank("program") })}`, '`launch({ program: "<program>" })`'],
  [advice`${call("start", { args: ["npm", "test"] })}`, '`launch({ command: ["npm", "test"] })`'],
  [advice`${call("start", { program: "a.js", args: ["1"] })}`, '`launch({ program: "a.js", args: ["1"] })`'],
  [advice`${call("attach", { pid: blank("pid") })}`, "`attach({ pid: <pid> })`"],
  [advice`${call("breakpoint remove", { all: true })}`, '`session.breakpoints.remove("all")`'],
  [advice`${call("breakpoint remove", { ids: [3] })}`, "`session.breakpoints.remove(3)`"],
  [
    advice`${call("breakpoint add", { function: "main" })}`,
    '`session.breakpoints.add({ function: "main" })`',
  ],
  [advice`${call("variables", { handle: "@v7", start: 9 })}`, '`session.variables("@v7", { start: 9 })`'],
  [advice`${call("watch")}`, '`session.watches.add("<expression>")`'],
  [advice`${call("doctor", { verify: true })}`, '`sonde.call("doctor", { verify: true })`'],
  [advice`${call("trace show", { id: "t1" })}`, '`sonde.call("trace show", { id: "t1" })`'],
])("%s", (told, text) => {
  expect(here(told)).toBe(text);
});

test("a failure names the call and its options", () => {
  expect(here(advice`${{ do: "name", command: "start" }} ${named("break")}: Invalid input`, "start")).toBe(
    "launch `breakpoints`: Invalid input",
  );
  expect(here(advice`${{ do: "usage", command: "start" }}`)).toMatch(
    /^usage: `launch\(\{ program, .*breakpoints, .*command.* \}\)`$/,
  );
  expect(here(advice`${option({ maxHits: blank("hits") })} keeps more`, "trace")).toBe(
    "`maxHits: <hits>` keeps more",
  );
});

type Asked = { command: string; args: Record<string, unknown> };
type Options = Record<string, unknown>;

/** Everything that advice may name, noting what it asks for. */
function recording(): { asked: Asked[]; names: Record<string, unknown> } {
  const asked: Asked[] = [];
  const note = (command: string, options: Options) => {
    const { session: _, ...args } = options;
    const known = find(command);
    if (known) asked.push({ command, args: readOptions(known, ownOptions(args)) });
  };
  const backend: Backend = {
    call: async (command, args) => note(command, args),
    isHere: false,
    session: () => undefined,
    interrupt: () => {},
    close: async () => {},
  };
  const session = Session.found({ backend, cwd: "/", env: {} }, "s");
  const shots = ["probe", "trace", "crash", "hang", "test", "diff", "attach"];
  return {
    asked,
    names: {
      session,
      sonde: { sessions: () => note("sessions", {}), session: () => session, call: note },
      launch: (options: Options) => note("start", options),
      ...Object.fromEntries(shots.map((one) => [one, (options: Options) => note(one, options)])),
    },
  };
}

describe("the call asks for the command that was typed", () => {
  const sayable = EXAMPLES.map(({ line, asked }) => ({ line, asked, text: methodWords(find).line(asked) }));

  test("and there are enough of them", () => {
    expect(sayable.length).toBeGreaterThan(60);
  });

  test.each(sayable)("$line: $text", async ({ asked: { command, args }, text }) => {
    const { asked, names } = recording();
    await new Function(...Object.keys(names), `return ${text}`)(...Object.values(names));
    const [first] = asked;
    expect(first?.command).toBe(command);
    for (const [key, value] of Object.entries(args))
      if (key !== "cwd" && value !== false) expect(plain(first?.args[key]), key).toEqual(plain(value));
  });
});
