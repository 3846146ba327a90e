/** status, sessions. */
import * as z from "zod";
import type { Launch } from "../../session/launch.ts";
import { haltedOutside } from "../../session/processes/alive.ts";
import { type Session, sessionOf } from "../../session/session.ts";
import { knownPlace } from "../../session/stack/snapshot.ts";
import { oneLine, plural } from "../../util/text.ts";
import { owner, told } from "../answers/shapes.ts";
import { endingText } from "../answers/snapshot-text.ts";
import { haltedText, lines, shortPath, type TextOptions } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";

const sessionRow = z.object({
  name: z.string(),
  state: z.string(),
  ending: z.string().optional(),
  adapter: z.string(),
  kind: z.enum(["launch", "attach"]),
  program: z.string(),
  pid: z.number().optional(),
  cwd: z.string(),
  breakpoints: z.number(),
  children: z.number(),
  /** The agent's run that started it (`sonde agent run`). */
  agent: z.string().optional(),
  owner,
  startedAt: z.number().describe("milliseconds since 1970"),
  launch: z.string().exactOptional().describe("for the page: which session of this name it is"),
  stop: z
    .object({
      number: z.number().describe("how often it has stopped"),
      at: z.number(),
      reason: z.string(),
      path: z.string().exactOptional(),
      line: z.number().exactOptional(),
      function: z.string().exactOptional(),
    })
    .exactOptional()
    .describe("where it stands, while it is stopped"),
  /** Processes that would run, but for a signal from outside. */
  halted: z.array(z.number()).optional(),
  /** What no answer has said yet. */
  notes: z.array(told()).optional(),
});

function programOf({ opening }: Launch): string {
  if (opening.request === "attach") {
    const { core, pid, port } = opening.plan;
    if (core !== undefined) return "core file";
    return pid === undefined ? `attached to port ${port}` : "attached";
  }
  return opening.plan.program ?? opening.plan.command?.join(" ") ?? "?";
}

export function sessionRowOf(context: Context, launch: Launch): z.infer<typeof sessionRow> {
  const session = sessionOf(launch);
  const halted = session ? haltedOutside(session) : [];
  return {
    name: launch.name,
    state: launch.stateName,
    ending: launch.ended ? endingText(launch.ended) : undefined,
    adapter: launch.adapter.name,
    kind: launch.opening.request,
    program: programOf(launch),
    pid: launch.pid,
    cwd: launch.cwd,
    breakpoints: session?.breakpoints.list().length ?? 0,
    children: Math.max(0, (session?.live.length ?? 0) - 1),
    ...(launch.agentRun === undefined ? {} : { agent: launch.agentRun }),
    owner: context.hands(launch).owner,
    startedAt: launch.startedAt,
    ...(context.peeks ? { launch: launch.id } : {}),
    ...stopOf(session),
    ...(halted.length === 0 ? {} : { halted }),
    ...(launch.notes.untold.length === 0 ? {} : { notes: [...launch.notes.untold] }),
  };
}

function stopOf(session: Session | undefined): Pick<z.infer<typeof sessionRow>, "stop"> {
  const stop = session?.stateName === "stopped" ? session.focus.debuggee.stop : undefined;
  if (session === undefined || stop === undefined) return {};
  const frame = knownPlace(session);
  const { count: number, at } = session.stopped;
  const { path, line, function: name } = frame ?? {};
  return {
    stop: {
      number,
      at,
      reason: stop.reason,
      ...(path === undefined ? {} : { path }),
      ...(line === undefined ? {} : { line }),
      ...(name === undefined ? {} : { function: name }),
    },
  };
}

function rowText(row: z.infer<typeof sessionRow>, { cwd, say }: TextOptions): string {
  const pid = row.pid === undefined || row.ending ? "" : `  pid ${row.pid}`;
  const children = row.children > 0 ? `  +${plural(row.children, "child", "children")}` : "";
  const halted = row.halted?.map((one) => `\n  ${haltedText(one)}`).join("") ?? "";
  const taken = row.owner.who === "person" ? "  (taken over by a person)" : "";
  const notes = row.notes?.map((note) => `\n  note: ${oneLine(say(note))}`).join("") ?? "";
  return `${row.name}  ${row.ending ?? row.state}  ${shortPath(row.program, cwd)}  (${row.adapter})${pid}${taken}${children}${row.agent === undefined ? "" : `  agent: ${row.agent}`}${halted}${notes}`;
}

export const sessions = command({
  name: "sessions",
  summary: "list all sessions, the most recently used first",
  group: "session",
  skill: true,
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({ sessions: z.array(sessionRow) }),
  library: { name: "sonde.sessions" },
  mcp: { tool: "inspect", action: "sessions" },
  run: async (context) => ({ sessions: context.launches.map((one) => sessionRowOf(context, one)) }),
  text: (result, options) =>
    result.sessions.length === 0
      ? "no sessions\n"
      : lines(result.sessions.map((row) => rowText(row, options))),
});

export const status = command({
  name: "status",
  summary: "show the daemon (pid, version, memory) and its sessions",
  group: "session",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    daemon: z.object({ pid: z.number(), version: z.string(), uptimeSecs: z.number(), memoryMb: z.number() }),
    sessions: z.array(sessionRow),
  }),
  run: async (context) => ({
    daemon: {
      pid: context.daemon.pid,
      version: context.daemon.version,
      uptimeSecs: Math.round((performance.now() - context.daemon.began) / 1000),
      memoryMb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    },
    sessions: context.launches.map((one) => sessionRowOf(context, one)),
  }),
  text: ({ daemon, sessions: rows }, options) =>
    lines(
      `daemon: running  pid ${daemon.pid}  version ${daemon.version}  up ${daemon.uptimeSecs} s  ${daemon.memoryMb} MB`,
      rows.length === 0 ? "sessions: none" : rows.map((row) => rowText(row, options)),
    ),
});
