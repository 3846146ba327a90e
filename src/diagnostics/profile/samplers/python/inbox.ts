/** Where the samplers in Python processes call. The program can reach it too: what does not come from a sampler ends its connection. */
import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { deferred, wait } from "../../../../util/wait.ts";
import { TooLarge } from "../../limits.ts";
import { type Profile, ProfileBuilder } from "../../profile.ts";
import type { ProfileKind } from "../../sampler.ts";

/** Of one message; of memory it is all that is in use, in one. */
const MOST_CHARS = 64 << 20;
/** In all stacks of a process, which come bit by bit. */
const MOST_FRAMES = 15_000_000;
/** A process each. */
const MOST_PARTS = 1000;

interface Message {
  pid?: number;
  frames: [name: string, file: string, line: number][];
  stacks?: [stack: number[], weight: number, count: number][];
  idle?: [ns: number, count: number];
  seconds?: number;
  own?: number;
  unknown?: number;
  /** It goes by signals of a timer, in the main thread. */
  signals?: boolean;
}

/** One process that has called. */
export class Part {
  pid = 0;
  heard = false;
  own = 0;
  unknown = 0;
  signals = false;
  seconds: number | undefined;
  /** Why no more of it is read. */
  problem: "not a sampler" | "too large" | undefined;
  readonly closed = deferred<void>();
  readonly socket: Socket;
  readonly #builder: ProfileBuilder;
  readonly #frames: number[] = [];
  readonly #unread: string[] = [];
  #chars = 0;

  constructor(socket: Socket, kind: ProfileKind) {
    this.socket = socket;
    this.#builder = new ProfileBuilder(kind === "cpu" ? "ns" : "bytes", MOST_FRAMES);
  }

  /** False if nothing more of it is to be read. */
  read(text: string): boolean {
    try {
      const lines = text.split("\n");
      const rest = lines.pop() ?? "";
      for (const line of lines) {
        this.#take(JSON.parse(this.#unread.splice(0).join("") + line));
        this.#chars = 0;
      }
      this.#unread.push(rest);
      this.#chars += rest.length;
      if (this.#chars > MOST_CHARS) throw new TooLarge("a message is too long");
      return true;
    } catch (error) {
      this.problem = error instanceof TooLarge ? "too large" : "not a sampler";
      this.#unread.length = 0;
      return false;
    }
  }

  #take(message: unknown): void {
    if (!isMessage(message)) throw new Error("not a message of the sampler");
    const { pid, frames, stacks, idle, seconds, own, unknown, signals } = message;
    this.pid = pid ?? this.pid;
    for (const [name, file, line] of frames) this.#frames.push(this.#builder.frame({ name, file, line }));
    this.heard ||= stacks !== undefined;
    for (const [stack, weight, count] of stacks ?? []) {
      const known = stack.flatMap((at) => this.#frames[at] ?? []);
      if (this.#builder.add(known, weight, count)) this.#builder.spend(known.length);
    }
    if (idle && idle[1] > 0)
      this.#builder.add([this.#builder.frame({ name: "(idle)", kind: "idle" })], ...idle);
    this.seconds = seconds ?? this.seconds;
    this.own = own ?? this.own;
    this.unknown = unknown ?? this.unknown;
    this.signals = signals ?? this.signals;
  }

  profile(): Profile {
    return this.#builder.build();
  }
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== "object" || data === null) return false;
  const { pid, frames, stacks, idle, seconds, own, unknown, signals } = data as Record<string, unknown>;
  return (
    (signals === undefined || typeof signals === "boolean") &&
    isList(frames, isFrame) &&
    (stacks === undefined || isList(stacks, isStack)) &&
    (idle === undefined || (isList(idle, isAmount) && idle.length === 2)) &&
    [pid, seconds, own, unknown].every((one) => one === undefined || isAmount(one))
  );
}

function isList<T>(data: unknown, is: (one: unknown) => one is T): data is T[] {
  return Array.isArray(data) && data.every(is);
}

function isFrame(data: unknown): data is Message["frames"][number] {
  if (!Array.isArray(data)) return false;
  const [name, file, line] = data as unknown[];
  return typeof name === "string" && typeof file === "string" && isAmount(line);
}

function isStack(data: unknown): data is NonNullable<Message["stacks"]>[number] {
  if (!Array.isArray(data)) return false;
  const [stack, weight, count] = data as unknown[];
  return isList(stack, isAmount) && isAmount(weight) && isAmount(count);
}

function isAmount(data: unknown): data is number {
  return typeof data === "number" && Number.isFinite(data) && data >= 0;
}

export class Inbox {
  readonly address: string;
  readonly parts: Part[] = [];
  /** The first has called, and is gone. */
  readonly first: Promise<void>;
  readonly gone: Promise<void>;
  readonly #server: Server;

  private constructor(server: Server, address: string, kind: ProfileKind) {
    this.#server = server;
    this.address = address;
    const [first, gone] = [deferred<void>(), deferred<void>()];
    this.first = first.promise;
    this.gone = gone.promise;
    server.maxConnections = MOST_PARTS;
    server.on("connection", (socket) => {
      if (this.parts.length >= MOST_PARTS) return void socket.destroy();
      const part = new Part(socket, kind);
      this.parts.push(part);
      const isFirst = this.parts.length === 1;
      socket.setEncoding("utf8").on("data", (text: string) => {
        if (!part.read(text)) socket.destroy();
        if (isFirst) first.resolve();
      });
      socket.on("error", () => {}); // its process is gone: the close says so
      socket.on("close", () => {
        part.closed.resolve();
        if (isFirst) gone.resolve();
      });
    });
  }

  static async listen(path: string, kind: ProfileKind): Promise<Inbox> {
    const server = createServer();
    const inbox = new Inbox(server, path, kind);
    await new Promise<void>((done, failed) => server.once("error", failed).listen(path, done));
    chmodSync(path, 0o600);
    return inbox;
  }

  /** As the first process counts it. */
  get seconds(): number | undefined {
    return this.parts[0]?.seconds;
  }

  /** Has them send the last of what they know. */
  async stop(timeoutMs: number): Promise<void> {
    for (const { socket } of this.parts) if (!socket.destroyed) socket.write("stop\n");
    // What a process that has ended sent last is read to its end.
    await wait(Promise.all(this.parts.map(({ closed }) => closed.promise)), {
      timeoutMs,
    });
  }

  close(): void {
    for (const { socket } of this.parts) socket.destroy();
    this.#server.close();
  }
}
