/**
 * What the recorders say, in its order. A script that is heard of for the first time is looked at before anything is made of it:
 * it may have come with a source map, and only V8 knows what a loader made of a file.
 */
import { readFile } from "node:fs/promises";
import { isInternalUrl, isLibraryPath, pathOfUrl } from "../../../adapters/node/debug/script-url.ts";
import { isInModuleBody } from "../../../adapters/node/javascript/function-bodies.ts";
import type { Session } from "../../../session/session.ts";
import type { LineListener } from "../node-source/channel.ts";

/** A program that is busy in native code does not answer. */
const ANSWER_MS = 1000;
const COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"]+)[^\n]*/g;

type FrameMessage = [kind: "f", id: number, name: string, file: string, line: number, column: number];

export class Inbox {
  readonly #session: Session;
  readonly #tell: LineListener;
  readonly #known = new Set<string>();
  readonly #waiting: Parameters<LineListener>[] = [];
  #looking: Promise<void> | undefined;

  constructor(session: Session, tell: LineListener) {
    this.#session = session;
    this.#tell = tell;
  }

  take(pid: number, thread: number, line: string): void {
    if (this.#looking !== undefined) {
      this.#waiting.push([pid, thread, line]);
      return;
    }
    const frame = line.startsWith('["f",') ? (JSON.parse(line) as FrameMessage) : undefined;
    const path = frame && scriptOf(frame);
    if (frame === undefined || path === undefined || (this.#known.has(path) && !mayBeModule(frame))) {
      this.#tell(pid, thread, line);
      return;
    }
    this.#looking = this.#textOf(path).then((text) => {
      this.#looking = undefined;
      const mapUrl = this.#known.has(path) ? undefined : mapUrlIn(text);
      this.#known.add(path);
      if (mapUrl !== undefined) this.#tell(pid, thread, JSON.stringify(["M", path, mapUrl]));
      this.#tell(pid, thread, JSON.stringify(named(frame, text)));
      for (const one of this.#waiting.splice(0)) this.take(...one);
    });
  }

  /** Everything that was taken has been told. */
  async settled(): Promise<void> {
    while (this.#looking !== undefined) await this.#looking;
  }

  /** As V8 has it, or as it is on disk if the program has ended. */
  async #textOf(path: string): Promise<string> {
    for (const { client } of this.#session.live) {
      const asked = { source: { path }, sourceReference: 0 };
      // One of several processes has loaded it; the others say so.
      const answer = await client.request("source", asked, { timeoutMs: ANSWER_MS }).catch(() => undefined);
      if (answer !== undefined) return answer.content;
    }
    return readFile(path, "utf8").catch(() => ""); // evaluated under a name that is no file's
  }
}

/** The script of a frame, if a map of it would count. */
function scriptOf([, , , file]: FrameMessage): string | undefined {
  const path = isInternalUrl(file) ? undefined : pathOfUrl(file)?.replace(/\?.*$/, "");
  return path === undefined || isLibraryPath(path) ? undefined : path;
}

function mapUrlIn(text: string): string | undefined {
  let found: string | undefined;
  for (const match of text.matchAll(COMMENT)) found = match[1];
  return found;
}

/** The body of an ES module that goes on after an `await` has no caller by which it could be told from a function without a name. */
const mayBeModule = ([, , name, file]: FrameMessage): boolean =>
  name === "(anonymous)" && file.startsWith("file:");

function named(frame: FrameMessage, text: string): FrameMessage {
  const [kind, id, , file, line, column] = frame;
  const isBody = mayBeModule(frame) && isInModuleBody(text, { line: line - 1, column: column - 1 });
  return isBody ? [kind, id, "<module>", file, line, column] : frame;
}
