import { expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { lineWords, parseArgv, Registry } from "../../src/engine/argv.ts";
import { SondeError } from "../../src/errors.ts";
import { typedWords } from "../support/typed-words.ts";

const registry = new Registry(REGISTERED);
const parse = (...argv: string[]) => {
  const { command, args, session, json } = parseArgv(registry, argv);
  return { name: command.name, args, session, json };
};
const failing = (...argv: string[]) => {
  try {
    parseArgv(registry, argv);
  } catch (error) {
    if (error instanceof SondeError)
      return `${error.code} ${error.message} / ${typedWords(error.told.hint ?? "")}`;
    throw error;
  }
  throw new Error("parsed");
};

test("two-word names, aliases and flags", () => {
  expect(parse("breakpoint", "add", "a.js:3", "--condition", "x > 1")).toMatchObject({
    name: "breakpoint add",
    args: { location: "a.js:3", condition: "x > 1" },
  });
  expect(parse("b", "a.js:3", "-c", "x")).toMatchObject({ name: "breakpoint add", args: { condition: "x" } });
  expect(parse("break", "a.js:3", "--hit-count=5")).toMatchObject({ args: { hitCount: "5" } });
});

test("session and json go anywhere", () => {
  expect(parse("-s", "web", "next", "--json")).toMatchObject({ name: "next", session: "web", json: true });
  expect(parse("next", "--session=web")).toMatchObject({ session: "web", json: false });
});

test("a program's arguments come after --, and flags in them are not ours", () => {
  expect(
    parse("start", "app.js", "--break", "app.js:3", "--break", "app.js:9", "--", "--json", "-x"),
  ).toMatchObject({
    args: { program: "app.js", break: ["app.js:3", "app.js:9"], args: ["--json", "-x"] },
    json: false,
  });
  expect(parse("start", "--", "npm", "run", "dev")).toMatchObject({ args: { args: ["npm", "run", "dev"] } });
  expect(failing("start", "app.js", "extra")).toContain("after `--`");
});

test("the words of an expression are joined", () => {
  expect(parse("print", "a", "+", "b")).toMatchObject({ args: { expression: "a + b" } });
  expect(parse("print", "-1")).toMatchObject({ args: { expression: "-1" } });
  expect(parse("print", "--", "--x")).toMatchObject({ args: { expression: "--x" } });
  expect(parse("set", "total", "1", "+", "2")).toMatchObject({ args: { target: "total", value: "1 + 2" } });
});

test("numbers are numbers", () => {
  expect(parse("next", "--count", "3", "--timeout", "0.5").args).toMatchObject({ count: 3, timeout: 0.5 });
  expect(failing("next", "--count", "many")).toContain("--count: `many` is not a number");
  expect(failing("thread", "abc")).toContain("thread number: `abc` is not a number");
});

test("what is near is suggested", () => {
  expect(failing("continu")).toContain("did you mean `sonde continue`?");
  expect(failing("breakpoint", "ad", "x")).toContain("did you mean `sonde breakpoint add`?");
  expect(failing("next", "--cuont", "3")).toContain("did you mean --count?");
  expect(failing("breakpoint")).toContain("`sonde breakpoint add`");
  expect(failing("xyzzy")).toContain("UNKNOWN_COMMAND");
});

test("an expression inside `do` keeps its quotes", () => {
  expect(lineWords(registry, 'print conf["mode"]')).toEqual(["print", "--", 'conf["mode"]']);
  expect(lineWords(registry, "p 'x' + 'y'")).toEqual(["p", "--", "'x' + 'y'"]);
  expect(lineWords(registry, "print --depth 3 'a b'")).toEqual(["print", "--depth", "3", "--", "a b"]);
  expect(lineWords(registry, "break a.js:3 --log 'x={x}'")).toEqual(["break", "a.js:3", "--log", "x={x}"]);
});

test("other debuggers' words are answered with ours", () => {
  expect(failing("run")).toContain("`sonde start <program>`");
  expect(failing("info", "locals")).toContain("`sonde locals`");
  expect(failing("continue", "if", "x")).toContain("inside the quotes");
});
