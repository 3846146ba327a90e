/** An adapter that needs no code of its own: where it is, how it is started and reached, and what its launch is called. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { advice, blank, call } from "../../advice/advice.ts";
import type { Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import type { Adapter, AttachPlan, Found, Host, LaunchPlan, Task, Where } from "../adapter.ts";
import { type Dialect, speaking } from "./dialect.ts";
import { extensions } from "./editor-extensions.ts";
import { probe, toolOnPath, versionOf } from "./find.ts";
import { overItsPort, overStdio } from "./process.ts";

type Arguments = Record<string, unknown>;

/** What it has of an adapter; the rest is made from what it says here, or is empty. */
type Given = Pick<Adapter, "name" | "title" | "languages" | "byHand"> &
  Partial<Omit<Adapter, "find" | "open">>;

export interface Plain extends Given {
  /** Its names on the PATH. */
  names?: string[];
  /** How it tells its version, if it does. */
  version?: string[];
  /** Where it is below an editor's extension, or below Sonde's own folder for it. */
  files?: { extension?: string; path: string }[];
  /** Its own arguments; `{port}` where it is to listen, for one that does. */
  args?: string[];
  transport?: "stdio" | "tcp";
  launch(plan: LaunchPlan, host: Host): Arguments;
  attach?(plan: AttachPlan, host: Host): Arguments;
  dialect?(): Dialect;
}

export function plainAdapter(plain: Plain): Adapter {
  return {
    listens: [],
    fileTypes: [],
    commands: [],
    catches: {},
    defaultCatches: [],
    unsupported: {},
    custom: [],
    recipes: [],
    ...plain,
    find: (where) => find(plain, where),
    async open(task, host) {
      const { request, args } = requestOf(plain, task, host);
      const transport = await reach(plain, task, host);
      return { transport: plain.dialect ? speaking(transport, plain.dialect()) : transport, request, args };
    },
  };
}

async function find({ name, names = [], version, files = [] }: Plain, where: Where): Promise<Found> {
  const { settings, adapters } = where;
  const told = settings?.command;
  if (told !== undefined) {
    const path = existsSync(told) ? told : toolOnPath(told, where);
    return path === undefined
      ? { ok: false, reason: `there is no ${told}` }
      : { ok: true, version: "configured", path };
  }
  for (const path of names.flatMap((one) => toolOnPath(one, where) ?? [])) {
    const said = version === undefined ? undefined : await probe(path, version, where.env);
    return { ok: true, version: versionOf(said) ?? "unknown", path };
  }
  const places = files.flatMap(({ extension, path }) => [
    { path: join(adapters, name, path), version: "unknown" },
    ...(extension === undefined ? [] : extensions(extension, where)).map((one) => ({
      path: join(one.folder, path),
      version: one.version,
    })),
  ]);
  const there = places.find(({ path }) => existsSync(path));
  if (there) return { ok: true, ...there };
  const missing = names[0] === undefined ? [] : [`there is no ${names[0]} on the PATH`];
  const inEditor = files.some(({ extension }) => extension !== undefined);
  return {
    ok: false,
    reason:
      [...missing, ...(inEditor ? ["no editor has its extension installed"] : [])].join("; ") ||
      "it is not in Sonde's folder",
  };
}

function requestOf(plain: Plain, task: Task, host: Host): { request: "launch" | "attach"; args: Arguments } {
  if (task.request === "child") return { request: task.start, args: task.configuration };
  const { name } = plain;
  const asked = task.request === "launch" ? plain.launch(task.plan, host) : plain.attach?.(task.plan, host);
  if (asked === undefined)
    throw new SondeError("UNSUPPORTED", `the ${name} adapter cannot attach`, {
      hint: "start the program under sonde instead",
    });
  const args = { name, type: name, request: task.request, ...asked, ...task.plan.extra };
  return {
    request: task.request,
    args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
  };
}

async function reach(plain: Plain, task: Task, host: Host): Promise<Transport> {
  const { plan } = task.request === "child" ? task.parent : task;
  const { path } = host.found;
  const isScript = /\.[cm]?js$/.test(path);
  const command = (port?: number) => ({
    command: isScript ? process.execPath : path,
    args: [
      ...(isScript ? [path] : []),
      ...(host.where.settings?.args ?? plain.args ?? []).map((one) => one.replace("{port}", `${port ?? ""}`)),
    ],
    cwd: plan.cwd,
    env: plan.env,
  });
  if (plain.transport !== "tcp") return (await overStdio(host, command(), plain.title)).transport;
  if (!host.where.settings?.openPort) throw openToAll(plain);
  return overItsPort(host, task.request === "child", command, plain.title);
}

/** Whoever reaches such a port can have the adapter start any program, as the user it runs for. */
function openToAll({ name, title }: Plain): SondeError {
  return new SondeError(
    "PERMISSION",
    `${title} listens on a port through which any user of this machine can run programs as you`,
    {
      hint: advice`use another adapter (${call("adapters")} lists them); if only you use this machine, [adapters.${name}] open_port = true in the configuration allows it`,
    },
  );
}

/** The file to run, of a program or a command line such as `dart main.dart`. */
export function fileOf(plan: LaunchPlan, what: string): { file: string; args: string[] } {
  if (plan.program !== undefined) return { file: plan.program, args: plan.args };
  const words = (plan.command ?? []).slice(1);
  const at = words.findIndex((word) => !word.startsWith("-") && word !== "run");
  const file = words[at];
  if (file === undefined)
    throw new SondeError("BAD_ARGUMENT", `which ${what}?`, {
      hint: advice`${call("start", { program: blank(what), args: [blank("its arguments")] })}`,
    });
  return { file: join(file.startsWith("/") ? "/" : plan.cwd, file), args: words.slice(at + 1) };
}
