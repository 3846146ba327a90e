import { expect, test } from "vitest";
import { closest } from "../../src/util/closest.ts";
import { splitLines, splitWords, unquote } from "../../src/util/shell-words.ts";
import { cut, cutBytes, oneLine, visible } from "../../src/util/text.ts";

test("nothing invisible or commanding passes", () => {
  expect(oneLine("a\u001b[31mred\u0007\nb")).toBe("a\\e[31mred\\x07\\nb");
  expect(oneLine("x\u202ey\u2066z\u200b")).toBe("x\\u202ey\\u2066z\\u200b");
  expect(oneLine("\ud800 alone, 😀 whole")).toBe("\\ud800 alone, 😀 whole");
  expect(visible("a\r\nb\tc\u0000")).toBe("a\nb\tc\\x00");
});

test("text that needs no change is told from text that does, wherever that stands in it", () => {
  for (let code = 0; code < 0x180; code++) {
    const char = String.fromCharCode(code);
    const safe = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code !== 0xad);
    for (const [before, after] of [
      ["", ""],
      ["plain ", ""],
      ["", " plain"],
      ["é", "é"],
    ] as const) {
      const one = oneLine(`${before}${char}${after}`);
      if (safe) expect(one).toBe(`${before}${char}${after}`);
      else expect(one).toMatch(new RegExp(`^${before}\\\\(?:[nrte]|x[0-9a-f]{2})${after}$`));
    }
  }
});

test("cut never splits a pair and says that it cut", () => {
  expect(cut("abcdef", 4)).toBe("abc…");
  expect(cut("ab😀cd", 4)).toBe("ab…");
  expect(cut("abc", 3)).toBe("abc");
  const long = "line\n".repeat(1000);
  const short = cutBytes(long, 200, "[more]");
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(200);
  expect(short.endsWith("[more]")).toBe(true);
});

test("lines and words are split as a shell would, quotes kept together", () => {
  const text = "next; print 'a; b' ; eval \"f(1, 2)\"";
  expect(splitLines(text)).toEqual(["next", "print 'a; b'", 'eval "f(1, 2)"']);
  expect(splitWords("break a.js:3 --condition 'x > 1' --log \"y\"")).toEqual([
    "break",
    "a.js:3",
    "--condition",
    "x > 1",
    "--log",
    "y",
  ]);
  expect(splitWords("print ''")).toEqual(["print", ""]);
  expect(splitLines("print 'open")).toBeUndefined();
  expect(splitLines(" ;; ")).toEqual([]);
});

test("only quotes around the whole are taken off", () => {
  expect(unquote("'a + b'")).toBe("a + b");
  expect(unquote("'a' + 'b'")).toBe("'a' + 'b'");
  expect(unquote('conf["mode"]')).toBe('conf["mode"]');
});

test("did-you-mean finds a slip, not a stranger", () => {
  expect(closest("contnue", ["continue", "context"])).toBe("continue");
  expect(closest("conti", ["continue", "context"])).toBe("continue");
  expect(closest("zzz", ["continue", "context"])).toBeUndefined();
});
