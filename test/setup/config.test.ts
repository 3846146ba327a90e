/** `[adapters.<name>]` of the configuration file: what it may say, and how a mistake is named. */
import { expect, test } from "vitest";
import { parseConfig } from "../../src/engine/config/config.ts";

function mistake(text: string): string {
  try {
    parseConfig(text, "config.toml");
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return hint === undefined ? message : `${message} / ${hint}`;
  }
  throw new Error("parsed");
}

test("an adapter of the user's own, with tables inside", () => {
  const { adapters } = parseConfig(
    `[adapters.mine]
command = "my-dap"
args = ["--port", "{port}"]
transport = "tcp"
file_types = [".mine"]
[adapters.mine.launch]
mode = "exec"
[adapters."two.parts"]
command = "x"
`,
    "config.toml",
  );
  expect(adapters.mine).toEqual({
    command: "my-dap",
    args: ["--port", "{port}"],
    transport: "tcp",
    file_types: [".mine"],
    launch: { mode: "exec" },
  });
  expect(adapters["two.parts"]?.command).toBe("x");
});

test("an unknown key is named with its line, in every way TOML has to write it", () => {
  expect(mistake('[adapters.mine]\ncommand = "x"\ncomand = "y"\n')).toBe(
    "config.toml:3: there is no key adapters.mine.comand / did you mean command?",
  );
  expect(mistake('[adapters]\nmine.command = "x"\nmine.transprt = "tcp"\n')).toBe(
    "config.toml:3: there is no key adapters.mine.transprt / did you mean transport?",
  );
  expect(mistake('# one\nadapters = { mine = { command = "x", sped = 1 } }\n')).toBe(
    "config.toml:2: there is no key adapters.mine.sped",
  );
});

test("a wrong type is named at its own line, not at a look-alike", () => {
  const text = `[adapters.one]
command = "a"
args = [
  "env = 3",
  "[adapters.two]",
]
[adapters.two]
command = """
env = 1
"""
env = 5
`;
  expect(mistake(text)).toMatch(/^config\.toml:11: adapters\.two\.env: /);
  expect(mistake('[adapters.x]\ncommand = "a"\nfile_types = ["py"]\n')).toBe(
    "config.toml:3: adapters.x.file_types.0: a file type must begin with a dot",
  );
  expect(mistake('[adapters.x]\ncommand = "a"\ntransport = "pipe"\n')).toMatch(
    /^config\.toml:3: adapters\.x\.transport: .*"stdio"/,
  );
});

test("a new name needs a command; sonde's own adapters can only be told where they are", () => {
  expect(mistake('\n[adapters.mine]\nlanguages = ["c"]\n')).toMatch(
    /^config\.toml:2: adapters\.mine\.command is missing \/ .*node, .*debugpy/,
  );
  expect(mistake('[adapters.debugpy]\ncommand = "/opt/python"\nfile_types = [".x"]\n')).toMatch(
    /^config\.toml:3: adapters\.debugpy\.file_types: /,
  );
  expect(parseConfig('[adapters.debugpy]\ncommand = "/opt/python"\n', "config.toml").adapters).toEqual({
    debugpy: { command: "/opt/python" },
  });
});

test("an adapter by another of its names, and its place by another word", () => {
  const config = (text: string) => parseConfig(text, "config.toml");
  expect(config('[adapters.lldb-dap]\npath = "/opt/lldb-dap"\n').adapters).toEqual({
    lldb: { command: "/opt/lldb-dap" },
  });
  expect(config('[defaults]\nadapter = "lldb-dap"\n').defaults.adapter).toBe("lldb-dap");
  expect(mistake('[adapters.lldb]\ncommand = "a"\npath = "b"\n')).toBe(
    "config.toml:3: adapters.lldb: command and path mean the same; give only one",
  );
});

test("a default that no adapter is called is a mistake", () => {
  expect(mistake('[defaults]\nadapter = "nosuch"\n')).toMatch(
    /^config\.toml:2: defaults\.adapter: there is no adapter called nosuch \/ there are: node, /,
  );
  expect(mistake('[defaults]\nadapter = "codeldb"\n')).toMatch(/did you mean codelldb\?$/);
});
