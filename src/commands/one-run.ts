/** What probe, crash and hang share: a run that is opened, looked at and ended within one command. */
import type { Session } from "../session/session.ts";
import type { ValueLine } from "../session/value-line.ts";
import { cutBytes } from "../util/text.ts";
import { feed } from "./start-arguments.ts";

/** Opens it and gives it its input: none, unless told, so that a program which asks for some is not waited for. */
export async function begin(session: Session, stdin: Buffer | undefined, signal: AbortSignal): Promise<void> {
  await session.open(signal);
  if (stdin !== undefined || session.main?.stdin) feed(session, stdin ?? Buffer.alloc(0));
}

/** Handles belong to a session, and none remains. */
export function plainValues(values: readonly ValueLine[]): ValueLine[] {
  return values.map(({ handle: _, children, ...value }) => ({
    ...value,
    ...(children === undefined ? {} : { children: plainValues(children) }),
  }));
}

/** Without advice that only a session could follow. */
export function sessionless(message: string): string {
  return message.replace(/ \(`sonde [^)]*\)$|; `sonde [^`]*`[^;`]*$/, "");
}

/** A command line as one would type it. */
export function typed(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

/** The first rendering that is short enough, from the fullest to the barest; if none is, the barest, cut. */
export function fitted(
  levels: number,
  bytes: number,
  more: string,
  render: (level: number) => string,
): string {
  for (let level = 0; level < levels; level++) {
    const text = render(level);
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return cutBytes(render(levels - 1), bytes, `[cut: ${more}]`);
}
