/**
 * A repository that was cloned from a stranger. Looking at it, and debugging something else from inside it, runs nothing of it: each trap leaves a file,
 * the canary, if it is sprung.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtFolder, compilerVersion } from "../support/builds.ts";
import { createSonde, FIXTURES, type Sonde } from "../support/sonde.ts";

/** Debuggers, compilers, interpreters and what we start to help them. */
const TOOLS = [
  ...[
    "lldb-dap",
    "lldb-vscode",
    "lldb-dap-99",
    "lldb",
    "lldb-server",
    "gdb",
    "dlv",
    "codelldb",
    "rdbg",
    "perf",
  ],
  ...["go", "cargo", "rustc", "java", "javac", "ruby", "perl", "php", "python", "python3", "node", "tsx"],
  ...["sh", "bash", "mkfifo", "setarch", "unshare", "taskset", "ps", "cat", "git", "npm", "code"],
];

const CONFIG = (command: string) =>
  `[adapters.lldb]\ncommand = "${command}"\n[adapters.debugpy]\ncommand = "${command}"\n[adapters.evil]\ncommand = "${command}"\nfile_types = [".js", ".c", ".py"]\n`;

class Hostile {
  readonly sonde: Sonde;
  readonly #canaries: string;

  constructor() {
    this.sonde = createSonde();
    this.#canaries = join(this.sonde.home, "..", "canaries");
    mkdirSync(this.#canaries);
    for (const folder of ["node_modules/.bin", "bin", "."])
      for (const tool of TOOLS) this.#executable(join(folder, tool));
    this.#environments();
    this.#startUpFiles();
    this.#editor();
    this.#toolchains();
    for (const name of [
      "sonde.toml",
      ".sonde.toml",
      ".sonderc",
      ".sonde/config.toml",
      "config.toml",
      ".config/sonde/config.toml",
    ])
      this.sonde.write(name, CONFIG("./lldb-dap"));
    for (const name of ["start", "stop", "pre-start"]) this.#executable(`.sonde/hooks/${name}`);
  }

  /** What has run. */
  get sprung(): string[] {
    return readdirSync(this.#canaries).sort();
  }

  /** Only a program's word; paths of ours have no quotes. */
  #touch(name: string): string {
    return `touch ${this.#canary(name)}`;
  }

  #canary(name: string): string {
    return join(this.#canaries, name.replaceAll("/", "_").replace(/^\./, "dot-"));
  }

  #executable(name: string): void {
    // By its full path: what it calls may be planted too.
    chmodSync(this.sonde.write(name, `#!/bin/sh\n/usr/bin/${this.#touch(name)}\nexit 1\n`), 0o755);
  }

  #python(name: string): void {
    this.sonde.write(name, `open(${JSON.stringify(this.#canary(name))}, "w")\n`);
  }

  #environments(): void {
    for (const folder of [".venv", "venv", "env"]) {
      this.sonde.write(`${folder}/pyvenv.cfg`, "home = /usr/bin\n");
      for (const name of ["python", "python3"]) this.#executable(`${folder}/bin/${name}`);
    }
  }

  #startUpFiles(): void {
    for (const name of [
      "sitecustomize",
      "usercustomize",
      "debugpy",
      "pydevd",
      "socket",
      "threading",
      "json",
      "lldb",
      "gdb",
    ])
      this.#python(`${name}.py`);
    this.#python("debugpy/adapter/__main__.py");
    this.#python(".pdbrc");
    for (const name of [".lldbinit", ".lldbinit-lldb-dap"])
      this.sonde.write(name, `platform shell ${this.#touch(name)}\n`);
    for (const name of [".gdbinit", "gdbinit", ".gdbearlyinit", ".cgdb", "stats-gdb.gdb", "loop-gdb.gdb"])
      this.sonde.write(name, `shell ${this.#touch(name)}\n`);
    this.#python("stats-gdb.py");
    for (const name of [".dlv/config.yml", ".config/dlv/config.yml"])
      this.sonde.write(name, `aliases: {}\nsource-list-line-count: 5\ninit: ${this.#canary(name)}\n`);
    for (const name of [".irbrc", ".rdbgrc", ".rdbgrc.rb", "Gemfile"])
      this.sonde.write(name, `system("${this.#touch(name)}")\n`);
    this.sonde.write(".perldb", `system("${this.#touch(".perldb")}");\n`);
    this.sonde.write(".envrc", `${this.#touch(".envrc")}\n`);
    this.sonde.write(".npmrc", "node-options=--require ./evil.js\n");
    this.sonde.write(
      "evil.js",
      `require("node:fs").writeFileSync(${JSON.stringify(this.#canary("evil.js"))}, "");\n`,
    );
  }

  #editor(): void {
    const label = "evil";
    const task = { label, type: "shell", command: this.#touch("task"), runOptions: { runOn: "folderOpen" } };
    this.sonde.write(".vscode/tasks.json", JSON.stringify({ version: "2.0.0", tasks: [task] }));
    const init = [`platform shell ${this.#touch("initCommands")}`];
    const configurations = [
      { name: "task", type: "node", request: "launch", program: "evil.js", preLaunchTask: label },
      {
        name: "init",
        type: "lldb",
        request: "launch",
        program: "prog",
        initCommands: init,
        preRunCommands: init,
      },
      {
        name: "server",
        type: "node",
        request: "launch",
        program: "evil.js",
        debugServer: 4711,
        runtimeExecutable: "./node",
      },
    ];
    this.sonde.write(".vscode/launch.json", JSON.stringify({ version: "0.2.0", configurations }));
    const settings = { "python.defaultInterpreterPath": "./python", "go.alternateTools": { dlv: "./dlv" } };
    this.sonde.write(".vscode/settings.json", JSON.stringify(settings));
  }

  #toolchains(): void {
    this.sonde.write(".cargo/config.toml", '[build]\nrustc = "./rustc"\nrustc-wrapper = "./rustc"\n');
    this.sonde.write("rust-toolchain.toml", '[toolchain]\npath = "./tools"\n');
    for (const name of ["rustc", "cargo"]) this.#executable(`tools/bin/${name}`);
    this.sonde.write("go.mod", "module x\n\ngo 1.20\n");
    this.sonde.write(".tool-versions", "python ./python\nnodejs ./node\n");
    this.sonde.write(
      "package.json",
      JSON.stringify({
        scripts: { preinstall: this.#touch("preinstall"), prestart: this.#touch("prestart") },
      }),
    );
  }
}

