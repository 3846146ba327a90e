/** The page's server, a process of its own: started by `sonde ui`, gone a while after its last tab. */
import { writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { BUILD, VERSION } from "../../client/build.ts";
import { places } from "../../client/paths.ts";
import { makeRuntimeDir } from "../../client/runtime-dir.ts";
import { asSondeError } from "../../errors.ts";
import { openLog } from "../../util/log/writer.ts";
import { type ControlAnswer, type ControlAsk, serveControl, withdraw } from "./control.ts";
import { Daemon } from "./daemon.ts";
import { PageFiles } from "./files.ts";
import { giveBack } from "./give-back.ts";
import { addressOf } from "./headers.ts";
import { listen } from "./http.ts";
import { Keys } from "./keys.ts";
import { Tab } from "./tab.ts";
import { Topics } from "./topics.ts";

/** Over this descriptor whoever started us is told that we are ready, or why not. */
const READY_FD = 3;
/** A person who has closed the last tab has nothing in hand any more; one that reloads it is back in a moment. */
const AWAY_MS = Number(process.env.SONDE_UI_AWAY_SECS ?? 30) * 1000;
const IDLE_MS = Number(process.env.SONDE_UI_IDLE_SECS ?? 600) * 1000;

async function main(): Promise<void> {
  const where = places();
  const log = openLog(where.logs, { kind: "ui" });
  const cwd = process.env.SONDE_UI_CWD ?? homedir();
  process.on("uncaughtException", (error) => log("error", `uncaught: ${error.stack ?? error.message}`));
  process.on("unhandledRejection", (reason) => log("error", `unhandled: ${String(reason)}`));
  const dir = makeRuntimeDir(where.runtime);
  const keys = new Keys();
  const daemon = new Daemon(where, true);
  const topics = new Topics(where, dir, daemon, cwd);
  const tabs = new Set<Tab>();
  let idle: NodeJS.Timeout | undefined;
  let away: NodeJS.Timeout | undefined;
  let leaving = false;

  const leave = (why: string): void => {
    if (leaving) return;
    leaving = true;
    log("info", `leaving: ${why}`);
    withdraw(dir);
    void giveBack(where, "the page was closed").finally(() => process.exit(0));
  };
  const rest = () => {
    clearTimeout(idle);
    clearTimeout(away);
    idle = tabs.size > 0 ? undefined : setTimeout(() => leave("no tab for a while"), IDLE_MS);
    const hasHands = [...tabs].some(({ readOnly }) => !readOnly);
    away = hasHands ? undefined : setTimeout(() => void giveBack(where, "the page was closed"), AWAY_MS);
  };

  const { port } = await listen({
    port: Number(process.env.SONDE_UI_PORT ?? 0),
    files: new PageFiles(join(import.meta.dirname, "page")),
    keys,
    onTab: (socket, grant) => {
      const tab = new Tab({
        socket,
        grant,
        daemon,
        hello: { version: VERSION, readOnly: grant.readOnly, cwd, home: homedir() },
        watch: (topic, since, send) => topics.watch(topic, since, send),
      });
      tabs.add(tab);
      rest();
      socket.on("close", () => {
        tabs.delete(tab);
        rest();
      });
    },
  });

  const answer = (ask: ControlAsk): ControlAnswer | undefined => {
    if (ask.ask === "status") return { port, pid: process.pid, tabs: tabs.size, build: BUILD };
    if (ask.ask === "stop") {
      leave("asked to stop");
      return { port, pid: process.pid, tabs: tabs.size, build: BUILD };
    }
    if (ask.ask !== "link") return undefined;
    if (ask.build !== BUILD || (ask.port !== undefined && ask.port !== port)) {
      leave(ask.build === BUILD ? "another port is wanted" : "another build is wanted");
      return { leaving: true, port };
    }
    rest();
    return { url: addressOf(port, keys.issue(ask.readOnly)), port, pid: process.pid };
  };
  const control = await serveControl(dir, answer);
  if (control === undefined) {
    ready({ ready: true }); // another is there: whoever started us asks it
    process.exit(0);
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => leave(signal));
  rest();
  log("info", `ready: sonde ${VERSION} (build ${BUILD}), pid ${process.pid}, port ${port}`);
  ready({ ready: true });
}

function ready(message: object): void {
  try {
    writeSync(READY_FD, `${JSON.stringify(message)}\n`);
  } catch {
    // whoever started us is gone, and the next one finds us
  }
}

main().catch((thrown: unknown) => {
  ready({ error: asSondeError(thrown).toJSON() });
  process.exit(1);
});
