/** PHP, by an adapter of our own that speaks to Xdebug. */
import { advice, blank, call } from "../../advice/advice.ts";
import { executableName } from "../../util/process-facts.ts";
import type { Adapter, Found, Where } from "../adapter.ts";
import { calling, fromTheStart } from "../kit/calling.ts";
import { probe, toolOnPath } from "../kit/find.ts";
import type { Language } from "../language.ts";
import { debianPackages } from "../recipe.ts";
import { DbgpConnection } from "./dbgp-connection.ts";
import { PhpAdapter } from "./php-adapter.ts";

const NO_MACHINE_CODE = {
  reason: "PHP shows neither machine code nor memory to a debugger",
  instead: advice`use ${call("source")}, ${call("step")} and ${call("print", { expression: blank("expression") })}`,
};

const xdebug = calling<DbgpConnection>({
  language: "PHP",
  debugger: "Xdebug",
  connect: (socket) => new DbgpConnection(socket),
  serve: (send, call) => new PhpAdapter(send, call),
  environment: (env, port) => ({
    ...env,
    XDEBUG_MODE: "debug",
    XDEBUG_SESSION: "sonde",
    XDEBUG_CONFIG: `client_host=127.0.0.1 client_port=${port} log_level=0`,
  }),
  introduce: async (call) => {
    const { appid = "", fileuri = "" } = (await call.init).attributes;
    return { id: appid, file: fileuri };
  },
});

const php: Language = {
  name: "php",
  title: "PHP",
  tools: ["php"],
  sources: [".php", ".phpt"],
  defined: (name, text) => (new RegExp(`\\bfunction &?${name}\\s*\\(`).test(text) ? name : undefined),
  interpreter: { name: /^php[\d.]*$/, plain: /^-[nq]$/ },
};

export const phpAdapter: Adapter = {
  name: "xdebug",
  title: "Xdebug",
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "sonde, as long as the session lives",
      stops:
        "it accepts a connection only from a process of the same user (as the kernel reports it) and closes any other",
    },
  ],
  languages: ["php"],
  describes: [php],
  configurations: [{ types: ["php"] }],
  fileTypes: [...php.sources],
  commands: ["php", "phpunit", "pest", "composer", "artisan"],
  catches: { uncaught: ["uncaught"], unhandled: ["uncaught"], all: ["all"], throw: ["all"], thrown: ["all"] },
  defaultCatches: ["uncaught"],
  unsupported: {
    pause: {
      reason: "Xdebug cannot interrupt PHP while it runs",
      instead: advice`${call("breakpoint add", { location: blank("file:line") })}, then ${call("restart")}: it stops there`,
    },
    supportsReadMemoryRequest: NO_MACHINE_CODE,
    supportsWriteMemoryRequest: NO_MACHINE_CODE,
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: NO_MACHINE_CODE,
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "Xdebug cannot stop when a variable changes",
      instead: advice`put ${call("breakpoint add", { location: blank("file:line"), log: "{$name}" })} on the lines that assign it`,
    },
    supportsRestartFrame: {
      reason: "PHP cannot enter a function again",
      instead: advice`start again with a breakpoint at its beginning: ${call("restart")}`,
    },
    supportsGotoTargetsRequest: {
      reason: "PHP cannot move the point of execution",
      instead: advice`change values with ${call("set", { target: blank("name"), value: blank("value") })}, or ${call("restart")}`,
    },
    supportsStepBack: {
      reason: "PHP cannot run backwards",
      instead: "start again with an earlier breakpoint",
    },
  },
  custom: [],
  recipes: [
    debianPackages("the system's Xdebug", "php-cli", "php-xdebug"),
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

  open: fromTheStart(
    { language: "PHP", type: ".php", why: "Xdebug connects to its debugger at the start" },
    xdebug,
  ),
};

async function find(where: Where): Promise<Found> {
  const php = toolOnPath(where.settings?.command ?? "php", where);
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
