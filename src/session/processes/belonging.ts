/**
 * Which process of ours a number means that a program gave us as its own. In a container, or wherever numbers are counted anew, it
 * says a number that here is a stranger's, who must not be ended or moved for it.
 */
import { existsSync, readFileSync } from "node:fs";
import { descendantsOf } from "./descendants.ts";
import type { LaunchGroup } from "./launch-group.ts";
import { environmentOf, type LaunchMark } from "./launch-mark.ts";

export interface Launch {
  mark: LaunchMark;
  group: LaunchGroup | undefined;
  /** Processes that are known to be of it. */
  roots: readonly number[];
}

/** The number it has here; nothing if no process of the launch says that of itself. Where there is no /proc it is believed. */
export function numberHere(said: number, launch: Launch): number | undefined {
  if (!existsSync("/proc/self/status")) return said;
  if (belongs(said, launch)) return said;
  return membersOf(launch).find((pid) => namesOf(pid).slice(1).at(-1) === said);
}

function belongs(pid: number, { mark, group, roots }: Launch): boolean {
  return (
    roots.includes(pid) ||
    parentOf(pid) === process.pid ||
    mark.isOn(environmentOf(pid)) ||
    group?.pids().includes(pid) === true ||
    descendantsOf(roots).some((one) => one.pid === pid)
  );
}

function membersOf({ mark, group, roots }: Launch): number[] {
  return [
    ...new Set([...mark.found(), ...(group?.pids() ?? []), ...descendantsOf(roots).map(({ pid }) => pid)]),
  ];
}

/** Its number here, and in each count that it is in besides. */
function namesOf(pid: number): number[] {
  const line = /^NSpid:\s*(.*)$/m.exec(statusOf(pid))?.[1] ?? "";
  return line.split(/\s+/).map(Number);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(statusOf(pid))?.[1]);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1");
  } catch {
    return ""; // gone
  }
}
