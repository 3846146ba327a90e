/**
 * The engine behind a socket. Owns: who is connected, what is in flight, and when to leave: when idle for long enough,
 * when another build asks and nothing would be lost, when told to, or when nobody can find this daemon any more.
 */
import type { Socket } from "node:net";
import { BUILD, VERSION } from "../client/build.ts";
import type { Resting } from "../client/daemon-process.ts";
import { removeRecord, writeRecord } from "../client/daemon-record.ts";
import type { RuntimeDir } from "../client/runtime-dir.ts";
import {
  ACROSS_BUILDS,
  type DaemonStatus,
  PRODUCT,
  PROTOCOL,
  type RawRequest,
  type TypedRequest,
} from "../client/wire.ts";
import type { EngineReply, EngineRequest } from "../engine/engine.ts";
import { asSondeError, errorText } from "../errors.ts";
import type { Log } from "../util/log/writer.ts";
import { cut } from "../util/text.ts";
import { Conversation, type InFlight, type Request } from "./conversation.ts";
import { Handover } from "./handover.ts";
import type { LateEngine } from "./late-engine.ts";
import { type Listener, listen } from "./listener.ts";
import { flaw } from "./parse-message.ts";
import { Tidy } from "./tidy.ts";
import { later, within } from "./timing.ts";

/** How long ending the sessions may take before the daemon leaves anyway; the guard then ends what is left. */
const CLOSE_DEADLINE_MS = 8_000;

/** How long the last answers may take to be written. */
const FLUSH_DEADLINE_MS = 1_000;

/** Of what a client sent. */
const MOST_QUOTED = 300;

export interface ServerOptions {
  engine: LateEngine;
  dir: RuntimeDir;
  /** After how long with nothing to do it leaves, and after how long it makes room for a smaller one. Read when they are needed. */
  times: Readonly<{ idleMs: number; restMs: number }>;
  /** True when clients find another daemon from here on. */
  startSuccessor(resting: Resting): Promise<boolean>;
  log: Log;
  logFolder: string;
  nonce: string;
  /** Said on the first raw reply: what a predecessor's death cost. */
  notice?: string | undefined;
}

