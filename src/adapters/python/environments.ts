/**
 * `uv run`, `poetry run`: tools that run a command in a Python environment of theirs. The tool itself is asked which one, and the
 * command is then run in it without the tool in between.
 */
import { execFile } from "node:child_process";
import { basename, delimiter, extname, join } from "node:path";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Around, InEnvironment } from "../language.ts";

interface Tool {
  /** Options of `run` that take the next word. */
  takes: readonly string[];
}

const TOOLS = new Map<string, Tool>(
  Object.entries({
    uv: {
      takes: [
        ...["-p", "--python", "--with", "--with-editable", "--with-requirements", "--extra", "--group"],
        ...["--no-group", "--only-group", "--env-file", "--directory", "--project", "--package", "--index"],
      ],
    },
    poetry: { takes: ["-C", "--directory", "-P", "--project"] },
    pipenv: { takes: [] },
    pdm: { takes: ["-p", "--project", "--venv"] },
    hatch: { takes: ["-e", "--env"] },
    rye: { takes: [] },
    conda: { takes: ["-n", "--name", "-p", "--prefix", "--cwd"] },
    mamba: { takes: ["-n", "--name", "-p", "--prefix", "--cwd"] },
  }),
);

/** Making an environment can mean downloading it. */
const LONGEST_MS = 5 * 60_000;
const ASK = "import sys; print('\\n' + sys.executable + '\\t' + sys.prefix)";

/** Nothing when it is no such command. */
export async function inEnvironment(
  command: readonly string[],
  around: Around,
): Promise<InEnvironment | undefined> {
  const [first = "", ...words] = command;
  const tool = TOOLS.get(basename(first));
  const at = words.indexOf("run");
  if (!tool || at < 0 || !words.slice(0, at).every((word) => word.startsWith("-"))) return undefined;
  const options = words.slice(0, at + 1);
  const rest = words.slice(at + 1);
  let module = false;
  while (rest[0]?.startsWith("-")) {
    const word = rest.shift() ?? "";
    if (word === "--") break;
    if (word === "-m" || word === "--module") {
      module = true;
      break;
    }
    options.push(word);
    if (tool.takes.includes(word)) options.push(rest.shift() ?? "");
  }
  if (rest.length === 0)
    throw new SondeError("BAD_ARGUMENT", `\`${command.join(" ")}\` names no program`, {
      hint: advice`${call("start", { args: [basename(first), "run", "python", "app.py"] })}`,
    });
  const { python, prefix } = await ask([first, ...options, "python", "-c", ASK], around);
  const isScript = extname(rest[0] ?? "") === ".py";
  return {
    command: module ? [python, "-m", ...rest] : isScript ? [python, ...rest] : rest,
    env: {
      ...around.env,
      VIRTUAL_ENV: prefix,
      PATH: [join(prefix, "bin"), around.env.PATH].filter(Boolean).join(delimiter),
    },
    left: [[basename(first), ...options].join(" ")],
  };
}

function ask(command: string[], { cwd, env, signal }: Around): Promise<{ python: string; prefix: string }> {
  const [file = "", ...args] = command;
  return new Promise((done, fail) => {
    const options = { cwd, env, timeout: LONGEST_MS, maxBuffer: 16 << 20, ...(signal ? { signal } : {}) };
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const [python, prefix] = stdout.trimEnd().split("\n").at(-1)?.split("\t") ?? [];
      if (!error && python && prefix) return done({ python, prefix });
      const why =
        (error as NodeJS.ErrnoException | null)?.code === "ENOENT" ? "it is not on the PATH" : stderr.trim();
      fail(
        new SondeError(
          "LAUNCH_FAILED",
          `${basename(file)} did not report which Python it runs: ${why.split("\n").slice(-10).join("\n")}`,
          {
            hint: advice`run the environment's own Python: ${call("start", { args: [".venv/bin/python", "app.py"] })}`,
          },
        ),
      );
    });
    child.stdin?.end();
  });
}
