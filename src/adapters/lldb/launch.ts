/** What lldb-dap is told to launch or attach to. */
import { execFile } from "node:child_process";
import { advice, blank, call, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { ownFile } from "../../util/own-file.ts";
import type { PathMap } from "../../util/path-map.ts";
import { executableOf, statOf } from "../../util/process-facts.ts";
import { doubleQuoted } from "../../util/shell-words.ts";
import type { AttachPlan, Host, LaunchPlan } from "../adapter.ts";
import { runnableOf } from "../native/runnable.ts";
import { isRust } from "../native/rust.ts";
import type { Fifos } from "./fifos.ts";
import { formatters } from "./formatters.ts";
import { type Copy, withoutEmptyPacks } from "./template-packs.ts";

/**
 * Half the time of a start goes into symbols of system libraries that nobody asks for. Nothing a project holds may run code: no
 * init file of its folder, no script beside its symbols.
 */
const SETTINGS = [
  "settings set symbols.enable-external-lookup false",
  "settings set target.preload-symbols false",
  "settings set target.load-cwd-lldbinit false",
  "settings set target.load-script-from-symbol-file false",
  "settings set target.process.stop-on-exec false",
  "settings set target.auto-apply-fixits false",
];

/** The parser of variable paths that LLDB 20 tries out loops for ever on `*(char **)p`; expressions do without it. */
const NO_PATH_PARSER = "settings set target.experimental.use-DIL false";
const PATH_PARSER_SINCE = 20;

/** The last turns of its server, to see how a program died: `exited` does not tell a signal from an exit code. */
export const PACKETS_SINCE = 19;
const KEEP_PACKETS = "log enable -h circular -b 6 gdb-remote process";

/** `lldb-dap send-event`. */
export const EVENTS_SINCE = 20;
/** In the target that is debugged, before breakpoints are set in it. */
const beginHits = (major: number) => `script lldb_hits.begin(${major >= EVENTS_SINCE ? "True" : "False"})`;

const LOADED = "script lldb_hits.loaded()";

function settingsFor(major: number): string[] {
  return [
    ...SETTINGS,
    ...(major >= PATH_PARSER_SINCE ? [NO_PATH_PARSER] : []),
    ...(major >= PACKETS_SINCE ? [KEEP_PACKETS] : []),
  ];
}

export interface Prepared {
  args: Record<string, unknown>;
  program?: string;
  rust: boolean;
  /** What LLDB reads in the program's place. */
  copy?: Copy;
}

/** LLDB is given the copy, and told that it stands for the program: that is what it starts, and finds in the process. */
async function readFrom(
  program: string | undefined,
  major: number,
): Promise<{ program?: string; preRunCommands: string[]; copy?: Copy }> {
  const copy = program === undefined ? undefined : await withoutEmptyPacks(program);
  if (program === undefined || copy === undefined) return { preRunCommands: [beginHits(major)] };
  const real = `lldb.SBFileSpec(bytes.fromhex("${Buffer.from(program).toString("hex")}").decode(), False)`;
  const preRunCommands = [
    beginHits(major),
    `script lldb.target.GetModuleAtIndex(0).SetPlatformFileSpec(${real})`,
  ];
  return { program: copy.path, preRunCommands, copy };
}

export async function launchArguments(
  plan: LaunchPlan,
  fifos: Fifos,
  host: Host,
  major: number,
): Promise<Prepared> {
  refuseTerminal(plan.extra);
  const what = await runnableOf(plan, host);
  const rust = isRust(what.program);
  const initCommands = [
    ...settingsFor(major),
    "settings set target.inherit-env false",
    `settings set target.input-path "${fifos.stdin}"`,
    ...(fifos.stdout === undefined ? [] : [`settings set target.output-path "${fifos.stdout}"`]),
    `settings set target.error-path "${fifos.stderr}"`,
    ...sourceMap(plan.pathMap),
    ...(await formatters(rust, host.where)),
    ...moreRoom(fifos),
  ];
  const { copy, ...read } = await readFrom(rust ? undefined : what.program, major);
  const args = {
    program: what.program,
    ...read,
    args: what.args,
    cwd: what.cwd,
    env: Object.entries(what.env).map(([name, value]) => `${name}=${value}`),
    disableASLR: await mayFixAddresses(),
    initCommands,
  };
  return { args: withExtra(args, plan.extra), program: what.program, rust, ...(copy && { copy }) };
}

/** Only on Linux is its standard output read by us. */
function moreRoom({ stdout, stderr }: Fifos): string[] {
  if (stdout === undefined) return [];
  const paths = [stdout, stderr].map((path) => JSON.stringify(path)).join(", ");
  return [
    `command script import "${ownFile("adapters/lldb/lldb_streams.py")}"`,
    `script lldb_streams.widen(${paths})`,
  ];
}

/** lldb-dap would start the program by another of its kind, out of our reach, and the program would not have the streams we read. */
function refuseTerminal({ runInTerminal, console }: Record<string, unknown>): void {
  const named = typeof console === "string" && console.endsWith("Terminal") ? "console" : undefined;
  const key = runInTerminal === true ? "runInTerminal" : named;
  if (key === undefined) return;
  throw new SondeError(
    "BAD_ARGUMENT",
    advice`${option({ adapterArguments: undefined })}: ${key} needs a terminal, and there is none`,
    {
      hint: advice`omit it: the program's output is in every answer and in ${call("output")}, and ${call("input", { text: blank("text") })} gives it a line to read`,
    },
  );
}

export async function attachArguments(plan: AttachPlan, host: Host, major: number): Promise<Prepared> {
  const { pid, core, host: name, port } = plan;
  const program = plan.program ?? (pid === undefined ? undefined : executableOf(pid));
  const rust = program !== undefined && isRust(program);
  const { copy, ...read } = await readFrom(rust || pid === undefined ? undefined : program, major);
  const args = {
    ...(program === undefined ? {} : { program }),
    ...read,
    ...(pid === undefined ? {} : { pid }),
    ...(core === undefined ? {} : { coreFile: core }),
    // It runs a call in the program, which would take the signal that halted it as delivered.
    postRunCommands: pid !== undefined && statOf(pid)?.state === "T" ? [] : [LOADED],
    ...(port === undefined ? {} : { "gdb-remote-port": port, "gdb-remote-hostname": name ?? "127.0.0.1" }),
    initCommands: [
      ...settingsFor(major),
      ...sourceMap(plan.pathMap),
      ...(await formatters(rust, host.where)),
    ],
  };
  return {
    args: withExtra(args, plan.extra),
    ...(program === undefined ? {} : { program }),
    rust,
    ...(copy && { copy }),
  };
}

function sourceMap(map: PathMap = []): string[] {
  const words = map.flatMap(({ from, to }) => [from, to]).map(doubleQuoted);
  return words.length === 0 ? [] : [`settings set target.source-map ${words.join(" ")}`];
}

/** The user's own arguments win; their commands come after ours. */
function withExtra(
  args: Record<string, unknown> & {
    initCommands: string[];
    preRunCommands?: string[];
    postRunCommands?: string[];
  },
  extra: Record<string, unknown>,
): Record<string, unknown> {
  const more = (name: string): unknown[] => (Array.isArray(extra[name]) ? extra[name] : []);
  return {
    ...args,
    enableAutoVariableSummaries: true, // `{x:1, y:2}`, not the name of the type
    ...extra,
    initCommands: [...args.initCommands, ...more("initCommands")],
    preRunCommands: [...(args.preRunCommands ?? []), ...more("preRunCommands")],
    postRunCommands: [...(args.postRunCommands ?? [LOADED]), ...more("postRunCommands")],
  };
}

let fixing: Promise<boolean> | undefined;

/** Containers often forbid to turn address randomisation off, and a launch that asks for it fails there. */
function mayFixAddresses(): Promise<boolean> {
  fixing ??= new Promise((done) => {
    execFile("setarch", ["-R", "true"], (error) =>
      done(error === null || (error as NodeJS.ErrnoException).code === "ENOENT"),
    );
  });
  return fixing;
}
