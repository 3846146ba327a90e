/** What this machine is. */
import { arch, availableParallelism, cpus, freemem, release, totalmem, type } from "node:os";
import { readSmallFile } from "../../util/small-file.ts";

export interface Machine {
  os: string;
  /** Of Linux, as it calls itself. */
  distribution?: string;
  arch: string;
  /** "unknown" where the system does not say. */
  cpu: string;
  cores: number;
  memory: { totalBytes: number; freeBytes: number };
}

export function machine(): Machine {
  const distribution = distributionOf(
    systemText("/etc/os-release") ?? systemText("/usr/lib/os-release") ?? "",
  );
  return {
    os: `${type()} ${release()}`,
    ...(distribution === undefined ? {} : { distribution }),
    arch: arch(),
    cpu: cpuOf(cpus()),
    cores: availableParallelism(),
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
  };
}

/** Some virtual machines and boards list their processors without a model, or list none. */
export function cpuOf(processors: readonly { model: string }[]): string {
  return processors[0]?.model.trim() || "unknown";
}

/** `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"` */
export function distributionOf(release: string): string | undefined {
  const field = (name: string) => new RegExp(`^${name}=(["']?)(.*)\\1\\s*$`, "m").exec(release)?.[2];
  return field("PRETTY_NAME") || field("NAME") || undefined;
}

const LONGEST = 64 << 10;

/** Nothing where there is no such file. */
export function systemText(path: string): string | undefined {
  try {
    return readSmallFile(path, LONGEST);
  } catch {
    return undefined;
  }
}
