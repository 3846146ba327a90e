/** An adapter that exists in the configuration file only: debugpy and delve under other names, by each transport. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde, TEST_ADAPTERS } from "../support/sonde.ts";

const PYTHON = join(TEST_ADAPTERS, "debugpy", "bin", "python");
const PROGRAM = "import os\nimport sys\ntotal = 6 * int(sys.argv[1])\nprint(total, os.environ['WHO'])\n";

interface Moved {
  state: string;
  snapshot: { session: string };
  evaluations: { value?: { value: string } }[];
}

describe.skipIf(!existsSync(PYTHON))("debugpy, as `mypy`", () => {
  const table = (transport: string, args: string[]) => `
[adapters.mypy]
command = ${JSON.stringify(PYTHON)}
args = ${JSON.stringify(["-m", "debugpy.adapter", ...args])}
transport = "${transport}"
file_types = [".mypy"]
[adapters.mypy.launch]
console = "internalConsole"
python = [${JSON.stringify(PYTHON)}]
args = ["7"]
env = { WHO = "$\{cwd}!" }
`;
  test.each([
    ["stdio", []],
    ["tcp", ["--host", "127.0.0.1", "--port", "{port}"]],
  ])("over %s: breakpoint, values, defaults with placeholders, end", async (transport, args) => {
    const sonde = createSonde();
    sonde.config(table(transport, args));
    sonde.write("sum.mypy", PROGRAM);
    const stopped = await sonde.ask<Moved>([
      ...["start", "sum.mypy", "--break", "sum.mypy:4"],
      ...["--eval", "total", "--eval", "os.environ['WHO']"],
    ]);
    expect(stopped.state).toBe("stopped");
    expect(stopped.evaluations.map((one) => one.value?.value)).toEqual(["42", `'${sonde.project}!'`]);
    expect(await sonde.text("continue")).toMatch(/^exited: code 0/);
  });

  test("is listed, found or not, and can be tried", async () => {
    const sonde = createSonde();
    sonde.config(`${table("stdio", [])}[adapters.nowhere]\ncommand = "no-such-dap"\n`);
    const text = await sonde.text("adapters");
    expect(text).toMatch(/^mypy .* configured .*experimental$/m);
    expect(text).toMatch(/^nowhere .* missing: there is no no-such-dap \(adapters\.nowhere\.command\); /m);
    const refused = await sonde.refusal(["start", "--adapter", "nowhere", sonde.write("a.mypy", "")]);
    expect(refused).toMatchObject({ code: "ADAPTER_MISSING", status: 1 });
    expect(refused.message).toContain("no-such-dap");
  });
});

const DLV = join(TEST_ADAPTERS, "delve", "dlv");

test.skipIf(!existsSync(DLV))("delve, as `mygo`, which calls us", async () => {
  const sonde = createSonde();
  sonde.config(`
[adapters.mygo]
command = ${JSON.stringify(DLV)}
args = ["dap", "--client-addr=127.0.0.1:{port}"]
transport = "callback"
languages = ["go"]
[adapters.mygo.launch]
mode = "debug"
`);
  sonde.write("go.mod", "module sum\n\ngo 1.18\n");
  const program = sonde.write(
    "main.go",
    "package main\n\nfunc main() {\n\ttotal := 6 * 7\n\tprintln(total)\n}\n",
  );
  const stopped = await sonde.ask<Moved>([
    ...["start", program, "--adapter", "mygo", "--break", "main.go:5", "--eval", "total"],
  ]);
  expect(stopped.state).toBe("stopped");
  expect(stopped.evaluations.map((one) => one.value?.value)).toEqual(["42"]);
  await sonde.text("stop");
});

test("a project's own files configure nothing", async () => {
  const sonde = createSonde();
  for (const path of ["config.toml", ".sonde/config.toml", "sonde.toml", ".config/sonde/config.toml"])
    sonde.write(path, '[adapters.evil]\ncommand = "/bin/true"\nfile_types = [".evil"]\n');
  expect(await sonde.text("adapters")).not.toContain("evil");
});