export class Server {
  readonly #options: ServerOptions;
  readonly #conversations = new Set<Conversation>();
  #listener: Listener | undefined;
  #inFlight = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** While another daemon is being put in this one's place. */
  #handover: Handover | undefined;
  #held: (() => void)[] = [];
  readonly #tidy = new Tidy();
  #leaving = false;
  #sessionsEnded: Promise<void> = Promise.resolve();
  #whenAnswered: (() => void)[] = [];
  #notice: string | undefined;
  readonly gone: Promise<void>;
  #setGone = () => {};

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#notice = options.notice;
    this.gone = new Promise((done) => {
      this.#setGone = done;
    });
  }

  /** When this resolves, clients find this daemon. */
  async listen(): Promise<void> {
    const { dir, engine, log } = this.#options;
    this.#listener = await listen(
      dir,
      (socket) => this.#greet(socket),
      (error) => log("error", `socket: ${error.message}`),
    );
    this.#listener.onChange(() => this.#lookAround());
    engine.onSessions(() => {
      this.#record();
      this.#lookAround();
    });
    this.#record();
    this.#lookAround();
  }

  /** Sessions end, requests in flight are answered, connections close. Resolves when the process may exit. */
  leave(why: string): Promise<void> {
    if (!this.#leaving) {
      this.#leaving = true; // before anything that may call back
      void this.#leave(why);
    }
    return this.gone;
  }

  async #leave(why: string): Promise<void> {
    this.#options.log("info", `leaving: ${why}`);
    this.#stopTimers();
    this.#handover?.callOff();
    this.#listener?.withdraw(); // before the first await: from here on nothing new is taken
    this.#sessionsEnded = within(CLOSE_DEADLINE_MS, this.#endSessions(), () =>
      this.#options.log("error", `the sessions did not end within ${CLOSE_DEADLINE_MS} ms`),
    );
    await this.#sessionsEnded;
    await within(FLUSH_DEADLINE_MS, this.#answered());
    await within(FLUSH_DEADLINE_MS, Promise.all([...this.#conversations].map((each) => each.close())));
    this.#setGone();
  }

  async #endSessions(): Promise<void> {
    const { dir, engine, log } = this.#options;
    try {
      await engine.close();
      removeRecord(dir.held);
    } catch (thrown) {
      log("error", `ending the sessions: ${stackOf(thrown)}`);
    }
  }

  /** When the last request in flight has its answer. */
  #answered(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((done) => this.#whenAnswered.push(done));
  }

  get #busy(): boolean {
    return this.#inFlight > 0 || this.#options.engine.sessions > 0;
  }

  #greet(socket: Socket): void {
    if (this.#leaving) {
      socket.destroy();
      return;
    }
    const conversation = new Conversation(socket, (request, io) => this.#take(conversation, request, io));
    this.#conversations.add(conversation);
    this.#restartTimers(); // whoever connects is about to ask
    socket.on("close", () => this.#conversations.delete(conversation));
    const { nonce } = this.#options;
    conversation.send({
      hello: {
        product: PRODUCT,
        protocol: PROTOCOL,
        version: VERSION,
        build: BUILD,
        pid: process.pid,
        nonce,
      },
    });
  }

  #take(conversation: Conversation, request: Request, io: InFlight): void {
    if (this.#handover?.isGoing) {
      this.#held.push(() => this.#take(conversation, request, io)); // most likely for the other one
      return;
    }
    if (this.#handover) {
      this.#handover.callOff(); // nobody waits for a start
      this.#stopTimers();
    }
    const wrong = flaw(request);
    if (this.#leaving) {
      conversation.refuse();
    } else if (wrong) {
      this.#options.log("warn", `refused a request: ${cut(wrong, MOST_QUOTED)}`);
      io.finish({
        id: request.id,
        ok: false,
        error: { code: "BAD_ARGUMENT", message: `bad request: ${wrong}` },
      });
    } else if ("control" in request)
      void this.#during(request.id, io, () => this.#control(request.id, request.control, io));
    else if (isAnothers(request) && !this.#answersAcrossBuilds(request))
      this.#skew(conversation, request, io);
    else void this.#during(request.id, io, () => this.#run(request, io));
  }

  async #during(id: number, io: InFlight, work: () => Promise<void>): Promise<void> {
    let counts = true;
    this.#inFlight++;
    this.#lookAround();
    io.rests = () => {
      if (counts) this.#inFlight--;
      counts = false;
      if (this.#inFlight === 0) for (const done of this.#whenAnswered.splice(0)) done();
      this.#lookAround();
    };
    try {
      if ((await io.accept()) && !io.signal.aborted) await work();
      else io.finish({ id, ok: false, error: { code: "CANCELLED", message: "cancelled before it started" } });
    } finally {
      io.rests();
    }
  }

  async #control(id: number, control: "status" | "stop", io: InFlight): Promise<void> {
    const daemon = this.#status();
    if (control === "stop") {
      void this.leave("asked to stop");
      await this.#sessionsEnded;
    }
    io.finish({ id, daemon });
  }

  #status(): DaemonStatus {
    const { engine, logFolder } = this.#options;
    return {
      version: VERSION,
      build: BUILD,
      pid: process.pid,
      sessions: engine.sessions,
      requests: this.#inFlight - 1,
      uptimeSeconds: Math.round(process.uptime()),
      memory: process.memoryUsage.rss(),
      log: logFolder,
    };
  }

  /** Only a busy daemon: an idle one makes room even for `status`. */
  #answersAcrossBuilds(request: RawRequest | TypedRequest): boolean {
    const word = "argv" in request ? firstWord(request.argv) : request.command;
    return this.#busy && word !== undefined && ACROSS_BUILDS.includes(word);
  }

  #skew(conversation: Conversation, request: RawRequest | TypedRequest, io: InFlight): void {
    const leaving = !this.#busy;
    const skew = { version: VERSION, build: BUILD, leaving, sessions: this.#options.engine.sessions };
    io.finish({ id: request.id, skew });
    const what = leaving ? "makes room for" : `cannot answer, having sessions (${skew.sessions}):`;
    this.#options.log("warn", `build ${BUILD} ${what} a request of build ${cut(String(request.build), 40)}`);
    if (!leaving) return;
    void this.leave(`request from build ${request.build}, this is ${BUILD}`);
    void conversation.close();
  }

  async #run(request: RawRequest | TypedRequest, io: InFlight): Promise<void> {
    const { engine } = this.#options;
    try {
      const reply = await engine.handle(toEngine(request), io);
      io.finish({ id: request.id, ...this.#withNotice(stripKind(reply)) });
    } catch (thrown) {
      // The engine promises not to throw; if it does, the caller must still get an answer.
      this.#options.log("error", stackOf(thrown));
      const error = asSondeError(thrown).toJSON();
      io.finish(
        "argv" in request
          ? { id: request.id, exit: 1, text: "", stderr: errorText(error) }
          : { id: request.id, ok: false, error },
      );
      if (!engine.isLoaded) void this.leave("the engine cannot be loaded"); // the next daemon may find things in order
    }
  }

  #withNotice<T extends object>(reply: T): T {
    if (this.#notice === undefined || !("exit" in reply)) return reply;
    const stderr = `${this.#notice}\n${"stderr" in reply ? reply.stderr : ""}`;
    this.#notice = undefined;
    return { ...reply, stderr };
  }

  /** Is there still a reason to be here? */
  #lookAround(): void {
    if (this.#leaving || this.#handover) return;
    if (this.#busy) {
      this.#tidy.cancel();
      this.#stopTimers();
    } else if (this.#listener && !this.#listener.isOurs()) {
      void this.leave("the socket file is gone or belongs to another daemon");
    } else {
      this.#tidy.soon();
      const { idleMs, restMs } = this.#options.times;
      this.#idleTimer ??= later(
        idleMs,
        () => this.#idleTimer,
        () => void this.leave("idle"),
      );
      if (restMs < idleMs)
        this.#restTimer ??= later(
          restMs,
          () => this.#restTimer,
          () => this.#rest(),
        );
    }
  }

  #restartTimers(): void {
    this.#stopTimers();
    this.#lookAround();
  }

  #stopTimers(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#restTimer);
    this.#idleTimer = undefined;
    this.#restTimer = undefined;
  }

  /** Not with something left to tell or to be asked for. The next request starts the timer anew. */
  #rest(): void {
    const { engine, log, startSuccessor, times } = this.#options;
    if (!engine.isEmpty || this.#notice !== undefined) return;
    this.#handover = new Handover(times.idleMs - times.restMs, startSuccessor);
    void this.#handover.started
      .then((started) => {
        if (started) void this.leave("nothing to do: a fresh daemon is in its place");
      })
      .catch((thrown: unknown) => log("warn", `no fresh daemon: ${asSondeError(thrown).message}`))
      .finally(() => {
        this.#handover = undefined;
        this.#lookAround();
        for (const take of this.#held.splice(0)) take();
      });
  }

  #record(): void {
    const { dir, engine, log } = this.#options;
    try {
      if (!this.#leaving)
        writeRecord(dir.held, { pid: process.pid, version: VERSION, sessions: engine.sessions });
    } catch (thrown) {
      log("warn", `cannot record the number of sessions: ${asSondeError(thrown).message}`);
    }
  }
}

