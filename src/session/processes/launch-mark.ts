/**
 * A mark in the environment of what a launch starts. Every descendant inherits it, so a process that left its group and lost
 * its parents (a daemon) is still known as ours, and a stranger never is. Where there is no /proc nothing is found.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { processIds } from "../../util/process-facts.ts";

export const MARK_VARIABLE = "SONDE_LAUNCH";

export class LaunchMark {
  readonly value = randomUUID();

  on(env: Record<string, string>): Record<string, string> {
    return { ...env, [MARK_VARIABLE]: this.value };
  }

  /** Pids of the living that carry it. */
  found(): number[] {
    return processIds().filter((pid) => this.isOn(environmentOf(pid)));
  }

  isOn(environment: string): boolean {
    return environment.split("\0").includes(`${MARK_VARIABLE}=${this.value}`);
  }
}

export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return ""; // gone meanwhile, or another user's
  }
}
