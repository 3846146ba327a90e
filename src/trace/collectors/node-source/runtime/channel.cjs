// The way out of the program: a FIFO that all its processes and threads write to. Each write is a packet that the system does not
// tear apart (PIPE_BUF), with its sender in front. When nobody reads any more, what comes is dropped and the program goes on.
const { closeSync, constants, openSync, writeSync } = require("node:fs");
const { threadId } = require("node:worker_threads");

const PACKET = 4096;
const HEAD = 10;
const BATCH = 512;
const BATCH_CHARS = 64 * 1024;
const STALE_MS = 50;
/** So many lines go out at once, and one more a millisecond: a program that hangs or is killed has told of all but a burst. */
const PROMPT = 256;

class Channel {
  #path;
  #fd;
  #packet = Buffer.alloc(PACKET);
  #text = "";
  #count = 0;
  #prompt = PROMPT;
  #last = 0;
  #awaitsTurn = false;
  #isEnding = false;
  #setImmediate = setImmediate;

  constructor(path) {
    this.#path = path;
    this.#packet.writeUInt32LE(process.pid, 0);
    this.#packet.writeUInt32LE(threadId, 4);
  }

  /** One line. `now` in milliseconds. */
  send(line, now) {
    this.#text += `${line}\n`;
    this.#count++;
    this.#prompt = Math.min(PROMPT, this.#prompt + now - this.#last);
    const isStale = now - this.#last > STALE_MS;
    if (this.#prompt >= 1 || this.#isEnding || isStale || this.#isFull()) {
      this.#prompt = Math.max(0, this.#prompt - 1);
      this.#last = now;
      this.flush();
    } else if (!this.#awaitsTurn) {
      this.#awaitsTurn = true;
      this.#setImmediate.call(globalThis, () => {
        this.#awaitsTurn = false;
        this.flush();
      });
    }
  }

  /** The last turn of the program: nothing is held back any more. */
  end() {
    this.#isEnding = true;
    this.flush();
  }

  /** Otherwise done by the first line. Throws if nobody reads. */
  open() {
    this.#fd ??= open(this.#path);
  }

  /** What was sent goes out; what comes after it is dropped. */
  close() {
    this.flush();
    this.#drop();
  }

  flush() {
    if (this.#count === 0) return;
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    this.#count = 0;
    try {
      this.open();
      for (let from = 0; from < bytes.length; from += PACKET - HEAD) this.#write(bytes, from);
    } catch {
      this.#drop(); // nobody reads
    }
  }

  /** Every further write fails. */
  #drop() {
    const fd = this.#fd ?? -1;
    this.#fd = -1;
    try {
      if (fd !== -1) closeSync(fd);
    } catch {
      // The program has closed it: it is not ours any more.
    }
  }

  #write(bytes, from) {
    const length = Math.min(bytes.length - from, PACKET - HEAD);
    this.#packet.writeUInt16LE(length, 8);
    bytes.copy(this.#packet, HEAD, from, from + length);
    writeSync(this.#fd, this.#packet, 0, HEAD + length);
  }

  #isFull() {
    return this.#count >= BATCH || this.#text.length >= BATCH_CHARS;
  }
}

/** Without a reader the first fails at once, where the second, which then waits for room with every write, would wait for ever. */
function open(path) {
  const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(path, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

module.exports = { Channel };
