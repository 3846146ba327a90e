/** Words shared by every answer. Pure. */
import { isAbsolute, relative } from "node:path";
import type { SondeError } from "../errors.ts";
import type { OutputLine } from "../session/output-tail.ts";
import type { Limits } from "../session/snapshot.ts";
import { oneLine, visible } from "../util/text.ts";

export interface TextOptions {
  /** Paths below it are shown relative to it. */
  cwd: string;
  limits: Limits;
}

/** No answer is longer, whatever was asked. */
export const ANSWER_CEILING = 64 * 1024;

export function errorText(error: SondeError): string {
  const hint = error.hint === undefined ? "" : `hint: ${visible(error.hint)}\n`;
  return `error ${error.code}: ${visible(error.message)}\n${hint}`;
}

export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return oneLine(path);
  const below = relative(cwd, path);
  return oneLine(below !== "" && !below.startsWith("..") && !isAbsolute(below) ? below : path);
}

/** The program's words, each line behind a bar, so that nothing it prints can pass for ours. */
export function fenced({ stream, text, from }: OutputLine): string {
  const who = [from, stream === "log" ? "log" : undefined].filter(Boolean).join(" ");
  return `  ${who === "" ? "" : `${oneLine(who)} `}| ${visible(text).replaceAll("\n", "\\n")}`;
}

export function lines(...parts: (string | undefined | false | readonly string[])[]): string {
  const all = parts.flatMap((part) => (part === undefined || part === false ? [] : part));
  return all.length === 0 ? "" : `${all.join("\n")}\n`;
}
