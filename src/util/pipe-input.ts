/** The standard input of a process that was started with a pipe. */
import type { Writable } from "node:stream";

export interface PipeInput {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

export function pipeInput(stdin: Writable | null): PipeInput {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (!stdin?.writable) return reject(new Error("the program has closed its standard input"));
        stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    end: async () => void stdin?.end(),
  };
}
