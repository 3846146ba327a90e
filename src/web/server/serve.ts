/** The page's server, a process of its own: started by `sonde ui`, gone a while after its last tab. */
import { once } from "node:events";
import type { Server } from "node:http";
import { Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { BUILD, VERSION } from "../../client/build.ts";
import { type Places, places } from "../../client/paths.ts";
import { makeRuntimeDir, type RuntimeDir } from "../../client/runtime-dir.ts";
import { releaseHanded } from "../../client/start-lock.ts";
import { asSondeError } from "../../errors.ts";
import { openLog } from "../../util/log/writer.ts";
import { wait } from "../../util/wait.ts";
import { type ControlAnswer, type ControlAsk, serveControl, withdraw } from "./control.ts";
import { Daemon } from "./daemon.ts";
import { PageFiles } from "./files.ts";
import { giveBack } from "./give-back.ts";
import { addressOf } from "./headers.ts";
import { listen } from "./http.ts";
import { Keys } from "./keys.ts";
import { Presence } from "./presence.ts";
import { READY_FD, UI_LOCK } from "./start.ts";
import { Tab } from "./tab.ts";
import { Topics } from "./topics.ts";

/** A person who has closed the last tab has nothing in hand any more; one that reloads it is back in a moment. */
const AWAY_MS = Number(process.env.SONDE_UI_AWAY_SECS ?? 30) * 1000;
const IDLE_MS = Number(process.env.SONDE_UI_IDLE_SECS ?? 600) * 1000;

/** How long a daemon that does not answer keeps us from ending. */
const GIVE_BACK_MS = 5_000;

const CLOSED = "the page was closed";

async function main(where: Places, dir: RuntimeDir, ready: (message: object) => void): Promise<void> {
  const log = openLog(where.logs, { kind: "ui" });
  const cwd = process.env.SONDE_UI_CWD ?? homedir();
  process.on("uncaughtException", (error) => log("error", `uncaught: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (reason) => log("error", `unhandled: ${String(reason)}`));
  const keys = new Keys();
  const daemon = new Daemon(where, true);
  const presence = new Presence(where);
  const topics = new Topics({ places: where, dir, daemon, cwd, onDaemon: () => presence.renew() });
  const tabs = new Set<Tab>();
  let idle: NodeJS.Timeout | undefined;
  let away: NodeJS.Timeout | undefined;
  let leaving = false;
  let http: Server | undefined;

  const leave = (why: string, told = "the page's server ended"): void => {
    if (leaving) return;
    leaving = true;
    log("info", `leaving: ${why}`);
    withdraw(dir);
    // The next one may want this port, and its tabs look for it there.
    http?.close();
    for (const tab of tabs) tab.close();
    void wait(giveBack(where, told), { timeoutMs: GIVE_BACK_MS }).finally(() => process.exit(0));
  };
  const rest = () => {
    clearTimeout(idle);
    clearTimeout(away);
    if (leaving) return;
    idle = tabs.size > 0 ? undefined : setTimeout(() => leave("no tab for a while", CLOSED), IDLE_MS);
    const hasHands = [...tabs].some(({ readOnly }) => !readOnly);
    presence.set(hasHands);
    away = hasHands ? undefined : setTimeout(() => void giveBack(where, CLOSED), AWAY_MS);
  };

  const { port, server } = await listen({
    port: Number(process.env.SONDE_UI_PORT ?? 0),
    files: new PageFiles(join(import.meta.dirname, "page")),
    keys,
    onTab: (socket, grant) => {
      const tab = new Tab({
        socket,
        grant,
        daemon,
        hello: { version: VERSION, readOnly: grant.readOnly, cwd: grant.from.cwd, home: homedir() },
        watch: (wanted, send) => topics.watch(wanted, send),
      });
      tabs.add(tab);
      const closed = keys.opened(grant);
      rest();
      socket.on("close", () => {
        closed();
        tabs.delete(tab);
        rest();
      });
    },
  });

  http = server;

  const answer = (ask: ControlAsk): ControlAnswer | undefined => {
    if (ask.ask === "status") return { port, pid: process.pid, tabs: tabs.size, build: BUILD };
    if (ask.ask === "stop") {
      leave("asked to stop");
      return { port, pid: process.pid, tabs: tabs.size, build: BUILD };
    }
    if (ask.ask !== "link") return undefined;
    if (leaving) return { leaving: true, port }; // who connected before has come too late
    const { from } = ask;
    if (ask.build !== BUILD || from === undefined || (ask.port !== undefined && ask.port !== port)) {
      leave(ask.build === BUILD ? "another port is wanted" : "another build is wanted");
      return { leaving: true, port };
    }
    rest();
    return { url: addressOf(port, keys.issue(ask.readOnly, from)), port, pid: process.pid };
  };
  const control = await serveControl(dir, answer);
  if (control === undefined) {
    ready({ ready: true }); // another is there: whoever started us asks it
    server.close();
    process.exit(0);
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => leave(signal));
  rest();
  log("info", `ready: sonde ${VERSION} (build ${BUILD}), pid ${process.pid}, port ${port}`);
  ready({ ready: true });
}

async function begin(): Promise<void> {
  const starter = new Socket({ fd: READY_FD });
  starter.on("error", () => {}); // whoever started us is gone, and the next one finds us
  // Until we are told that the lock is ours, another may be started.
  const told = await Promise.race([once(starter, "data"), once(starter, "end")]);
  if (told.length === 0) return;
  const where = places();
  const dir = makeRuntimeDir(where.runtime);
  const ready = (message: object) => {
    releaseHanded(dir.held, UI_LOCK);
    starter.end(`${JSON.stringify(message)}\n`);
  };
  await main(where, dir, ready).catch((thrown: unknown) => {
    ready({ error: asSondeError(thrown).toJSON() });
    starter.on("close", () => process.exit(1));
  });
}

void begin();
