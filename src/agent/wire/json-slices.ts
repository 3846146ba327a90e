/**
 * Where values begin and end in JSON text. A request is edited by replacing just the characters that must change: written anew, a body would lose
 * big numbers, the order of its keys and its white space, and with them signatures and the provider's cache.
 *
 * The text is taken to be valid (`JSON.parse` has seen it); of other text the functions find something or nothing, and always end.
 */

export interface Span {
  start: number;
  /** Just behind the last character. */
  end: number;
}

export interface Entry {
  key: string;
  /** From the quote of its key to the end of its value. */
  whole: Span;
  value: Span;
}

export type Path = readonly (string | number)[];

/** The entries of the object that begins at `at`, duplicates included; undefined if there is none. */
export function entriesOf(text: string, at = 0): Entry[] | undefined {
  let position = skipSpace(text, at);
  if (text[position] !== "{") return undefined;
  const entries: Entry[] = [];
  position = skipSpace(text, position + 1);
  while (text[position] === '"') {
    const start = position;
    const keyEnd = stringEnd(text, position);
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ":") return undefined;
    const valueStart = skipSpace(text, colon + 1);
    const valueEnd = skipValue(text, valueStart);
    if (valueEnd <= valueStart) return undefined;
    entries.push({
      key: readKey(text, start, keyEnd),
      whole: { start, end: valueEnd },
      value: { start: valueStart, end: valueEnd },
    });
    position = skipSpace(text, valueEnd);
    if (text[position] === ",") position = skipSpace(text, position + 1);
  }
  return text[position] === "}" ? entries : undefined;
}

/** The elements of the array that begins at `at`; undefined if there is none. */
export function elementsOf(text: string, at = 0): Span[] | undefined {
  let position = skipSpace(text, at);
  if (text[position] !== "[") return undefined;
  const elements: Span[] = [];
  position = skipSpace(text, position + 1);
  while (position < text.length && text[position] !== "]") {
    const end = skipValue(text, position);
    if (end <= position) return undefined;
    elements.push({ start: position, end });
    position = skipSpace(text, end);
    if (text[position] === ",") position = skipSpace(text, position + 1);
  }
  return text[position] === "]" ? elements : undefined;
}

/** The value at a path of keys and indexes. Of duplicate keys the last one counts, as in `JSON.parse`. */
export function valueAt(text: string, path: Path, at = 0): Span | undefined {
  const start = skipSpace(text, at);
  let span: Span | undefined = { start, end: skipValue(text, start) };
  for (const step of path) {
    if (!span) return undefined;
    span =
      typeof step === "number"
        ? elementsOf(text, span.start)?.[step]
        : lastEntry(entriesOf(text, span.start), step)?.value;
  }
  return span;
}

export function lastEntry(entries: readonly Entry[] | undefined, key: string): Entry | undefined {
  return entries?.findLast((entry) => entry.key === key);
}

export interface Replacement {
  span: Span;
  by: string;
}

/** The text with each span replaced. Spans do not overlap; those at one place (empty ones) go in as they are listed. */
export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  const sorted = [...replacements].sort((a, b) => a.span.start - b.span.start);
  let done = 0;
  let result = "";
  for (const { span, by } of sorted) {
    result += text.slice(done, span.start) + by;
    done = span.end;
  }
  return result + text.slice(done);
}

/** The text with the value at `path` replaced. Of a path that is not there, the text as it is. */
export function replaceAt(text: string, path: Path, json: string): string {
  const span = valueAt(text, path);
  return span ? replaceAll(text, [{ span, by: json }]) : text;
}

/** The text with the value at `path` changed, where there is one. */
export function changeAt(text: string, path: Path, change: (json: string) => string): string {
  const span = valueAt(text, path);
  return span ? replaceAll(text, [{ span, by: change(text.slice(span.start, span.end)) }]) : text;
}

/** How to set a key of the object at `at`: the last value under that name is replaced, or a new entry stands at the end. */
export function setEntry(text: string, key: string, json: string, at = 0): Replacement | undefined {
  const entries = entriesOf(text, at);
  if (!entries) return undefined;
  const entry = lastEntry(entries, key);
  if (entry) return { span: entry.value, by: json };
  const last = entries.at(-1);
  const place = last ? last.whole.end : skipSpace(text, at) + 1;
  const written = `${JSON.stringify(key)}:${json}`;
  return { span: { start: place, end: place }, by: last ? `,${written}` : written };
}

/** How to put a value before element `index` of the array at `at` (at its end, if it has no such element). */
export function insertElement(
  text: string,
  array: Span,
  index: number,
  json: string,
): Replacement | undefined {
  const elements = elementsOf(text, array.start);
  if (!elements) return undefined;
  const next = elements[index];
  if (next) return { span: { start: next.start, end: next.start }, by: `${json},` };
  const last = elements.at(-1);
  const place = last ? last.end : array.start + 1;
  return { span: { start: place, end: place }, by: last ? `,${json}` : json };
}

function readKey(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  if (!inner.includes("\\")) return inner;
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return inner; // not JSON: its own text is as good a name as any
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** Just behind the quote that ends the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c && quote - 1 - slashes > start) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

const ENDS_PLAIN = new Set([..." \n\r\t,]}"].map((char) => char.charCodeAt(0)));

/** Just behind the value that begins at `start`. Depth is counted, not called: nesting costs no stack. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      at++;
      continue;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (depth > 0) {
      at++;
      continue;
    } else {
      while (at < text.length && !ENDS_PLAIN.has(text.charCodeAt(at))) at++;
      return at;
    }
    if (depth === 0) return at;
  }
  return at;
}
