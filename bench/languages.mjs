/** The languages whose adapters are programs of their own: what is run, and how the bare adapter is started for it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { copied, lineOf } from "./programs.mjs";

/** Those that can be measured on this machine; of the others, why not. */
export function languages(workshop, stem = "app") {
  return [python, c, go].map((make) => {
    try {
      return make(workshop, stem);
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

function python(workshop, stem) {
  const program = copied(workshop, `${stem}.py`);
  const interpreter = adapterPath(workshop, "debugpy");
  // The program's own Python, as Sonde takes it: what that imports when it starts is part of both times.
  const own = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return {
    title: "Python",
    program,
    command: ["python3", program],
    source: program,
    line: lineOf(program),
    bare: {
      command: interpreter,
      args: ["-m", "debugpy.adapter"],
      launch: { program, cwd: workshop.cwd, console: "internalConsole", python: [own.trim()] },
    },
  };
}

function c(workshop, stem) {
  const source = copied(workshop, `${stem}.c`);
  const program = join(workshop.cwd, `${stem}-c`);
  execFileSync("cc", ["-g", "-O0", "-fno-omit-frame-pointer", "-o", program, source]);
  return {
    title: "C",
    program,
    command: [program],
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

function go(workshop, stem) {
  const source = copied(workshop, `${stem}.go`);
  const program = join(workshop.cwd, `${stem}-go`);
  execFileSync("go", ["build", "-gcflags=all=-N -l", "-o", program, source], { cwd: workshop.cwd });
  return {
    title: "Go",
    program,
    command: [program],
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
