/** `sonde doctor`: what this machine offers a debugger, what is missing, and what to type to get it. */
import { lstatSync, statSync } from "node:fs";
import type { Adapter, Helper } from "../../adapters/adapter.ts";
import { toolOnPath } from "../../adapters/kit/find.ts";
import { languageCalled, toolsOf } from "../../adapters/languages.ts";
import { ADAPTERS } from "../../adapters/registry.ts";
import { advice, blank, call, shell } from "../../advice/advice.ts";
import type { AdapterRow, Check, LanguageRow } from "../../commands/adapters/rows.ts";
import type { Health } from "../../commands/context.ts";
import { asSondeError } from "../../errors.ts";
import { ptraceScope } from "../../util/process-facts.ts";
import { loadConfig } from "../config/config.ts";
import { howToInstall, keyNaming, whereFor, whereOf } from "../launch/prepare.ts";
import type { Caller, EngineState } from "../types.ts";
import { adapterRows } from "./adapter-rows.ts";
import { rememberVerified, verify } from "./verify.ts";

const OLDEST_NODE = 20;

export async function examine(
  state: EngineState,
  caller: Caller,
  options: { verify: boolean },
): Promise<Health> {
  const adapters = await adapterRows(state, caller);
  if (options.verify) for (const row of adapters) if (row.found) row.trial = await trial(state, caller, row);
  const languages = languageRows(state, caller, adapters);
  return { checks: [...checks(state, caller, languages), ...unmet(state, adapters)], languages, adapters };
}

/** What the configuration asks for and the machine does not have. */
function unmet(state: EngineState, rows: readonly AdapterRow[]): Check[] {
  return state.adapters.flatMap((adapter): Check[] => {
    const row = rows.find((one) => one.name === adapter.name);
    const key = keyNaming(state, adapter);
    if (key === undefined || row === undefined || row.found) return [];
    return [
      {
        what: "configuration",
        state: "bad",
        text: advice`${key} names ${adapter.title}, which was not found: ${row.why ?? ""}`,
        fix: advice`fix it (${call("config")} shows the file), or ${howToInstall(adapter)}`,
      },
    ];
  });
}

function checks(state: EngineState, caller: Caller, languages: readonly LanguageRow[]): Check[] {
  const used = new Set(languages.filter(({ tools }) => tools.length > 0).map(({ language }) => language));
  const helpers = state.adapters.flatMap(({ languages: own, helpers = [] }) =>
    own.some((one) => used.has(one)) ? helpers : [],
  );
  return [
    node(),
    client(caller),
    runtimeFolder(state),
    configFile(state),
    ptrace(),
    ...helpers.map((one) => helper(one, caller)),
  ];
}

function node(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= OLDEST_NODE
    ? { what: "node", state: "ok", text: `${process.version}  ${process.execPath}` }
    : {
        what: "node",
        state: "bad",
        text: `${process.version} is too old`,
        fix: `install Node ${OLDEST_NODE} or newer`,
      };
}

function client(caller: Caller): Check {
  const perl = toolOnPath("perl", caller);
  return perl === undefined
    ? { what: "client", state: "note", text: "no perl: each command starts Node, which is slower" }
    : { what: "client", state: "ok", text: `${perl} makes commands faster` };
}

function runtimeFolder({ options }: EngineState): Check {
  const path = options.places.runtime;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    return {
      what: "runtime folder",
      state: "bad",
      text: `${path} is gone`,
      fix: advice`${shell("sonde daemon stop")}`,
    };
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  const ours = stats.uid === (process.getuid?.() ?? stats.uid);
  const tight = process.platform === "win32" || (stats.mode & 0o077) === 0;
  return ours && tight
    ? { what: "runtime folder", state: "ok", text: `${path}  mode ${mode}, yours` }
    : {
        what: "runtime folder",
        state: "bad",
        text: `${path}  mode ${mode}, owner uid ${stats.uid}`,
        fix: ours ? `chmod 700 ${path}` : "set SONDE_HOME to a folder of your own",
      };
}

