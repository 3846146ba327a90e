/** Values that are numbers, as the languages and their debuggers write them. */

/** `12`, `-0.5`, `1e9`, `0x1f`, `12n`, `97 'a'`; nothing for anything else. */
export function numberIn(value: string): number | undefined {
  const text = value
    .replace(/n$/, "")
    .replace(/^(-?\d+) '.*'$/, "$1")
    .replaceAll("_", "");
  if (/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || /^0x[0-9a-f]+$/i.test(text)) return Number(text);
  if (/^-?(inf|infinity)$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return undefined;
}
