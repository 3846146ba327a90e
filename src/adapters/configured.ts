/** An adapter that is nothing but configuration: `[adapters.<name>]` with a command, and no code of ours. */
import { advice, blank, call } from "../advice/advice.ts";
import type { Transport } from "../dap/transport.ts";
import { SondeError } from "../errors.ts";
import type { Adapter, AttachPlan, Connection, Host, LaunchPlan, Task } from "./adapter.ts";
import { onPath, toolOnPath } from "./kit/find.ts";
import { dial, overCallback, overItsPort, overStdio } from "./kit/process.ts";
import { ADAPTERS } from "./registry.ts";

export interface ConfiguredSettings {
  command?: string | undefined;
  args?: string[] | undefined;
  /** How it is reached: its own stdin and stdout; a port it listens on; a port of ours that it calls. The last two find it as `{port}` in `args`. */
  transport?: "stdio" | "tcp" | "callback" | undefined;
  file_types?: string[] | undefined;
  languages?: string[] | undefined;
  launch?: Record<string, unknown> | undefined;
  attach?: Record<string, unknown> | undefined;
  env?: Record<string, string> | undefined;
}

/** Those of a configuration that are new; the others are places of adapters sonde knows. */
export function configuredAdapters(all: Record<string, ConfiguredSettings>): Adapter[] {
  const fresh = Object.entries(all).filter(([name]) => !ADAPTERS.some((one) => one.name === name));
  return fresh.map(([name, settings]) => configuredAdapter(name, settings));
}

function configuredAdapter(name: string, settings: ConfiguredSettings): Adapter {
  const { command = "", languages = [], file_types: fileTypes = [] } = settings;
  const alike = ADAPTERS.find(
    (one) =>
      one.languages.some((language) => languages.includes(language)) ||
      one.fileTypes.some((type) => fileTypes.includes(type)),
  );
  return {
    name,
    title: name,
    listens: listensOf(settings),
    languages,
    fileTypes,
    commands: [],
    catches: {},
    defaultCatches: [],
    unsupported: {},
    custom: [],
    recipes: [],
    byHand: `adapters.${name}.command in the configuration file names its executable`,
    ...(alike?.sample === undefined ? {} : { sample: alike.sample }),
    ...(alike?.builds === undefined ? {} : { builds: alike.builds }),
    async find(where) {
      const path = toolOnPath(command, where);
      return path === undefined
        ? { ok: false, reason: `there is no ${command} (adapters.${name}.command)` }
        : { ok: true, version: "configured", path };
    },
    async open(task, host) {
      return { transport: await reach(name, settings, task, host), ...requestOf(name, settings, task, host) };
    },
  };
}

/** Of one that listens itself we know nothing but that. */
function listensOf({ transport }: ConfiguredSettings): Adapter["listens"] {
  if (transport === undefined || transport === "stdio") return [];
  const where = "127.0.0.1, a free port";
  return transport === "tcp"
    ? [
        {
          where,
          holder: "the adapter, as long as the session lives",
          stops: "only what the adapter itself checks",
        },
      ]
    : [
        {
          where,
          holder: "sonde, until it has connected",
          stops: "it accepts only a process of the same user",
        },
      ];
}

async function reach(name: string, settings: ConfiguredSettings, task: Task, host: Host): Promise<Transport> {
  const { plan } = task.request === "child" ? task.parent : task;
  const port = task.request === "attach" ? task.plan.port : undefined;
  // Who listens there speaks DAP itself, unless the configuration passes the port on.
  if (port !== undefined && !JSON.stringify(settings.attach ?? {}).includes("${port}"))
    return dial(host, { host: (plan as AttachPlan).host ?? "127.0.0.1", port });
  const command = (given?: number) => ({
    command: host.found.path,
    args: (settings.args ?? []).map((one) => one.replaceAll("{port}", String(given ?? "{port}"))),
    cwd: plan.cwd,
    env: { ...plan.env, ...settings.env },
  });
  if (settings.transport === "callback") {
    const portOf = (address: string) => Number(address.split(":").at(-1));
    return (await overCallback(host, (address) => command(portOf(address)), name)).transport;
  }
  if (settings.transport !== "tcp") return (await overStdio(host, command(), name)).transport;
  return overItsPort(host, task.request === "child", command, name);
}

function requestOf(
  name: string,
  settings: ConfiguredSettings,
  task: Task,
  host: Host,
): Pick<Connection, "request" | "args"> {
  if (task.request === "child") return { request: task.start, args: task.configuration };
  const { request, plan } = task;
  const known = request === "launch" ? launchValues(name, plan, host) : attachValues(plan);
  const usual = request === "launch" ? known : { ...known, processId: plan.pid };
  const defaults = filled((request === "launch" ? settings.launch : settings.attach) ?? {}, known);
  const args = { type: name, request, name, ...usual, ...(defaults as object), ...plan.extra };
  return {
    request,
    args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
  };
}

type Values = Record<string, unknown>;

function launchValues(name: string, plan: LaunchPlan, host: Host): Values {
  const { command, cwd, env, stopOnEntry } = plan;
  if (command === undefined) return { program: plan.program, args: plan.args, cwd, env, stopOnEntry };
  const [first = "", ...args] = command;
  const program = onPath(first, host.where);
  if (program === undefined)
    throw new SondeError("BAD_ARGUMENT", `${name} needs a program file, and there is no ${first}`, {
      hint: advice`${call("start", { program: blank("program"), adapter: name, args: [blank("its arguments")] })}`,
    });
  return { program, args, cwd, env, stopOnEntry };
}

function attachValues({ pid, host, port, program, core, cwd }: AttachPlan): Values {
  return { pid, host, port, program, coreFile: core, cwd };
}

/** `"${args}"` alone becomes the list itself, inside other text its words; what is not known of this start is left out. */
function filled(value: unknown, known: Values): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, known)).filter((one) => one !== undefined);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, one]) => [key, filled(one, known)] as const)
        .filter(([, one]) => one !== undefined),
    );
  if (typeof value !== "string") return value;
  const whole = PLACEHOLDER.exec(value);
  if (whole?.[0] === value) return known[whole[1] ?? ""];
  return value.replace(new RegExp(PLACEHOLDER, "g"), (_, key: string) => words(known[key]));
}

const PLACEHOLDER = /\$\{(program|args|cwd|env|pid|port)\}/;

function words(value: unknown): string {
  if (value === undefined) return "";
  return Array.isArray(value)
    ? value.join(" ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}
