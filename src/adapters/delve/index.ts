/** Go, by delve. */
import { basename } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import type { AdapterProcess } from "../../dap/process.ts";
import { SondeError } from "../../errors.ts";
import { statOf } from "../../util/process-facts.ts";
import { readOn } from "../../util/read-on.ts";
import type { Adapter, AttachPlan, Connection, Host, LaunchPlan } from "../adapter.ts";
import { speaking, type Wire } from "../kit/dialect.ts";
import { onPath } from "../kit/find.ts";
import { isGoExecutable } from "../kit/go-code.ts";
import { overCallback, overPathCallback } from "../kit/process.ts";
import { Traps } from "../native/traps.ts";
import { debianPackages } from "../recipe.ts";
import { type Built, build } from "./build.ts";
import { goConfigurations } from "./configurations.ts";
import { Connected, onOutput, stdinOf } from "./connection.ts";
import { delveDialect } from "./dialect.ts";
import { findDelve } from "./find.ts";
import { goWaits } from "./go-waits.ts";
import { keep } from "./keeper.ts";
import { go } from "./language.ts";
import { canLeave } from "./leave.ts";
import { adviseOn } from "./panics.ts";
import { reach } from "./reach.ts";
import { standing } from "./standing.ts";
import { targetOf } from "./target.ts";

const UNRECOVERED = ["unrecovered-panic", "runtime-fatal-throw"];

export const delveAdapter: Adapter = {
  name: "delve",
  title: "Delve",
  alsoCalled: ["dlv", "dlv-dap", "golang"],
  listens: [
    {
      where: "a Unix socket in a private folder (127.0.0.1 with dlv before 1.24)",
      holder: "sonde, until dlv has connected",
      stops:
        "its folder has mode 0700, so no other user can reach it; on 127.0.0.1 it accepts only a process of the same user",
    },
  ],
  languages: ["go"],
  describes: [go],
  configurations: [goConfigurations],
  skill: { folder: "debugger-go", title: "On Go", commands: ["watch", "disassemble", "raw"] },
  fileTypes: [".go"],
  commands: ["go"],
  executables: isGoExecutable,
  catches: {
    uncaught: UNRECOVERED,
    fatal: ["runtime-fatal-throw"],
    all: [...UNRECOVERED, "panic"],
    throw: [...UNRECOVERED, "panic"],
    panic: [...UNRECOVERED, "panic"],
  },
  defaultCatches: ["uncaught"],
  waits: goWaits,
  advise: adviseOn,
  unsupported: {
    ...(canLeave
      ? {}
      : {
          detach: {
            reason: "delve kills a program that it launched when it detaches",
            instead: advice`start the program yourself and ${call("attach", { pid: blank("pid") })}`,
          },
        }),
    supportsDataBreakpoints: {
      reason: "this dlv cannot stop when a variable changes; 1.27 can",
      instead: advice`${call("setup", { names: ["delve"] })} installs a newer one; or log the lines that assign it with ${call("breakpoint add", { location: blank("file:line"), log: "{expr}" })}`,
    },
    supportsReadMemoryRequest: {
      reason: "this dlv does not show memory; 1.27 does",
      instead: advice`read values with ${call("print", { expression: blank("expression") })}; \`*(*[16]byte)(address)\` prints bytes`,
    },
    supportsWriteMemoryRequest: {
      reason: "this dlv does not write memory; 1.27 does",
      instead: advice`assign with ${call("set", { target: blank("name"), value: blank("value") })}`,
    },
    supportsModulesRequest: {
      reason: "a Go program is one binary; delve lists no modules",
      instead: "`go version -m <binary>` lists what is in it",
    },
    supportsLoadedSourcesRequest: {
      reason: "delve cannot list loaded sources over DAP",
      instead: advice`${call("raw", { command: "dlv sources <regular expression>" })} lists them`,
    },
    supportsStepBack: {
      reason: "delve runs backwards only in recordings made with rr",
      instead: advice`${call("restart")} with an earlier breakpoint`,
    },
    supportsRestartFrame: {
      reason: "delve cannot enter a frame again",
      instead: advice`${call("eval", { expression: "f(arguments)" })} calls the function again, or ${call("restart")}`,
    },
    supportsGotoTargetsRequest: {
      reason: "delve cannot move the point of execution",
      instead: advice`change the values that it depends on with ${call("set", { target: blank("name"), value: blank("value") })}, or ${call("restart")}`,
    },
    supportsStepInTargetsRequest: {
      reason: "delve does not report which calls a line makes",
      instead: advice`${call("breakpoint add", { function: blank("function") })} and ${call("continue")}`,
    },
    supportsTerminateThreadsRequest: {
      reason: "a goroutine cannot be ended from outside",
      instead: advice`use ${call("stop")}`,
    },
    supportsCompletionsRequest: {
      reason: "delve has no completion",
      instead: advice`${call("locals")} lists the variables here`,
    },
  },
  collectors: ["perf", "delve"],
  sampler: "go",
  runsNothing: { paths: "all" },
  custom: [],
  recipes: [
    {
      title: "go install",
      needs: ["go"],
      steps: (folder) => [
        {
          command: ["go", "install", "github.com/go-delve/delve/cmd/dlv@latest"],
          env: { GOBIN: folder, GOFLAGS: "" },
        },
      ],
    },
    {
      title: "Homebrew",
      needs: ["brew"],
      steps: () => [{ command: ["brew", "install", "delve"] }],
    },
    debianPackages("the system's package manager (apt)", "delve"),
  ],
  byHand: "run `go install github.com/go-delve/delve/cmd/dlv@latest`",
  sample: {
    file: "sample.go",
    text: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tanswer := 6 * 7\n\tfmt.Println(answer)\n}\n',
    line: 7,
    shows: { name: "answer", value: "42" },
  },
  mapsPaths: true,
  find: findDelve,
  claims: (pid) => isGoExecutable(`/proc/${pid}/exe`),
  async open(task, host) {
    if (task.request === "launch") return launch(task.plan, host);
    if (task.request === "attach") return attach(task.plan, host);
    throw new Error("delve debugs child processes in the session of their parent");
  },
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const target = targetOf(plan);
  const built = target.kind === "build" ? await build(target.go, target.name, plan, host) : undefined;
  const program =
    target.kind === "build" ? built?.program : (onPath(target.program, host.where) ?? target.program);
  const cwd = target.kind === "build" ? (target.runsIn ?? built?.folder ?? plan.cwd) : plan.cwd;
  const args = target.kind === "build" ? target.go.args : target.args;
  const runsIn = target.kind === "build" && target.go.verb === "test" ? (built?.folder ?? cwd) : cwd;
  const entries = plan.stopOnEntry ? (built?.entries ?? ["main.main"]) : [];
  return connect(
    host,
    plan,
    { built, entries },
    {
      request: "launch",
      args: {
        mode: "exec",
        program,
        args,
        cwd: runsIn,
        followExec: true,
        ...SHOWN,
        ...moved(plan),
        ...plan.extra,
      },
    },
  );
}

