/** What the recorders in the program say (runtime/), told to the sink in the words of a trace. */
import { cut } from "../../../util/text.ts";
import type { CodePlace } from "../../call-counts.ts";
import type { Sink } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { Binding, LineEvent, TraceFrame } from "../../record.ts";
import { FramePlaces } from "./frame-places.ts";

/** One line of the channel. Times are milliseconds since 1970, frames and functions numbers that were told before. */
type Message =
  /** The main thread by its script, a worker by its name, if it has one. */
  | ["h", title: string, isMain: 0 | 1]
  | ["f", id: number, name: string, file: string, line: number, column: number]
  | ["F", id: number, name: string, path: string]
  | ["m" | "M", path: string, map: string]
  | ["b", point: number, binding: Binding]
  | ["n" | "u", text: string]
  /** From here on not all that happens is recorded. */
  | ["g"]
  /** A file that was loaded and is not recorded. */
  | ["L", path: string]
  /** Functions of a file that was loaded. */
  | ["d", names: string[]]
  /** A function whose calls are counted; so many more calls of it by that one (0: by no function of the program's). */
  | ["K", id: number, name: string, path: string, line: number]
  | ["k", id: number, caller: number, count: number, ownMs: number, wholeMs: number]
  | ["p", point: number, at: number, values: string[], frames: number[]]
  | LineMessage;

type CountMessage = Extract<Message, ["k", ...unknown[]]>;

type LineMessage = [
  kind: keyof typeof KINDS,
  at: number,
  call: number,
  parent: number,
  of: number,
  line: number,
  changes: [string, string][],
  gone: string[],
  value?: string,
];

const KINDS = { c: "call", l: "line", r: "return", t: "throw" } as const;

const MODULE = "<module>";

/** A thread of a process of the program. */
interface Sender {
  pid: number;
  title: string;
  frames: Map<number, TraceFrame & { file: string }>;
  functions: Map<number, { name: string; path: string }>;
  counted: Map<number, CodePlace>;
  /** Its numbers of activations that go on → ours. */
  calls: Map<number, number>;
}

export class Messages {
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #began: number;
  readonly #lineOf: (point: number) => number | undefined;
  readonly #senders = new Map<string, Sender>();
  readonly #places = new FramePlaces();
  readonly #bound = new Map<number, number>();
  /** How many each process has had. */
  readonly #workers = new Map<number, number>();
  #first: number | undefined;
  #calls = 0;
  /** A Node process has loaded the recorder. */
  heard = false;
  /** The last uncaught exception. */
  uncaught: { pid: number; text: string } | undefined;

  /**
   * @param began milliseconds since 1970 when the program was started
   * @param lineOf where a point is bound, if it is not the recorders that say so
   */
  constructor(plan: Plan, sink: Sink, began: number, lineOf?: (point: number) => number | undefined) {
    this.#plan = plan;
    this.#sink = sink;
    this.#began = began;
    this.#lineOf = lineOf ?? ((point) => this.#bound.get(point));
  }

