/** Writing to standard output and error without process.stdout, whose set-up costs a command several milliseconds. */
import { writeSync } from "node:fs";

/** True when everything was taken; false when nobody reads any more, or, `rest` given, when it has been handed to it. */
export type Written = "written" | "closed";

export async function print(fd: 1 | 2, text: string | Buffer): Promise<Written> {
  let bytes = typeof text === "string" ? Buffer.from(text) : text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "EAGAIN") return printLater(fd, bytes);
      // EPIPE: `sonde help | head -1`. EBADF: started with the descriptor closed. Nobody is there to be told.
      return "closed";
    }
  }
  return "written";
}

/** A non-blocking pipe that is full: from here on the stream machinery waits for the reader. */
function printLater(fd: 1 | 2, bytes: Buffer): Promise<Written> {
  const stream = fd === 1 ? process.stdout : process.stderr;
  return new Promise((done) => {
    stream.once("error", () => done("closed"));
    stream.write(bytes, (error) => done(error ? "closed" : "written"));
  });
}
