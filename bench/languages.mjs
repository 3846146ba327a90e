/** The languages whose adapters are programs of their own: what is run, and how the bare adapter is started for it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAMS = join(dirname(fileURLToPath(import.meta.url)), "programs");

/** Those that can be measured on this machine; of the others, why not. */
export function languages(workshop) {
  return [python, c, go].map((make) => {
    try {
      return make(workshop);
    } catch (error) {
      return { title: make.name, missing: error.message.split("\n")[0] };
    }
  });
}

/** The bare adapter is the one `sonde adapters` names, so that both sides run the same. */
function adapterPath({ sonde }, name) {
  const { adapters } = JSON.parse(sonde("adapters", "--json")).data;
  const found = adapters.find((one) => one.name === name);
  if (!found?.found) throw new Error(`${name} is not installed: ${found?.why}`);
  return found.path;
}

function python(workshop) {
  const program = copied(workshop, "app.py");
  const interpreter = adapterPath(workshop, "debugpy");
  // The program's own Python, as Sonde takes it: what that imports when it starts is part of both times.
  const own = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return {
    title: "Python",
    program,
    source: program,
    line: lineOf(program),
    bare: {
      command: interpreter,
      args: ["-m", "debugpy.adapter"],
      launch: { program, cwd: workshop.cwd, console: "internalConsole", python: [own.trim()] },
    },
  };
}

function c(workshop) {
  const source = copied(workshop, "app.c");
  const program = join(workshop.cwd, "app-c");
  execFileSync("cc", ["-g", "-O0", "-o", program, source]);
  return {
    title: "C",
    program,
    source,
    line: lineOf(source),
    bare: {
      command: adapterPath(workshop, "lldb"),
      args: [],
      launch: {
        program,
        cwd: workshop.cwd,
        initCommands: [
          "settings set symbols.enable-external-lookup false",
          "settings set target.preload-symbols false",
        ],
      },
    },
  };
}

function go(workshop) {
  const source = copied(workshop, "app.go");
  const program = join(workshop.cwd, "app-go");
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", program, source], { cwd: workshop.cwd });
  return {
    title: "Go",
    program,
    source,
    line: lineOf(source),
    bare: {
      command: adapterPath(workshop, "delve"),
      args: ["dap", "--client-addr={address}"],
      callback: true,
      cwd: workshop.cwd,
      launch: { mode: "exec", program, cwd: workshop.cwd },
    },
  };
}

function copied({ cwd }, name) {
  const target = join(cwd, name);
  copyFileSync(join(PROGRAMS, name), target);
  return target;
}

function lineOf(source) {
  return (
    readFileSync(source, "utf8")
      .split("\n")
      .findIndex((line) => line.includes("@marker stop")) + 1
  );
}