  take(pid: number, thread: number, line: string): void {
    const sender = this.#sender(pid, thread);
    const message = JSON.parse(line) as Message;
    switch (message[0]) {
      case "h":
        this.#hello(pid, thread, message[1], message[2] === 1);
        break;
      case "f": {
        const [, id, name, file, at, column] = message;
        sender.frames.set(id, { ...this.#places.place({ name, file, line: at, column }), file });
        break;
      }
      case "F":
        sender.functions.set(message[1], { name: message[2], path: message[3] });
        break;
      case "m":
        this.#places.learn(message[1], message[2]);
        break;
      case "M":
        this.#places.learnUrl(message[1], message[2]);
        break;
      case "b":
        this.#bind(message[1], message[2]);
        break;
      case "n":
        this.#sink.note(message[1]);
        break;
      case "g":
        this.#sink.leftOut?.();
        break;
      case "L":
        this.#sink.loaded?.(message[1]);
        break;
      case "d":
        for (const name of message[1]) this.#sink.passed?.(name, "declared");
        break;
      case "K":
        sender.counted.set(message[1], { function: message[2], path: message[3], line: message[4] });
        break;
      case "k":
        this.#counted(sender, message);
        break;
      case "u":
        this.uncaught = { pid, text: message[1] };
        break;
      case "p":
        this.#point(sender, message[1], message[2], message[3], message[4]);
        break;
      default:
        this.#line(sender, message);
    }
  }

  #sender(pid: number, thread: number): Sender {
    const key = `${pid} ${thread}`;
    const known = this.#senders.get(key) ?? newSender(pid, `thread ${thread}`);
    this.#senders.set(key, known);
    return known;
  }

  /** A process that took over the number of one before it begins anew. */
  #hello(pid: number, thread: number, title: string, isMain: boolean): void {
    this.heard = true;
    // Node's own threads have numbers, too, so workers are counted here.
    const worker = isMain ? 0 : (this.#workers.get(pid) ?? 0) + 1;
    this.#workers.set(pid, worker);
    this.#senders.set(`${pid} ${thread}`, newSender(pid, isMain ? title : `worker ${worker}${title}`));
  }

  /** A file may be loaded by several threads, or in several ways: one that takes the point is enough. */
  #bind(point: number, binding: Binding): void {
    if (binding.state !== "bound" && this.#bound.has(point)) return;
    if (binding.state === "bound") this.#bound.set(point, binding.line);
    this.#sink.bind(point, binding);
  }

  #point(sender: Sender, point: number, at: number, values: string[], frames: number[]): void {
    const known = frames.flatMap((id) => sender.frames.get(id) ?? []);
    const path = this.#plan.points[point]?.path;
    const line = this.#lineOf(point);
    const shown = known.slice(0, this.#plan.frames).map(({ file, ...frame }, at): TraceFrame => {
      const caller = known[at + 1];
      // A loader's wrapper around a module: its caller is a part of the script that came from nowhere.
      const isWrapped = caller?.file === file && caller.path === undefined && caller.function === MODULE;
      const named = isWrapped && frame.function === "(anonymous)" ? { ...frame, function: MODULE } : frame;
      // The innermost may stand in a call of ours, which no map knows.
      return at === 0 && path !== undefined && line !== undefined ? { ...named, path, line } : named;
    });
    this.#sink.hit({
      kind: "point",
      point,
      ms: at - this.#began,
      thread: this.#thread(sender),
      values: values.map((value) => cut(value, this.#plan.valueChars)),
      frames: shown,
    });
  }

  #counted(sender: Sender, [, id, caller, count, ownMs, wholeMs]: CountMessage): void {
    const place = sender.counted.get(id);
    const by = sender.counted.get(caller);
    if (place !== undefined)
      this.#sink.called?.({ ...place, count, ownMs, wholeMs, ...(by === undefined ? {} : { by }) });
  }

  #line(sender: Sender, [letter, at, call, parent, of, line, changes, gone, value]: LineMessage): void {
    const kind: LineEvent["kind"] = KINDS[letter];
    const named = sender.functions.get(of);
    if (named === undefined) return;
    if (kind === "call") sender.calls.set(call, ++this.#calls);
    const own = sender.calls.get(call);
    if (own === undefined) return;
    const above = parent === 0 ? undefined : sender.calls.get(parent);
    if (kind === "return" || kind === "throw") sender.calls.delete(call);
    const { valueChars } = this.#plan;
    this.#sink.hit({
      kind,
      ms: at - this.#began,
      thread: this.#thread(sender),
      call: own,
      ...(above === undefined ? {} : { parent: above }),
      function: named.name,
      path: named.path,
      line,
      changes: changes.map(([name, text]): [string, string] => [name, cut(text, valueChars)]),
      ...(gone.length === 0 ? {} : { gone }),
      ...(value === undefined ? {} : { value: cut(value, valueChars) }),
    });
  }

  /** With its process, if that is not the first one recorded. */
  #thread({ pid, title }: Sender): string {
    this.#first ??= pid;
    return pid === this.#first ? title : `${title} (pid ${pid})`;
  }
}

function newSender(pid: number, title: string): Sender {
  return { pid, title, frames: new Map(), functions: new Map(), counted: new Map(), calls: new Map() };
}