/** A client that names no build speaks the documented wire, and takes any daemon. */
function isAnothers({ build }: RawRequest | TypedRequest): boolean {
  return build !== undefined && build !== BUILD;
}

function toEngine(request: RawRequest | TypedRequest): EngineRequest {
  if ("argv" in request) {
    const { argv, cwd, env, columns } = request;
    return { kind: "raw", argv, cwd, env, ...(typeof columns === "number" ? { columns } : {}) };
  }
  const { command, args, cwd, env, as, offered, watched, readOnly } = request;
  return {
    kind: "typed",
    command,
    args,
    cwd,
    env: env ?? (process.env as Record<string, string>),
    ...(as === undefined ? {} : { as }),
    ...(offered === undefined ? {} : { offered }),
    ...(watched === true ? { watched } : {}),
    ...(readOnly === true ? { readOnly } : {}),
  };
}

function stripKind(reply: EngineReply) {
  if (reply.kind === "raw") {
    const { exit, text, stderr } = reply;
    return { exit, text, ...(stderr ? { stderr } : {}) };
  }
  const { kind, ...rest } = reply;
  return rest;
}

/** The command word, past the options that may stand before it. */
export function firstWord(argv: string[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "-s" || word === "--session") at++;
    else if (!word.startsWith("-")) return word;
  }
  return undefined;
}

export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
