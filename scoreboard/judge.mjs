/** Whether an answer leads to the line of a mistake: by what a reader sees of it, place or source line. */

const MOST_BYTES = 2048;

/** Of a diff: whether the answer names the line at all, names it first, and whether the divergence itself is on it. */
export function judgeDiff(text, result, source, lines) {
  const bytes = Buffer.byteLength(text);
  const places = [...text.matchAll(/([\w./-]+):(\d+)\b/g)].flatMap(([, path, line]) => {
    const side = path.includes("fixed/") ? "fixed" : path.includes("buggy/") ? "buggy" : undefined;
    return side === undefined || !path.endsWith(source) ? [] : [{ side, line: Number(line) }];
  });
  const isIt = ({ side, line }) => lines[side].has(line);
  const first = result?.first;
  const isSide = (side, name) =>
    side !== undefined && (lines[name].has(side.ran ?? side.line) || lines[name].has(side.line));
  return {
    bytes,
    named: bytes <= MOST_BYTES && places.some(isIt),
    leads: bytes <= MOST_BYTES && places.slice(0, 1).some(isIt),
    alone: isSide(first?.a, "fixed") || isSide(first?.b, "buggy"),
  };
}

/**
 * Of an answer about one version: its place, also in Python's own words, or the line as it is listed, with its number and its text.
 * Only what stands in the first 2 KB counts: what comes later is a listing, not an answer.
 */
export function shows(answer, source, lines, buggy) {
  const text = Buffer.from(answer).subarray(0, MOST_BYTES).toString();
  const all = buggy.split("\n");
  return [...lines.buggy].some((line) => {
    const words = (all[line - 1] ?? "").trim().slice(0, 24);
    const listed = text.split("\n").some((one) => {
      const number = /^[\s>*-]*(\d+) *\|/.exec(one)?.[1] ?? /:(\d+)\b/.exec(one)?.[1];
      return number !== undefined && Number(number) === line && one.includes(words);
    });
    const name = source.split("/").at(-1).replaceAll(".", "\\.");
    return listed || new RegExp(`${name}(?::|", line )${line}\\b`).test(text);
  });
}
