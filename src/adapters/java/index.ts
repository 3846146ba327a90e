/** Java by a bridge of our own to the debug interface of every JDK. The program is started by us, so that its streams and exit code are ours. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, blank, call } from "../../advice/advice.ts";
import type { AdapterProcess } from "../../dap/process.ts";
import { SondeError } from "../../errors.ts";
import { executableName } from "../../util/process-facts.ts";
import { wait } from "../../util/wait.ts";
import type { Adapter, AttachPlan, Connection, Found, Host, LaunchPlan, Where } from "../adapter.ts";
import { speaking } from "../kit/dialect.ts";
import { probe, toolOnPath, versionOf } from "../kit/find.ts";
import { overCallback, type Started } from "../kit/process.ts";
import { startProgram, withProgram } from "../kit/program.ts";
import { bridge, classesIn } from "./bridge-files.ts";
import { javaCommand, usualRoots } from "./command-line.ts";
import { javaWaits } from "./java-waits.ts";
import { debugPort } from "./listening.ts";

/** Small and soon there; and seen by us as a process of this machine, which a socket of the other protocol is not. */
const BRIDGE_OPTIONS = [
  "-XX:TieredStopAtLevel=1",
  "-XX:+UseSerialGC",
  "-Djava.net.preferIPv4Stack=true",
  "--add-modules",
  "jdk.jdi",
];

export const javaAdapter: Adapter = {
  name: "java",
  title: "Java by JDI",
  alsoCalled: ["jdwp", "jdb"],
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "sonde, until the bridge has connected",
      stops:
        "it accepts a connection only from a process of the same user (as the kernel reports it) and closes any other",
    },
    {
      where: "127.0.0.1, a free port",
      holder: "the bridge, until the JVM has connected; the JVM itself does not listen",
      stops:
        "it accepts a connection only from a JVM of the same user (as the kernel reports it) and closes any other",
    },
  ],
  languages: ["java"],
  describes: [{ name: "java", title: "Java", tools: ["javac"], sources: [".java"] }],
  configurations: [{ types: ["java"] }],
  fileTypes: [".java"],
  commands: ["java", "mvn", "mvnw", "gradle", "gradlew"],
  collectors: ["java"],
  recordsAll: true,
  catches: { uncaught: ["uncaught"], all: ["all"], throw: ["all"] },
  defaultCatches: ["uncaught"],
  waits: javaWaits,
  unsupported: {
    supportsDataBreakpoints: {
      reason: "the Java adapter cannot watch fields",
      instead: advice`set a conditional breakpoint where the field is written: ${call("breakpoint add", { location: blank("file:line"), condition: blank("condition") })}`,
    },
    supportsRestartFrame: {
      reason: "the Java adapter cannot restart frames",
      instead: advice`${call("restart")}`,
    },
    supportsDisassembleRequest: {
      reason: "a Java program has no machine code of its own",
      instead: "javap -c",
    },
  },
  custom: [],
  recipes: [
    {
      title: "compiled with the installed JDK",
      needs: ["java", "javac"],
      steps: (folder) => [{ command: ["javac", "-d", classesIn(folder), ...bridge().files] }],
    },
  ],
  byHand: advice`install a JDK, 11 or newer, then ${call("setup", { names: ["java"] })}`,
  sample: {
    file: "Sample.java",
    text: "class Sample {\n  public static void main(String[] args) {\n    int answer = 6 * 7;\n    System.out.println(answer);\n  }\n}\n",
    line: 4,
    shows: { name: "answer", value: "42" },
  },
  find,
  claims: (pid) => executableName(pid) === "java",
  async open(task, host) {
    if (task.request === "child") throw new SondeError("UNSUPPORTED", "a Java program has no child sessions");
    return task.request === "launch" ? launch(task.plan, host) : attach(task.plan, host);
  },
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const { java, args, mainClass, sourceRoots, scratch, withAgent, launchMs } = await javaCommand(plan, host);
  const clean = () => scratch !== undefined && rmSync(scratch, { recursive: true, force: true });
  try {
    const { process, transport } = await startBridge(plan, host, ["listen"]);
    const port = await portOf(process, host);
    const agent = `-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:${port}`;
    const options = withAgent?.(agent) ?? [agent];
    const command = { command: java, args: [...options, ...args], cwd: plan.cwd, env: plan.env };
    const program = await startProgram(host, command, "the program");
    void program.ended.then(clean);
    const told = speaking(transport, {
      events: {
        output,
        initialized: (body, wire) => {
          wire.emit("process", { name: mainClass ?? "java", systemProcessId: program.pid });
          return body;
        },
      },
    });
    return {
      transport: withProgram(told, program),
      request: "launch",
      args: {
        sourceRoots,
        stopOnEntry: plan.stopOnEntry,
        ...(mainClass === undefined ? {} : { mainClass }),
        ...plan.extra,
      },
      stdin: () => program.stdin,
      ...(launchMs === undefined ? {} : { launchMs }),
    };
  } catch (error) {
    clean();
    throw error;
  }
}

