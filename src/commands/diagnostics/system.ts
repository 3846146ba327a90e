/** system: what Sonde runs on. */
import * as z from "zod";
import { shownEnvironment } from "../../diagnostics/system/environment.ts";
import { systemLimits } from "../../diagnostics/system/limits.ts";
import { machine } from "../../diagnostics/system/machine.ts";
import { nodeOnPath } from "../../diagnostics/system/node-on-path.ts";
import { maskSecrets } from "../../util/secrets/mask.ts";
import { cut, oneLine, plural, sizeText } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";

const result = z.object({
  os: z.string(),
  distribution: z.string().exactOptional(),
  arch: z.string(),
  cpu: z.string().describe("unknown where the system does not say"),
  cores: z.number(),
  memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
  sonde: z.string(),
  build: z.string(),
  node: z.string().describe("which the daemon runs on"),
  nodeOnPath: z
    .object({ path: z.string(), version: z.string() })
    .exactOptional()
    .describe("if it is another"),
  adapters: z.array(
    z.object({
      name: z.string(),
      found: z.boolean(),
      version: z.string().exactOptional(),
      path: z.string().exactOptional(),
    }),
  ),
  cwd: z.string(),
  shell: z.string(),
  terminal: z.string(),
  limits: z.object({
    openFiles: z.union([z.number(), z.literal("unlimited")]).exactOptional(),
    ptraceScope: z.number().exactOptional(),
    perfEventParanoid: z.number().exactOptional(),
  }),
  environment: z.object({
    shown: z.record(z.string(), z.string()),
    hidden: z.array(z.string()).describe("names of the others: their values are never shown"),
  }),
});

export type System = z.infer<typeof result>;

export async function systemOf(context: Context): Promise<System> {
  const { env, cwd, daemon, signal } = context;
  const [other, adapters] = await Promise.all([nodeOnPath(env, signal), context.adapters()]);
  return {
    ...machine(),
    sonde: daemon.version,
    build: daemon.build,
    node: process.version,
    ...(other === undefined ? {} : { nodeOnPath: other }),
    adapters: adapters.map(({ name, found, version, path }) => ({
      name,
      found,
      ...(version === undefined ? {} : { version }),
      ...(path === undefined ? {} : { path }),
    })),
    cwd,
    shell: said(env.SHELL),
    terminal: terminalOf(env),
    limits: systemLimits(),
    environment: shownEnvironment(env),
  };
}

/** Of the caller's. */
function terminalOf(env: Readonly<Record<string, string>>): string {
  const program = [env.TERM_PROGRAM, env.TERM_PROGRAM_VERSION].filter(Boolean).join(" ");
  return said([env.TERM, program && `(${program})`].filter(Boolean).join(" "));
}

function said(text: string | undefined): string {
  return maskSecrets(cut(text ?? "", 200)).text || "unknown";
}

export const system = command({
  name: "system",
  summary: "show the machine, the versions, and the environment variables that are safe to show",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result,
  mcp: { tool: "diagnose", action: "system" },
  run: systemOf,
  text: (shown) => {
    const { os, distribution, arch, cpu, cores, memory, sonde, node, nodeOnPath: other, adapters } = shown;
    const { cwd, shell, terminal, limits, environment } = shown;
    const found = adapters.filter((one) => one.found);
    const missing = adapters.filter((one) => !one.found);
    return lines(
      oneLine(`os: ${os}${distribution === undefined ? "" : ` (${distribution})`} ${arch}`),
      oneLine(`cpu: ${cpu}, ${plural(cores, "core")}`),
      `memory: ${sizeText(memory.totalBytes)}, ${sizeText(memory.freeBytes)} free`,
      `sonde ${sonde}, node ${node}`,
      other && oneLine(`node on PATH: ${other.version} ${other.path}`),
      oneLine(
        `adapters: ${found.map(({ name, version }) => [name, version].join(" ").trim()).join(", ") || "none"}`,
      ),
      missing.length > 0 && `not installed: ${missing.map(({ name }) => name).join(", ")}`,
      oneLine(`folder: ${cwd}`),
      oneLine(`shell: ${shell}, terminal: ${terminal}`),
      limitsText(limits),
      environmentText(environment),
    );
  },
});

function limitsText({ openFiles, ptraceScope, perfEventParanoid }: System["limits"]): string | false {
  const parts = [
    openFiles !== undefined && `open files ${openFiles}`,
    ptraceScope !== undefined && `ptrace_scope ${ptraceScope}`,
    perfEventParanoid !== undefined && `perf_event_paranoid ${perfEventParanoid}`,
  ].filter(Boolean);
  return parts.length > 0 && `limits: ${parts.join(", ")}`;
}

/** The values are in `--json`. */
function environmentText({ shown, hidden }: System["environment"]): string {
  const safe = Object.keys(shown);
  return oneLine(
    `environment: ${plural(safe.length + hidden.length, "variable")}, ${safe.length} of them safe to show`,
  );
}
