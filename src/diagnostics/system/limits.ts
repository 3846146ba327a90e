/** What the system lets a debugger and a profiler do here. Left out where the system has no such limit. */
import { ptraceScope } from "../../util/process-facts.ts";
import { systemText } from "./machine.ts";

export interface SystemLimits {
  /** Of the daemon. */
  openFiles?: number | "unlimited";
  /** Who may attach to whom (Yama): 0 to 3. */
  ptraceScope?: number;
  /** What may be profiled: -1 to 4. */
  perfEventParanoid?: number;
}

export function systemLimits(): SystemLimits {
  const openFiles = openFilesIn(systemText("/proc/self/limits") ?? "");
  const scope = ptraceScope();
  const paranoid = systemText("/proc/sys/kernel/perf_event_paranoid");
  return {
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(scope === undefined ? {} : { ptraceScope: scope }),
    ...(paranoid === undefined ? {} : { perfEventParanoid: Number(paranoid) }),
  };
}

function openFilesIn(limits: string): number | "unlimited" | undefined {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (soft === undefined) return undefined;
  return soft === "unlimited" ? soft : Number(soft);
}
