/** Python, by debugpy. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Adapter, Found, Task, Where } from "../adapter.ts";
import { type Dialect, speaking } from "../kit/dialect.ts";
import { list, onPath } from "../kit/find.ts";
import { executableName } from "../kit/pid.ts";
import { overStdio } from "../kit/process.ts";

export const pythonAdapter: Adapter = {
  name: "debugpy",
  title: "debugpy",
  languages: ["python"],
  fileTypes: [".py", ".pyw"],
  commands: ["python", "pytest"],
  catches: { uncaught: ["uncaught"], all: ["raised"], throw: ["raised"] },
  defaultCatches: ["uncaught"],
  unsupported: {},
  custom: [],
  recipes: [],
  byHand: "pip install debugpy",
  sample: {
    file: "sample.py",
    text: "answer = 6 * 7\nprint(answer)\n",
    line: 2,
    shows: { name: "answer", value: "42" },
  },
  find,
  claims: (pid) => /^python/.test(executableName(pid) ?? ""),
  async open(task, host) {
    if (task.request === "child") throw new Error("later");
    const { transport } = await overStdio(
      host,
      { command: host.found.path, args: ["-m", "debugpy.adapter"], cwd: task.plan.cwd, env: task.plan.env },
      "debugpy",
    );
    return { transport: speaking(transport, dialect()), ...argumentsFor(task, host.where) };
  },
};

function dialect(): Dialect {
  return {};
}

function argumentsFor(task: Exclude<Task, { request: "child" }>, where: Where) {
  if (task.request === "attach")
    return {
      request: "attach" as const,
      args: { processId: task.plan.pid, justMyCode: true, ...task.plan.extra },
    };
  const { program, args, cwd, env, stopOnEntry, extra } = task.plan;
  return {
    request: "launch" as const,
    args: {
      program,
      args,
      cwd,
      env,
      python: [onPath("python3", where)],
      pythonArgs: ["-u"],
      console: "integratedTerminal",
      stopOnEntry,
      ...extra,
    },
  };
}

async function find(where: Where): Promise<Found> {
  const folder = join(where.adapters, "debugpy");
  const site = list(join(folder, "lib")).map((one) =>
    join(folder, "lib", one, "site-packages", "debugpy"),
  )[0];
  const path = join(folder, "bin", "python");
  return site !== undefined && existsSync(site)
    ? { ok: true, version: "1.8", path }
    : { ok: false, reason: "no debugpy" };
}
