/**
 * Which process of ours is meant by a pid that a program reports as its own. In a container, or any other pid namespace, it reports a
 * number that may belong to a stranger here, and that stranger must not be killed or moved because of it.
 */
import { existsSync, readFileSync } from "node:fs";
import { descendantsOf } from "./descendants.ts";
import type { LaunchGroup } from "./launch-group.ts";
import { environmentOf, type LaunchMark } from "./launch-mark.ts";

export interface Launch {
  mark: LaunchMark;
  group: LaunchGroup | undefined;
  /** Processes that are known to belong to it. */
  roots: readonly number[];
}

/** The pid it has here; undefined if no process of the launch has the reported one. Without /proc the reported one is believed. */
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

/** Its pid here, then its pid in each nested namespace that it is in. */
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
