/** The escape hatches: modules, sources, raw, request, capabilities, complete, reload. */
import { resolve } from "node:path";
import * as z from "zod";
import { advice, named } from "../../advice/advice.ts";
import {
  askAdapter,
  complete,
  loadedSources,
  modules,
  reloadSource,
  runRaw,
} from "../../session/adapter-requests.ts";
import { cut, oneLine, plural, visible } from "../../util/text.ts";
import { lines, shortPath } from "../answers/text.ts";
import { command } from "../define.ts";

export const sourcesCommand = command({
  name: "sources",
  summary: "list the source files the program has loaded",
  group: "adapter",
  needs: "live",
  supports: "supportsLoadedSourcesRequest",
  effect: "reads",
  args: z.object({ grep: z.string().optional().describe("only paths that contain this") }),
  result: z.object({ sources: z.array(z.string()), total: z.number() }),
  mcp: { tool: "inspect", action: "loaded_sources" },
  run: async ({ session }, { grep }) => {
    const all = await loadedSources(session);
    const found = grep === undefined ? all : all.filter((path) => path.includes(grep));
    return { sources: found.slice(0, 200), total: found.length };
  },
  text: ({ sources, total }, options) =>
    lines(
      sources.map((path) => shortPath(path, options.cwd)),
      total > sources.length
        ? options.say(advice`(+${total - sources.length} more: ${named("grep")})`)
        : `(${plural(total, "source")})`,
    ),
});

export const modulesCommand = command({
  name: "modules",
  summary: "list the libraries and modules the program has loaded",
  group: "adapter",
  needs: "live",
  supports: "supportsModulesRequest",
  effect: "reads",
  args: z.object({
    start: z.number().int().nonnegative().optional().describe("first one").meta({ mcp: "start_module" }),
    count: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("how many (default: all)")
      .meta({ mcp: "module_count" }),
  }),
  result: z.object({
    modules: z.array(
      z.object({ name: z.string(), path: z.string().optional(), version: z.string().optional() }),
    ),
    start: z.number(),
    total: z.number(),
  }),
  mcp: { tool: "inspect", action: "modules", takes: ["start", "count"] },
  run: async ({ session }, { start = 0, count }) => {
    const all = await modules(session);
    return {
      modules: all.slice(start, count === undefined ? undefined : start + count),
      start,
      total: all.length,
    };
  },
  text: (result, options) =>
    lines(
      result.modules.map((one) =>
        [one.name, one.version, one.path && shortPath(one.path, options.cwd)].filter(Boolean).join("  "),
      ),
      result.modules.length < result.total && `(${shownRange(result)} of ${result.total} modules)`,
    ),
});

function shownRange({ modules, start }: { modules: readonly unknown[]; start: number }): string {
  return modules.length === 0 ? "none" : `${start} to ${start + modules.length - 1}`;
}

export const raw = command({
  name: "raw",
  summary: "run a command of the underlying debugger (gdb, LLDB …)",
  group: "adapter",
  needs: "live",
  effect: "changes",
  args: z.object({
    command: z.string().describe("passed to the debugger unchanged").meta({ mcp: "expression" }),
  }),
  result: z.object({ output: z.string() }),
  cli: { positionals: ["command"], join: true, expression: true },
  mcp: {
    tool: "debug",
    action: "evaluate",
    takes: ["command"],
    when: { name: "context", values: ["raw"] },
  },
  run: async ({ session }, args) => ({ output: await runRaw(session, args.command) }),
  text: ({ output }) => `${visible(output)}\n`,
});

export const request = command({
  name: "request",
  summary: "send any Debug Adapter Protocol request, unchanged",
  group: "adapter",
  needs: "live",
  effect: "changes",
  args: z.object({
    command: z.string().describe("the request's name"),
    arguments: z.record(z.string(), z.unknown()).optional().describe("its arguments, as JSON"),
  }),
  result: z.object({ body: z.unknown() }),
  cli: { positionals: ["command", "arguments"] },
  library: { name: "session.request", given: ["command", "arguments"] },
  mcp: { tool: "debug", action: "custom_request", takes: ["command", "arguments"], brief: "command (DAP)." },
  examples: [`sonde request threads`, `sonde request evaluate '{"expression":"1+1"}'`],
  run: async ({ session }, args) => ({ body: await askAdapter(session, args.command, args.arguments) }),
  text: ({ body }) => `${cut(JSON.stringify(body ?? {}, null, 1), 16_000)}\n`,
});

export const capabilities = command({
  name: "capabilities",
  summary: "list what the adapter says it can do",
  group: "adapter",
  needs: "live",
  effect: "reads",
  args: z.object({}),
  result: z.object({ adapter: z.string(), capabilities: z.record(z.string(), z.unknown()) }),
  library: { name: "session.capabilities" },
  run: async ({ session }) => ({
    adapter: session.adapter.name,
    capabilities: { ...session.focus.debuggee.capabilities },
  }),
  text: (result) => {
    const yes = Object.entries(result.capabilities).filter(([, value]) => value === true);
    const filters =
      (result.capabilities.exceptionBreakpointFilters as { filter: string }[] | undefined) ?? [];
    return lines(
      `adapter ${result.adapter}`,
      yes.map(([key]) => `  ${key.replace(/^supports?/, "").replace(/Request$/, "")}`),
      filters.length > 0 && `exception filters: ${filters.map((one) => one.filter).join(", ")}`,
    );
  },
});

/** Of an expression that is still being typed. */
const MOST_TYPED = 1000;

export const completeCommand = command({
  name: "complete",
  summary: "list names that can complete an expression",
  group: "adapter",
  needs: "stopped",
  supports: "supportsCompletionsRequest",
  effect: "reads",
  watchable: () => false,
  args: z.object({
    text: z
      .string()
      .max(MOST_TYPED, `at most ${MOST_TYPED} characters`)
      .describe("the expression so far: `user.na`"),
  }),
  result: z.object({ names: z.array(z.string()) }),
  cli: { positionals: ["text"], join: true, expression: true },
  run: async ({ session, onlyLooks }, { text }) => {
    const refusal = session.adapter.runsNothing?.completions ? undefined : onlyLooks(session.launch);
    if (refusal !== undefined) throw refusal;
    return { names: await complete(session, text) };
  },
  text: ({ names }) =>
    names.length === 0
      ? "nothing fits\n"
      : lines(names.slice(0, 100).map(oneLine), names.length > 100 && `(+${names.length - 100} more)`),
});

export const reload = command({
  name: "reload",
  summary: "load a file's new text into the running program (live edit), if the adapter supports it",
  group: "adapter",
  needs: "live",
  effect: "changes",
  args: z.object({ file: z.string().describe("a source file the program has loaded") }),
  result: z.object({ path: z.string(), status: z.string() }),
  cli: { positionals: ["file"] },
  run: async ({ session, cwd }, { file }) => {
    const path = resolve(cwd, file);
    return { path, status: await reloadSource(session, path) };
  },
  text: ({ path, status }, options) => `reloaded: ${shortPath(path, options.cwd)}  ${oneLine(status)}\n`,
});