function configFile({ options, startedAt }: EngineState): Check {
  const path = options.places.config;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { what: "configuration", state: "ok", text: `none, defaults  (${path})` };
  try {
    loadConfig(path);
  } catch (thrown) {
    const { message, hint } = asSondeError(thrown).told;
    return {
      what: "configuration",
      state: "bad",
      text: message,
      ...(hint === undefined ? {} : { fix: hint }),
    };
  }
  return stats.mtimeMs <= startedAt
    ? { what: "configuration", state: "ok", text: path }
    : {
        what: "configuration",
        state: "note",
        text: `${path} changed after the daemon read it`,
        fix: advice`${shell("sonde daemon stop")}, and the next command reads it`,
      };
}

/** Whether a debugger may take hold of a process that it did not start. */
function ptrace(): Check {
  const what = "ptrace";
  if (process.platform === "darwin")
    return {
      what,
      state: "note",
      text: "macOS asks before a debugger may attach to a process",
      fix: "`sudo DevToolsSecurity -enable` turns that off",
    };
  if (process.platform !== "linux") return { what, state: "ok", text: "not used on this system" };
  const scope = ptraceScope();
  if (scope === undefined)
    return { what, state: "ok", text: "no limit (no Yama): you can attach to your own processes" };
  const allow = "sudo sysctl -w kernel.yama.ptrace_scope=0";
  if (scope >= 3)
    return {
      what,
      state: "bad",
      text: `ptrace_scope is ${scope}: native debuggers cannot work`,
      fix: "set kernel.yama.ptrace_scope below 3 and reboot",
    };
  if (scope === 0 || process.getuid?.() === 0)
    return { what, state: "ok", text: `ptrace_scope is ${scope}${scope === 0 ? "" : ", and you are root"}` };
  return {
    what,
    state: "note",
    text: advice`ptrace_scope is ${scope}: ${call("start")} works; ${call("attach", { pid: blank("pid") })} only for ${untraced().join(", ")} and for debug servers`,
    fix: allow,
  };
}

/** Languages whose processes can be attached to all the same. */
function untraced(): string[] {
  return ADAPTERS.filter((one) => one.attachesWithoutPtrace)
    .flatMap(({ languages }) => languages)
    .map((name) => languageCalled(name)?.title ?? name);
}

function helper({ command, use, needing }: Helper, caller: Caller): Check {
  const path = toolOnPath(command, caller);
  return path === undefined
    ? {
        what: command,
        state: "note",
        text: advice`not found: ${needing} needs it`,
        fix: `install your system's package ${command}`,
      }
    : { what: command, state: "ok", text: `${path}  (used to ${use})` };
}

function languageRows(state: EngineState, caller: Caller, rows: readonly AdapterRow[]): LanguageRow[] {
  const names = [
    ...new Set(
      state.adapters.flatMap((one) => one.languages.map((name) => languageCalled(name)?.name ?? name)),
    ),
  ];
  return names.map((language) => {
    const tools = toolsOf(language, caller);
    const serving = rows.find(
      (row) => row.found && row.trial?.ok !== false && row.languages.includes(language),
    );
    if (serving) return { language, tools, adapter: serving.name };
    const best = bestFor(state.adapters, language);
    if (best === undefined) return { language, tools };
    return { language, tools, install: howToInstall(best), installable: best.recipes.length > 0 };
  });
}

function bestFor(adapters: readonly Adapter[], language: string): Adapter | undefined {
  const all = adapters.filter((one) => one.languages.includes(language));
  return all.find((one) => one.recipes.length > 0) ?? all[0];
}

/** Its sample program, debugged. */
async function trial(state: EngineState, caller: Caller, row: AdapterRow): Promise<AdapterRow["trial"]> {
  const adapter = state.adapters.find((one) => one.name === row.name);
  if (adapter === undefined) return undefined;
  const where = whereOf(state, adapter, whereFor(state, caller));
  const found = await adapter.find(where);
  if (!found.ok) return { ok: false, text: found.reason };
  if (!caller.quiet) caller.io.chunk(`trying ${adapter.name} …\n`);
  const signal = AbortSignal.any([caller.io.signal, state.closing]);
  const tried = { state, caller, adapter, found, where, signal };
  try {
    const { by, saw } = await verify(tried);
    rememberVerified(tried, by);
    return { ok: true, text: saw };
  } catch (thrown) {
    return { ok: false, text: asSondeError(thrown).told.message };
  }
}