async function attach(plan: AttachPlan, host: Host): Promise<Connection> {
  const port = plan.port ?? (plan.pid === undefined ? undefined : debugPort(plan.pid));
  if (port === undefined) throw new SondeError("BAD_ARGUMENT", "attach to which process or port?");
  const { transport } = await startBridge(plan, host, []);
  const args = { host: plan.host ?? "127.0.0.1", port, sourceRoots: usualRoots(plan.cwd), ...plan.extra };
  return { transport: speaking(transport, { events: { output } }), request: "attach", args };
}

/** Of conditions that fail, and of nothing else, the bridge speaks as important. */
function output(body: DebugProtocol.OutputEvent["body"]): object {
  return body.category === "important" ? { ...body, about: "failed-condition" } : body;
}

function startBridge(
  { cwd, env }: Pick<LaunchPlan, "cwd" | "env">,
  host: Host,
  more: string[],
): Promise<Started> {
  const { path, where } = { path: host.found.path, where: host.where };
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.test(name)));
  return overCallback(
    host,
    (address) => ({
      command: toolOnPath("java", where) ?? "java",
      args: [...BRIDGE_OPTIONS, "-cp", path, "Bridge", ...address.split(":"), ...more],
      cwd,
      env: own,
    }),
    "the Java bridge",
  );
}

/** Options that are meant for the program. */
const FOREIGN = /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/;

/** The first line it prints. */
async function portOf(process: AdapterProcess, { timeoutMs, signal }: Host): Promise<number> {
  const { stdout } = process.child;
  if (stdout === null) throw new TypeError("the bridge's output is not piped");
  const line = new Promise<string>((resolve) => createInterface({ input: stdout }).once("line", resolve));
  const said = await wait(Promise.race([line, process.ended]), { timeoutMs, signal });
  const port = said.done ? /^port (\d+)$/.exec(said.value)?.[1] : undefined;
  if (port === undefined)
    throw new SondeError(
      "ADAPTER_FAILED",
      `the Java bridge did not start: ${said.done ? said.value : said.why}\n${process.stderr}`,
    );
  return Number(port);
}

async function find(where: Where): Promise<Found> {
  const java = toolOnPath("java", where);
  if (java === undefined) return { ok: false, reason: "there is no java on the PATH" };
  if (toolOnPath("javac", where) === undefined)
    return { ok: false, reason: "there is no javac on the PATH: it needs a JDK" };
  const path = where.settings?.command ?? classesIn(join(where.adapters, "java"));
  if (!existsSync(join(path, "Bridge.class")))
    return { ok: false, reason: "its bridge has not been compiled yet" };
  const version = versionOf(await probe(java, ["-version"], where.env)) ?? "unknown";
  return { ok: true, version, path };
}
