/** The daemon process: `sonde daemon run`, and what the client starts. Reads the configuration, serves, and exits. */
import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { BUILD, VERSION } from "../client/build.ts";
import { readRecord } from "../client/daemon-record.ts";
import { type Places, places } from "../client/paths.ts";
import { makeRuntimeDir, type RuntimeDir } from "../client/runtime-dir.ts";
import { asSondeError, errorText } from "../errors.ts";
import { fileError } from "../util/file-errors.ts";
import { type Log, openLog } from "../util/log/writer.ts";
import { LateEngine } from "./late-engine.ts";
import { Server, stackOf } from "./server.ts";
import { findStarter, type Starter } from "./starter.ts";

const MINUTE_MS = 60_000;

/** Small buffers are cut from pieces so large that the system gives each alone (see daemonEnv) and takes it back when it is free. */
const POOL_BYTES = 1 << 16;

async function main(): Promise<void> {
  Buffer.poolSize = POOL_BYTES;
  const starter = findStarter();
  let dir: RuntimeDir | undefined;
  let server: Server;
  const where = places();
  const log = openLog(where.logs, {
    kind: "daemon",
    debug: process.env.SONDE_LOG === "debug",
    echo: process.stderr.isTTY,
  });
  try {
    dir = makeRuntimeDir(where.runtime);
    server = await prepare(where, dir, log, starter);
    await starter.lockHeld(dir);
    await server.listen();
  } catch (thrown) {
    const error = fileError(thrown, named(thrown, dir)) ?? asSondeError(thrown);
    log("error", `did not start: ${error.code === "INTERNAL" ? stackOf(thrown) : error.message}`);
    await starter.answer({ error: error.toJSON() }); // the lock is left to whoever waits for this answer
    process.stderr.write(errorText(error.toJSON()));
    process.exit(1);
  }
  const self = `sonde ${VERSION} (build ${BUILD}), pid ${process.pid}, node ${process.version}`;
  if (starter.restsMs === undefined) log("info", `ready: ${self}, ${dir.path}`);
  else log("info", `ready: ${self}, at rest`, { known: true });
  endOnSignals(server);
  outliveMistakes(log);
  await starter.answer({ ready: true }, dir);
  sweep(dir, log);
  await server.gone;
  process.exit(0);
}

async function prepare(where: Places, dir: RuntimeDir, log: Log, starter: Starter): Promise<Server> {
  const times = { idleMs: starter.restsMs ?? Infinity, restMs: Infinity };
  const engine = new LateEngine(async () => {
    const { createEngine, loadConfig } = await import("../engine/entry.ts");
    const config = await loadConfig(where.config);
    times.idleMs = config.daemon.idle_timeout_minutes * MINUTE_MS;
    if (starter.mayBeReplaced) times.restMs = config.daemon.rest_minutes * MINUTE_MS;
    return createEngine({
      config,
      log,
      version: VERSION,
      build: BUILD,
      adapters: where.adapters,
      places: {
        config: where.config,
        runtime: dir.path,
        logs: where.logs,
        traces: where.traces,
        reports: where.reports,
        profiles: where.profiles,
        agents: where.agents,
      },
    });
  });
  if (starter.restsMs === undefined) await engine.load();
  const predecessor = readRecord(dir.held);
  return new Server({
    engine,
    dir,
    times,
    startSuccessor: async (resting) => (await import("./successor.ts")).startSuccessor(where, dir, resting),
    log,
    logFolder: where.logs,
    nonce: randomBytes(16).toString("hex"),
    notice: predecessor && predecessor.sessions > 0 ? lossOf(predecessor) : undefined,
  });
}

/** Files of the runtime folder are reached by the descriptor that holds it; the reader knows it by its name. */
function named(thrown: unknown, dir: RuntimeDir | undefined): string | undefined {
  const { dest, path } = thrown as NodeJS.ErrnoException & { dest?: string };
  const place = dest ?? path;
  return dir && place?.startsWith(`${dir.held}/`) ? join(dir.path, place.slice(dir.held.length)) : place;
}

/** A daemon that leaves of its own will removes its record. */
function lossOf({ pid, sessions }: { pid: number; sessions: number }): string {
  const what = sessions === 1 ? "the session it held was" : `the ${sessions} sessions it held were`;
  return `note: the previous daemon (pid ${pid}) ended unexpectedly; ${what} lost`;
}

/** Drafts of locks and sockets whose makers were killed before they could put them in place. */
function sweep(dir: RuntimeDir, log: Log): void {
  try {
    for (const name of readdirSync(dir.held)) {
      const path = join(dir.held, name);
      if (!/^(start\.lock\..*|\.sock\.\d+)$/.test(name)) continue;
      if (Date.now() - lstatSync(path).mtimeMs > MINUTE_MS) unlinkSync(path);
    }
  } catch (thrown) {
    log("warn", `sweeping ${dir.path}: ${asSondeError(thrown).message}`);
  }
}

function endOnSignals(server: Server): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void server.leave(signal));
  }
}

/** One request's mistake must not cost the other sessions; what it left half done is in the log. */
function outliveMistakes(log: Log): void {
  process.on("uncaughtException", (error) => log("error", `uncaught: ${stackOf(error)}`));
  process.on("unhandledRejection", (reason) => log("error", `unhandled: ${stackOf(reason)}`));
}

// New objects are collected where they are made: in a nursery this small V8's other threads cost more to wake and wait for than they do.
setFlagsFromString("--no-parallel-scavenge");
// V8 optimises code once it has run nine times as long as by default. Most sessions are shorter than that: it would be busy with it on the
// core that the program needs, for all of a session. What computes for longer than a moment is optimised all the same.
setFlagsFromString("--interrupt-budget=600000");
void main();
