/**
 * A way to a daemon that outlives any one daemon: connects when needed, starts one when there is none, goes on to the
 * next one when the current one leaves. The only place that decides whether a request may be sent again.
 */
import { connect as dial } from "node:net";
import { SondeError } from "../errors.ts";
import { BUILD, VERSION } from "./build.ts";
import { Connection, type Listen, type Outcome, type Request } from "./connection.ts";
import { type Places, places } from "./paths.ts";
import { openRuntimeDir, socketAddress } from "./runtime-dir.ts";
import type { DaemonMessage } from "./wire.ts";

/** Each is a daemon that left between our connecting and its reading; two in a row is already unlikely. */
const ATTEMPTS = 5;

export interface LinkOptions {
  places?: Places;
  /** Without it a missing daemon is not started, and `ask` gives undefined. */
  start?: boolean;
}

export class Link {
  readonly #places: Places;
  readonly #start: boolean;
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;

  constructor(options: LinkOptions = {}) {
    this.#places = options.places ?? places();
    this.#start = options.start ?? true;
  }

  /** The message that ends the request; undefined when there is no daemon and none is to be started. */
  async ask(
    request: Request,
    listen: Listen,
    doing: string,
    signal?: AbortSignal,
  ): Promise<DaemonMessage | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      signal?.throwIfAborted();
      const connection = await this.#connected(attempt);
      // A daemon may take its time to start: who has given up meanwhile must not have anything begun.
      signal?.throwIfAborted();
      if (!connection) return undefined;
      const outcome = await connection.ask(request, listen);
      if (outcome.kind === "silent") throw await silent(outcome.pid, this.#places);
      if (outcome.kind === "final") {
        if (!("skew" in outcome.message)) return outcome.message;
        if (!outcome.message.skew.leaving) throw skewed(outcome.message.skew);
        await connection.whenClosed(); // its socket is unlinked before this
        continue;
      }
      refuseToRepeat(outcome, doing);
      if (!this.#start && attempt > 0) return undefined;
    }
    throw new SondeError("DAEMON_FAILED", `the daemon ended ${ATTEMPTS} times before accepting the command`, {
      hint: "sonde daemon logs",
    });
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** The first try assumes that a daemon is there, as it nearly always is; the next ones make sure. */
  async #connected(attempt: number): Promise<Connection | undefined> {
    if (this.#connection && !this.#connection.closed) return this.#connection;
    if (attempt === 0 || !this.#start) {
      const dir = openRuntimeDir(this.#places.runtime);
      if (dir) this.#connection = new Connection(dial(socketAddress(dir)));
      if (dir || !this.#start) return this.#connection;
    }
    // Shared, so that several requests that lost the same connection end up on one new one.
    this.#starting ??= this.#startAndConnect().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startAndConnect(): Promise<Connection> {
    const { connectOrStart } = await import("./start-daemon.ts");
    this.#connection = new Connection(await connectOrStart(this.#places));
    return this.#connection;
  }
}

function refuseToRepeat(outcome: Outcome & { kind: "lost" }, doing: string): void {
  if (outcome.accepted) throw endedMeanwhile(doing);
  const code = outcome.why?.code;
  if (code === "EACCES" || code === "EPERM") {
    throw new SondeError("PERMISSION", `cannot connect to the daemon: ${outcome.why?.message}`);
  }
  // A message of our own: what listens there does not speak our protocol.
  if (outcome.why && code === undefined) {
    throw new SondeError("DAEMON_FAILED", `unexpected reply from the daemon: ${outcome.why.message}`);
  }
}

export function endedMeanwhile(doing: string): SondeError {
  return new SondeError(
    "DAEMON_FAILED",
    `the daemon ended while ${doing} was running; its sessions are gone`,
    {
      hint: "the next command starts a new daemon; `sonde daemon logs` may say why it ended",
    },
  );
}

function skewed(theirs: { version: string; build: string; sessions: number }): SondeError {
  const holds = theirs.sessions > 0 ? `holds ${count(theirs.sessions, "session")}` : "is busy with a command";
  return new SondeError(
    "VERSION_SKEW",
    `the running daemon is sonde ${theirs.version} (build ${theirs.build}), this is sonde ${VERSION} (build ${BUILD}), and the daemon ${holds}`,
    {
      hint:
        theirs.sessions > 0
          ? "end the sessions with `sonde stop --all` (`sonde sessions` lists them), then run this again"
          : "run this again when that has finished, or stop the daemon with `sonde daemon stop`",
      details: {
        daemon: { version: theirs.version, build: theirs.build },
        client: { version: VERSION, build: BUILD },
      },
    },
  );
}

export async function silent(pid: number | undefined, where: Places): Promise<SondeError> {
  const known = pid ?? (await import("./daemon-record.ts")).readRecord(where.runtime)?.pid;
  return new SondeError("DAEMON_FAILED", `the daemon${known ? ` (pid ${known})` : ""} is not responding`, {
    hint: `it is stopped or stuck; end it${known ? ` with \`kill -9 ${known}\`` : ""}, and the next command starts a new one`,
  });
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
