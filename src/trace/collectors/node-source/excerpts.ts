/**
 * An uncaught exception is printed with the line it came from, as V8 compiled it: with our calls in it. Here it is put back as the
 * user wrote it, without a frame of ours. Where we passed an exception on, the line is that of its own stack.
 */
import { readFileSync } from "node:fs";
import { pathOfUrl } from "../../../adapters/node/debug/script-url.ts";

const EXCERPT = /^((?:file:\/\/)?\/[^\n]*):(\d+)\n([^\n]*__sonde\$[^\n]*)\n([ \t]*)\^+$/gm;
const PASSED_ON = /throw __sonde\$e\b/;

/** The frame through which modules are compiled when they are recorded. */
const OWN_FRAME = /^[ \t]+at [^\n]*[/\\]node-source[/\\]runtime[/\\][\w.-]+\.cjs:\d+:\d+\)?\n/gm;

export function asWritten(output: string): string {
  const stderr = output.includes("    at ") ? output.replace(OWN_FRAME, "") : output;
  if (!stderr.includes("__sonde$")) return stderr;
  return stderr.replace(
    EXCERPT,
    (whole, file: string, line: string, compiled: string, blank: string, at: number) => {
      const path = pathOfUrl(file) ?? file;
      const isPassedOn = PASSED_ON.test(compiled.slice(Math.max(0, blank.length - 60), blank.length + 20));
      const thrown = isPassedOn ? firstFrame(stderr.slice(at + whole.length)) : undefined;
      const place = thrown ?? { file, path, line: Number(line) };
      const written = lineOf(place.path, place.line);
      if (written === undefined) return whole;
      const column = thrown === undefined ? columnIn(written, compiled, blank.length) : throwIn(written);
      return `${place.file}:${place.line}\n${written}\n${written.slice(0, column).replace(/[^\t]/g, " ")}^`;
    },
  );
}

function firstFrame(text: string): { file: string; path: string; line: number } | undefined {
  const found = /^\s+at .*?((?:file:\/\/)?\/[^\n():]*):(\d+):\d+\)?$/m.exec(text);
  const [, file = "", line] = found ?? [];
  return found === null ? undefined : { file, path: pathOfUrl(file) ?? file, line: Number(line) };
}

/** The columns of the stack are those of the compiled line. */
function throwIn(written: string): number {
  const found = /\bthrow\b/.exec(written);
  return found?.index ?? written.length - written.trimStart().length;
}

function lineOf(path: string, line: number): string | undefined {
  try {
    return readFileSync(path, "utf8").split("\n")[line - 1];
  } catch {
    return undefined; // no file of that name: then it stays as it is
  }
}

/** Where the rest of the compiled line begins in the written one: nothing of ours comes after it, or there is no telling. */
function columnIn(written: string, compiled: string, column: number): number {
  const rest = compiled.slice(column);
  return written.endsWith(rest) ? written.length - rest.length : written.length - written.trimStart().length;
}
