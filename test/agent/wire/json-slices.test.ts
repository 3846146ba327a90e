/** Finding values in JSON text, against `JSON.parse`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  elementsOf,
  entriesOf,
  insertElement,
  lastEntry,
  replaceAll,
  replaceAt,
  setEntry,
  valueAt,
} from "../../../src/agent/wire/json-slices.ts";

/** JSON text with white space wherever it may stand, escapes that need not be there, and numbers that JavaScript cannot hold. */
const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 2 });
const escaped = fc
  .string({ unit: "binary", maxLength: 6 })
  .map((text) => JSON.stringify(text).replace(/[G-Z]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`));
const quoted = fc.oneof(
  escaped,
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const plain = fc.constantFrom(
  "0",
  "-1.5e+3",
  "12345678901234567890123",
  "true",
  "false",
  "null",
  '""',
  '"\\\\"',
  '"\\\\\\""',
);
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(plain, quoted),
    fc
      .tuple(fc.array(fc.tuple(space, tie("value"), space), { maxLength: 4 }), space)
      .map(
        ([items, inner]) => `[${items.length === 0 ? inner : items.map((item) => item.join("")).join(",")}]`,
      ),
    fc
      .tuple(fc.array(fc.tuple(space, quoted, space, space, tie("value"), space), { maxLength: 4 }), space)
      .map(([items, inner]) => {
        const written = items.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
        return `{${items.length === 0 ? inner : written.join(",")}}`;
      }),
  ),
})).value;

describe("slices of JSON text", () => {
  test("every entry and element is where JSON.parse finds it", () => {
    const check = (text: string, at: number, value: unknown): void => {
      if (Array.isArray(value)) {
        const elements = elementsOf(text, at) ?? [];
        expect(elements.map(({ start, end }) => JSON.parse(text.slice(start, end)))).toEqual(value);
        for (const [index, { start }] of elements.entries()) check(text, start, value[index]);
      } else if (typeof value === "object" && value !== null) {
        const entries = entriesOf(text, at) ?? [];
        expect(new Set(entries.map(({ key }) => key))).toEqual(new Set(Object.keys(value)));
        for (const [key, inner] of Object.entries(value)) {
          const entry = lastEntry(entries, key);
          expect(JSON.parse(text.slice(entry?.value.start, entry?.value.end))).toEqual(inner);
          if (entry) check(text, entry.value.start, inner);
        }
      } else {
        const span = valueAt(text, [], at);
        expect(JSON.parse(text.slice(span?.start, span?.end))).toEqual(value);
      }
    };
    fc.assert(
      fc.property(space, json, space, (before, body, after) => {
        const text = `${before}${body}${after}`;
        check(text, 0, JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("a value that is set is set, and every other character stays", () => {
    fc.assert(
      fc.property(json, fc.constantFrom("a", "model", 'q"uote'), fc.jsonValue(), (body, key, value) => {
        const parsed: unknown = JSON.parse(body);
        const replacement = setEntry(body, key, JSON.stringify(value));
        if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
          expect(replacement).toBeUndefined();
          return;
        }
        if (!replacement) throw new Error("not set");
        const edited = replaceAll(body, [replacement]);
        const wanted = Object.fromEntries([
          ...Object.entries(parsed),
          [key, JSON.parse(JSON.stringify(value))],
        ]);
        expect(Object.entries(JSON.parse(edited) as object).sort()).toEqual(Object.entries(wanted).sort());
        expect(edited.startsWith(body.slice(0, replacement.span.start))).toBe(true);
        expect(edited.endsWith(body.slice(replacement.span.end))).toBe(true);
      }),
    );
  });

  test("an element goes where it should", () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), space, fc.nat(5), (items, inner, index) => {
        const text = `[${inner}${items.join(`${inner},`)}${inner}]`;
        const replacement = insertElement(text, { start: 0, end: text.length }, index, '"new"');
        const wanted: unknown[] = items.map((item) => JSON.parse(item) as unknown);
        wanted.splice(index, 0, "new");
        expect(JSON.parse(replaceAll(text, replacement ? [replacement] : []))).toEqual(wanted);
      }),
    );
  });

  test("text that is not JSON gives something or nothing, at once", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "1", " ") }),
        (text) => {
          entriesOf(text);
          elementsOf(text);
          valueAt(text, ["a", 0]);
          replaceAt(text, ["1"], "2");
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("nesting a hundred thousand deep takes no stack", () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"b":1}`;
    expect(valueAt(deep, ["b"])).toEqual({ start: deep.length - 2, end: deep.length - 1 });
  });
});
