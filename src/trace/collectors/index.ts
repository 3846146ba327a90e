/** The collectors by name. Loaded when one is used: most runs need one of them. */
import type { Collector } from "../collector.ts";

const LOADERS: Record<string, () => Promise<Collector>> = {
  delve: async () => (await import("./delve/index.ts")).delve,
  gdb: async () => (await import("./gdb/index.ts")).gdb,
  lldb: async () => (await import("./lldb/index.ts")).lldb,
  "node-condition": async () => (await import("./node-condition/index.ts")).nodeCondition,
  "node-source": async () => (await import("./node-source/index.ts")).nodeSource,
  "python-condition": async () => (await import("./python-condition/index.ts")).pythonCondition,
  "python-source": async () => (await import("./python-source/index.ts")).pythonSource,
  perf: async () => (await import("./perf/index.ts")).perf,
  stops: async () => (await import("./stops/index.ts")).stops,
};

/** What any adapter can do. */
export const PLAIN = "stops";

export async function loadCollector(name: string): Promise<Collector> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`no collector called ${name}`);
  return load();
}