/** dlv's own limits are an editor's; the session cuts what it shows, and asks for more when it is asked. */
const SHOWN = { hideSystemGoroutines: true, stackTraceDepth: 200 };

/** dlv counts from the reader's machine to the debug information. */
function moved({ pathMap = [] }: LaunchPlan | AttachPlan): object {
  return pathMap.length === 0
    ? {}
    : { substitutePath: pathMap.map(({ from, to }) => ({ from: to, to: from })) };
}

function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  if (plan.port !== undefined) {
    const args = { mode: "remote", ...SHOWN, ...moved(plan), ...plan.extra };
    return reach({ host: plan.host ?? "127.0.0.1", port: plan.port }, args, host);
  }
  if (plan.pid === undefined)
    throw new SondeError("BAD_ARGUMENT", "delve attaches to a process by pid, or to a dlv by port", {
      hint: advice`${call("attach", { pid: blank("pid") })}, or ${call("attach", { port: blank("port") })} of \`dlv exec --headless --listen=127.0.0.1:<port> <program>\``,
    });
  // Nobody may kill this dlv outright: its breakpoints would stay in the process and end it. Left alone it takes them out.
  const unowned = { ...host, processes: { own: (pid: number) => pid, release: () => {} } };
  return connect(
    unowned,
    plan,
    { entries: [], attached: plan.pid },
    {
      request: "attach",
      args: { mode: "local", processId: plan.pid, ...SHOWN, ...moved(plan), ...plan.extra },
    },
  );
}

/** From 1.24 on, https://github.com/go-delve/delve/pull/3819 */
function callsPaths(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return process.platform !== "win32" && (major > 1 || minor >= 24);
}

async function connect(
  host: Host,
  { cwd, env }: Pick<LaunchPlan, "cwd" | "env">,
  { built, entries, attached }: { built?: Built | undefined; entries: string[]; attached?: number },
  opening: Pick<Connection, "request" | "args">,
): Promise<Connection> {
  const { path } = host.found;
  const extra = host.where.settings?.args ?? [];
  const traps = attached === undefined ? undefined : Traps.of(attached);
  try {
    const calling = (address: string) => ({
      command: path,
      args: ["dap", `--client-addr=${address}`, ...extra],
      cwd,
      env,
    });
    const left =
      attached === undefined ? undefined : { pid: attached, isHalted: statOf(attached)?.state === "T" };
    const called = callsPaths(host.found.version) ? overPathCallback : overCallback;
    const { process, transport } = await called(host, calling, basename(path), (dlv, connection) => {
      if (left !== undefined) keep(dlv, connection, left);
    });
    const connected = (wire: Wire) =>
      onOutput(process, (category, output) => wire.emit("output", { category, output }));
    const leave = () => {
      own.leave();
      leaveProgram(process);
    };
    const kill = attached === undefined && canLeave ? leave : undefined;
    const own = new Connected(transport, process, () => built?.remove());
    const guarded =
      traps === undefined || attached === undefined ? own : standing(own, process, attached, traps);
    return {
      transport: speaking(guarded, delveDialect({ entries, connected, kill, attached: left })),
      ...opening,
      ...(opening.request === "launch" ? { stdin: () => stdinOf(process) } : {}),
    };
  } catch (error) {
    built?.remove();
    throw error;
  }
}

/** Its streams, which the program has too, are read on. */
function leaveProgram({ child }: AdapterProcess): void {
  child.kill("SIGKILL");
  for (const stream of [child.stdout, child.stderr]) readOn(stream);
}
