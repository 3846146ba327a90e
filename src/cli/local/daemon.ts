/** `sonde daemon …`: for people who look after the daemon. Never starts one by accident. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILD, VERSION } from "../../client/build.ts";
import { Link } from "../../client/link.ts";
import { places } from "../../client/paths.ts";
import type { DaemonStatus } from "../../client/wire.ts";
import { SondeError } from "../../errors.ts";
import { entryText } from "../../util/log/entry.ts";
import { MOST_LINES, PAGE_ENTRIES, readLog } from "../../util/log/reader.ts";
import { safeJson } from "../../util/safe-json.ts";
import { print } from "../print.ts";

export async function daemonCommand(words: string[]): Promise<number> {
  const json = words.includes("--json");
  const [what, ...rest] = words.filter((word) => word !== "--json");
  if (what === "status") return status(json);
  if (what === "stop") return stop(json);
  if (what === "logs") return logs(rest, json);
  if (what === "run") return run();
  throw new SondeError(
    "BAD_ARGUMENT",
    what ? `daemon: no such command \`${what}\`` : "daemon: which command?",
    {
      hint: "sonde daemon status|stop|logs|run",
    },
  );
}

async function control(what: "status" | "stop"): Promise<DaemonStatus | undefined> {
  const link = new Link({ start: false });
  const reply = await link.ask({ id: 1, control: what }, {}, `\`sonde daemon ${what}\``);
  if (what === "stop") await link.connection?.whenClosed();
  return reply && "daemon" in reply ? reply.daemon : undefined;
}

async function status(json: boolean): Promise<number> {
  const daemon = await control("status");
  const data = daemon ? { running: true, ...daemon } : { running: false };
  return say(
    json,
    data,
    daemon ? describe(daemon) : "the daemon is not running; the next command starts it\n",
  );
}

function describe(daemon: DaemonStatus): string {
  const lines = [
    `daemon pid ${daemon.pid}, sonde ${daemon.version} (build ${daemon.build})`,
    `sessions ${daemon.sessions}, requests in flight ${daemon.requests}`,
    `up ${duration(daemon.uptimeSeconds)}, memory ${Math.round(daemon.memory / 1024 / 1024)} MB`,
    `log ${daemon.log}`,
  ];
  if (daemon.build !== BUILD)
    lines.push(`this command is a different build: sonde ${VERSION} (build ${BUILD})`);
  return `${lines.join("\n")}\n`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

async function stop(json: boolean): Promise<number> {
  const daemon = await control("stop");
  const data = daemon ? { stopped: true, pid: daemon.pid, sessions: daemon.sessions } : { stopped: false };
  const ended = daemon?.sessions
    ? `, ${daemon.sessions} session${daemon.sessions === 1 ? "" : "s"} ended`
    : "";
  return say(json, data, daemon ? `daemon ${daemon.pid} stopped${ended}\n` : "the daemon was not running\n");
}

/** The same as `sonde logs`, for when there is no daemon to ask. */
async function logs(words: string[], json: boolean): Promise<number> {
  const at = words.indexOf("--tail");
  const joined = words.find((word) => word.startsWith("--tail="))?.slice("--tail=".length);
  const asked = at === -1 ? joined : (words[at + 1] ?? "");
  const tail = asked === undefined ? PAGE_ENTRIES : Number(asked);
  if (!Number.isInteger(tail) || tail < 1 || tail > MOST_LINES) {
    throw new SondeError("BAD_ARGUMENT", `--tail takes a number from 1 to ${MOST_LINES}, not \`${asked}\``);
  }
  const { entries } = readLog(places().logs, { most: tail });
  const text = entries.map((entry) => `${entryText(entry)}\n`).join("");
  return say(json, { entries }, text || "the log is empty\n");
}

/** The daemon ends the process itself. */
async function run(): Promise<number> {
  await import(pathToFileURL(join(import.meta.dirname, "daemon.cjs")).href);
  return new Promise(() => {});
}

async function say(json: boolean, data: unknown, text: string): Promise<number> {
  await print(1, json ? `${safeJson({ ok: true, data })}\n` : text);
  return 0;
}
