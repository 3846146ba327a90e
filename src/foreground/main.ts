/**
 * Commands that run in the caller's terminal (`dist/foreground.mjs`): the client hands their words to this file instead of the daemon. They are
 * declared, parsed and checked like all others.
 */
import { said, type Words } from "../advice/advice.ts";
import { places } from "../client/paths.ts";
import { AGENT_COMMANDS } from "../commands/agent/index.ts";
import { safeErrorText } from "../commands/answers/text.ts";
import { cliWords } from "../commands/cli-words.ts";
import type { Command } from "../commands/define.ts";
import { DIAGNOSTIC_COMMANDS } from "../commands/diagnostics/index.ts";
import { parseArgv, Registry } from "../engine/argv.ts";
import { validate } from "../engine/request/validate.ts";
import { asSondeError, exitStatus, SondeError } from "../errors.ts";
import { type Log, openLog } from "../util/log/writer.ts";
import { safeJson } from "../util/safe-json.ts";
import type { Terminal } from "./terminal.ts";

type Runner = (args: never, terminal: Terminal) => Promise<number>;

const profile = async () => (await import("./profile.ts")).profile;

const RUNNERS: Readonly<Record<string, () => Promise<Runner>>> = {
  "agent run": async () => (await import("./run.ts")).run,
  "agent attach": async () => (await import("./attach.ts")).attach,
  "agent fork": async () => (await import("./fork.ts")).fork,
  "agent replay": async () => (await import("./replay.ts")).replay,
  "clear-cache": async () => (await import("./clear-cache.ts")).clearCache,
  logs: async () => (await import("./logs.ts")).logs,
  "profile cpu": profile,
  "profile heap": profile,
  "profile work": profile,
  report: async () => (await import("./report.ts")).report,
  menu: async () => {
    const { menu } = await import("./menu/menu.ts");
    return (args: { plain?: boolean }, terminal: Terminal) =>
      menu(args, terminal, (words) => conversation(words, terminal));
  },
};

const registry = new Registry([...AGENT_COMMANDS, ...DIAGNOSTIC_COMMANDS]);
const find = (name: string): Command | undefined => registry.get(name);

export interface Caller {
  cwd: string;
  env: Record<string, string>;
}

/** Undefined for a command that is none in a terminal. */
function conversation(argv: readonly string[], caller: Caller): Promise<number> | undefined {
  const { command } = parseArgv(registry, argv);
  return command.interactive && RUNNERS[command.name] ? runForeground(argv, caller) : undefined;
}

/** The exit status. */
export async function runForeground(argv: readonly string[], { cwd, env }: Caller): Promise<number> {
  const end = argv.indexOf("--");
  const isJson = argv.slice(0, end < 0 ? argv.length : end).includes("--json");
  let words: Words = cliWords(find);
  let log: Log | undefined;
  const uncaught = (error: Error) => log?.("error", `uncaught: ${error.stack ?? error.message}`);
  try {
    const { command, args, session } = parseArgv(registry, argv);
    words = cliWords(find, command);
    const runner = await RUNNERS[command.name]?.();
    if (runner === undefined) throw new SondeError("INTERNAL", `${command.name} runs in the daemon`);
    log = openLog(places(env).logs, { kind: command.name });
    // Only watches: what is uncaught ends this process as ever.
    process.on("uncaughtExceptionMonitor", uncaught);
    return await runner(validate(command, args) as never, {
      cwd,
      env,
      session,
      isJson,
      argv,
      log,
      say: (told) => process.stderr.write(`${said(told, words).trimEnd()}\n`),
    });
  } catch (thrown) {
    const error = asSondeError(thrown).in(words);
    if (error.code === "INTERNAL")
      log?.("error", thrown instanceof Error ? (thrown.stack ?? "") : String(thrown));
    if (isJson) process.stdout.write(`${safeJson({ ok: false, error: error.toJSON() })}\n`);
    else process.stderr.write(safeErrorText(error));
    return exitStatus(error.code);
  } finally {
    process.off("uncaughtExceptionMonitor", uncaught);
  }
}
