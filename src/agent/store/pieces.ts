/** Where a request body is cut for storing. Each request repeats most of the one before it, so equal beginnings must give equal pieces. */
import type { SecretSpan } from "../../util/secrets/mask.ts";

/** A file for each short message would cost more than the bytes it saves. */
const LEAST_PIECE = 2048;

/** Cuts between pieces, in order, none inside a secret and none closer than a piece is worth. */
export function cutsFor(length: number, cuts: readonly number[], secrets: readonly SecretSpan[]): number[] {
  const sorted = [...new Set(cuts)].filter((cut) => cut > 0 && cut < length).sort((a, b) => a - b);
  const chosen: number[] = [];
  let last = 0;
  let secret = 0;
  for (const cut of sorted) {
    while ((secrets[secret]?.end ?? length) <= cut) secret += 1;
    const span = secrets[secret];
    if (span !== undefined && span.start < cut) continue;
    // Counted from the beginning: what is said later does not move them.
    if (cut - last < LEAST_PIECE) continue;
    chosen.push(cut);
    last = cut;
  }
  return chosen;
}

/** The texts between the cuts, each with the secrets in it, which are counted from its beginning. */
export function piecesOf(
  text: string,
  cuts: readonly number[],
  secrets: readonly SecretSpan[],
): { text: string; secrets: SecretSpan[] }[] {
  let next = 0;
  return [0, ...cuts].map((from, at) => {
    const to = cuts[at] ?? text.length;
    const inside: SecretSpan[] = [];
    for (let one = secrets[next]; one !== undefined && one.start < to; one = secrets[next]) {
      inside.push({ ...one, start: one.start - from, end: one.end - from });
      next += 1;
    }
    return { text: text.slice(from, to), secrets: inside };
  });
}
