/** What this machine is. */
import { arch, availableParallelism, cpus, freemem, release, totalmem, type } from "node:os";

export interface Machine {
  os: string;
  arch: string;
  /** "unknown" where the system does not say. */
  cpu: string;
  cores: number;
  memory: { totalBytes: number; freeBytes: number };
}

export function machine(): Machine {
  return {
    os: `${type()} ${release()}`,
    arch: arch(),
    cpu: cpus()[0]?.model.trim() || "unknown",
    cores: availableParallelism(),
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
  };
}