const LOOKING = [
  ...[
    "status",
    "sessions",
    "adapters",
    "doctor",
    "config",
    "configs",
    "trace list",
    "agent ls",
    "help",
    "daemon status",
  ],
  ...["breakpoint list", "context", "skills", "completion bash", "mcp install --client claude --dry-run"],
];

test("looking around in it runs nothing", { timeout: 60_000 }, async () => {
  const hostile = new Hostile();
  for (const command of LOOKING) await hostile.sonde.run(command);
  expect(hostile.sprung).toEqual([]);
});

test("nor where npm, or a careless PATH, puts its programs first", { timeout: 90_000 }, async () => {
  const hostile = new Hostile();
  const { sonde } = hostile;
  // Our own Node is found by the shell, as that of any script is: see SECURITY.md.
  const env = {
    SONDE_NODE: process.execPath,
    PATH: [
      join(sonde.project, "node_modules/.bin"),
      "./node_modules/.bin",
      ".",
      "",
      "bin",
      process.env.PATH,
    ].join(delimiter),
  };
  for (const command of LOOKING) await sonde.run(command, { env });
  expect(hostile.sprung).toEqual([]);
  // The daemon that a command inside it has started serves every folder, also for helpers that it calls by name.
  const cwd = sonde.home;
  const program = join(FIXTURES, "js/stats.js");
  await sonde.text(["start", program, "--break", `${program}:1`], { cwd });
  if (compilerVersion("c") !== undefined) {
    const native = join(builtFolder("c"), "stats");
    await sonde.run(["start", native, "--adapter", "lldb", "--stop-on-entry"], { cwd });
    await sonde.run(["trace", "--at", `${native}.c:1`, "--", native], { cwd });
  }
  expect(hostile.sprung).toEqual([]);
});

const programs: Record<string, string[]> = {
  node: [join(FIXTURES, "js/stats.js")],
  python: ["--", "/usr/bin/python3", join(FIXTURES, "python/stats.py")],
  ...(compilerVersion("c") === undefined ? {} : { c: [join(builtFolder("c"), "stats")] }),
  ...(compilerVersion("go") === undefined ? {} : { go: [join(builtFolder("go"), "stats")] }),
};
const adapters: Record<string, string[]> = { c: ["lldb", "cdt-gdb"] };

test.each(Object.keys(programs))(
  "a program of another folder, debugged from inside it: %s",
  { timeout: 60_000 },
  async (language) => {
    const hostile = new Hostile();
    const { sonde } = hostile;
    const words = programs[language] ?? [];
    for (const adapter of adapters[language] ?? [undefined]) {
      const named = adapter === undefined ? [] : ["--adapter", adapter];
      const { state } = await sonde.ask<{ state: string }>(["start", ...named, "--stop-on-entry", ...words]);
      expect(state).toBe("stopped");
      for (const command of ["backtrace", "modules"]) await sonde.run(command);
      await sonde.text("stop");
    }
    expect(hostile.sprung).toEqual([]);
  },
);

const sleepers: Record<string, string[]> = {
  node: [process.execPath, "-e", "setInterval(() => {}, 1000); console.log(1)"],
  python: ["/usr/bin/python3", "-c", "import time\nprint(1, flush=True)\nwhile True: time.sleep(0.1)"],
  native: ["/bin/sh", "-c", "echo 1; while :; do :; done"],
};

test.each(Object.keys(sleepers))(
  "a process of elsewhere, attached to from inside it: %s",
  { timeout: 60_000 },
  async (kind) => {
    const hostile = new Hostile();
    const { sonde } = hostile;
    const [file = "", ...args] = sleepers[kind] ?? [];
    const child = spawn(file, args, { cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((done) => child.stdout?.once("data", done));
    const named = kind === "native" ? ["--adapter", "lldb"] : [];
    await sonde.text(["attach", String(child.pid), ...named, "--timeout", "1"]);
    for (const command of ["pause", "threads", "backtrace"]) await sonde.run(command);
    await sonde.text("detach");
    expect(hostile.sprung).toEqual([]);
  },
);
