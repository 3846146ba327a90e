/** Lines that decide whether others run, by their text. Pure. */

export const CONDITIONAL = /^\s*(?:\}\s*)?(?:if|elif|else if|for|while|switch|match|case)\b/;

/** `if … return`, on the line itself or the next. */
export function isWayOut(source: readonly string[], line: number): boolean {
  const isOut = (text = "") => /\b(?:return|continue|break|raise|throw)\b/.test(text);
  const [own = "", next = ""] = source.slice(line - 1, line + 1);
  return (
    /^\s*(?:\}\s*)?(?:if|elif|else if|case)\b/.test(own) &&
    (isOut(own) || (indentOf(next) > indentOf(own) && isOut(next)))
  );
}

export function indentOf(line = ""): number {
  return line.search(/\S|$/);
}
