/** PHP, by an adapter of our own that speaks to Xdebug. */
import { basename } from "node:path";
import { inProcess } from "../../dap/in-process.ts";
import type { Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import type { Adapter, Connection, Found, Host, LaunchPlan, Where } from "../adapter.ts";
import { listenForCalls } from "../kit/calls.ts";
import { speaking } from "../kit/dialect.ts";
import { onPath, probe } from "../kit/find.ts";
import { executableName } from "../kit/pid.ts";
import { startProgram, withProgram } from "../kit/program.ts";
import { DbgpConnection } from "./dbgp-connection.ts";
import { PhpAdapter } from "./php-adapter.ts";

const NO_MACHINE_CODE = {
  reason: "PHP shows neither machine code nor memory to a debugger",
  instead: "use `sonde source`, `sonde step` and `sonde print <expression>`",
};

export const phpAdapter: Adapter = {
  name: "xdebug",
  title: "Xdebug",
  languages: ["php"],
  fileTypes: [".php", ".phpt"],
  commands: ["php", "phpunit", "pest", "composer", "artisan"],
  catches: { uncaught: ["uncaught"], unhandled: ["uncaught"], all: ["all"], throw: ["all"], thrown: ["all"] },
  defaultCatches: ["uncaught"],
  unsupported: {
    pause: {
      reason: "Xdebug cannot interrupt PHP while it runs",
      instead: "`sonde break <file>:<line>`, then `sonde restart`: it stops there",
    },
    supportsReadMemoryRequest: NO_MACHINE_CODE,
    supportsWriteMemoryRequest: NO_MACHINE_CODE,
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: NO_MACHINE_CODE,
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "Xdebug cannot stop when a variable changes",
      instead: "put `sonde break <file>:<line> --log '{$name}'` on the lines that assign it",
    },
    supportsRestartFrame: {
      reason: "PHP cannot enter a function again",
      instead: "start anew with a breakpoint at its beginning: `sonde restart`",
    },
    supportsGotoTargetsRequest: {
      reason: "PHP cannot move the point of execution",
      instead: "change values with `sonde set`, or `sonde restart`",
    },
    supportsStepBack: {
      reason: "PHP cannot run backwards",
      instead: "start anew with an earlier breakpoint",
    },
  },
  custom: [],
  recipes: [
    {
      title: "Xdebug of the system",
      needs: ["apt-get"],
      root: true,
      steps: () => [
        { command: ["apt-get", "update"], optional: true },
        { command: ["apt-get", "install", "-y", "--no-install-recommends", "php-cli", "php-xdebug"] },
      ],
    },
    {
      title: "Xdebug compiled by pecl",
      needs: ["pecl", "phpize"],
      root: true,
      steps: () => [{ command: ["pecl", "install", "xdebug"] }],
    },
  ],
  byHand: "install PHP and its Xdebug extension: https://xdebug.org/docs/install",
  sample: {
    file: "sample.php",
    text: "<?php\n$answer = 6 * 7;\necho $answer, PHP_EOL;\n",
    line: 3,
    shows: { name: "$answer", value: "42" },
  },
  find,
  claims: (pid) => /^php(-cgi|-fpm)?[\d.]*$/.test(executableName(pid) ?? ""),

  async open(task, host) {
    if (task.request === "child") return child(String(task.configuration.call));
    if (task.request === "attach")
      throw new SondeError(
        "UNSUPPORTED",
        "a running PHP program cannot be attached to: Xdebug calls its debugger at the start",
        {
          hint: "start it under sonde: `sonde start <file>.php`, or `sonde start -- <command>`",
        },
      );
    return launch(task.plan, host);
  },
};

async function find(where: Where): Promise<Found> {
  const php = onPath(where.settings?.command ?? "php", where);
  if (php === undefined)
    return { ok: false, reason: `there is no ${where.settings?.command ?? "php"} on the PATH` };
  const said = await probe(
    php,
    ["-r", 'if (!phpversion("xdebug")) exit(1); echo phpversion("xdebug"), " ", PHP_VERSION;'],
    where.env,
  );
  const [version, language] = said?.trim().split(" ") ?? [];
  if (version === undefined || language === undefined) return { ok: false, reason: `${php} has no Xdebug` };
  return { ok: true, version, path: php, notes: [`PHP ${language}`] };
}

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const calls = await listenForCalls(
    { language: "PHP", debugger: "Xdebug" },
    (socket) => new DbgpConnection(socket),
  );
  try {
    const { command, program = "", args, cwd, stopOnEntry, extra } = plan;
    const [first = "", ...rest] = command ?? [host.found.path, program, ...args];
    const env = environment(plan.env, calls.port);
    const started = await startProgram(host, { command: first, args: rest, cwd, env }, "the program");
    void started.ended.then(() => calls.close());
    const transport = withProgram(serve(await calls.first(host, started)), started);
    const announcing = speaking(transport, {
      requests: {
        configurationDone(_args, wire) {
          calls.onCall((connection) => void announce(connection, wire.askClient.bind(wire)));
          return undefined;
        },
      },
    });
    return {
      transport: announcing,
      request: "launch",
      args: { stopOnEntry, ...extra },
      stdin: () => started.stdin,
    };
  } catch (error) {
    calls.close();
    throw error;
  }
}

/** Read by Xdebug in every PHP process of the program, whoever starts it. */
function environment(env: Record<string, string>, port: number): Record<string, string> {
  return {
    ...env,
    XDEBUG_MODE: "debug",
    XDEBUG_SESSION: "sonde",
    XDEBUG_CONFIG: `client_host=127.0.0.1 client_port=${port} log_level=0`,
  };
}

/** PHP processes that have called and whose session is being opened. */
const waiting = new Map<string, DbgpConnection>();

async function announce(
  connection: DbgpConnection,
  askClient: (command: string, args: unknown) => void,
): Promise<void> {
  const { appid = "", fileuri = "" } = (await connection.init).attributes;
  waiting.set(appid, connection);
  const configuration = { name: `${basename(fileuri)} (${appid})`, call: appid };
  askClient("startDebugging", { request: "attach", configuration });
}

function child(id: string): Connection {
  const connection = waiting.get(id);
  waiting.delete(id);
  if (!connection) throw new Error("that process has gone");
  return { transport: serve(connection), request: "attach", args: {} };
}

function serve(connection: DbgpConnection): Transport {
  return inProcess((end) => {
    const adapter = new PhpAdapter((message) => end.send(message), connection);
    end.start(
      (message) => adapter.receive(message),
      () => adapter.dispose(),
    );
  });
}
