import { describe, expect, test } from "vitest";
import { GLOBAL_FLAGS, specOf } from "../../src/commands/command-line.ts";
import { REGISTERED } from "../../src/commands/index.ts";
import { parseArgv, Registry } from "../../src/engine/argv.ts";
import { splitWords } from "../../src/util/shell-words.ts";

const registry = new Registry(REGISTERED);

describe.each(REGISTERED.map((command) => [command.name, command] as const))("%s", (_, command) => {
  test("says what it does and what each argument is", () => {
    expect(command.summary).toMatch(/^[a-z]/);
    const { positionals, rest, flags } = specOf(command);
    const all = [...positionals, ...flags, ...(rest ? [rest] : [])];
    expect(all.filter((one) => one.summary === "").map((one) => one.key)).toEqual([]);
  });

  test("its flags clash with none of every command's", () => {
    const mine = specOf(command).flags.flatMap((one) => [one.flag, one.short ?? one.flag]);
    const common = GLOBAL_FLAGS.flatMap((one) => [one.flag, one.short ?? one.flag]);
    expect(mine.filter((flag) => common.includes(flag))).toEqual([]);
  });

  test("its examples parse, and its schema takes them", () => {
    for (const example of command.examples) {
      const words = splitWords(example);
      const parsed = parseArgv(registry, words.slice(1));
      expect(parsed.command.name).toBe(command.name);
      expect(command.args.strict().safeParse(parsed.args).success, example).toBe(true);
    }
  });
});

test("what changes nothing needs no stop to be allowed, and what moves needs a program", () => {
  const moving = REGISTERED.filter((command) => command.effect === "moves");
  expect(moving.filter((command) => command.needs === "nothing")).toEqual([]);
});
