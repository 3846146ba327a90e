/** Values of Go in dlv's words, and its arithmetic: what needs no probe. */
import { describe, expect, test } from "vitest";
import { compile, shown } from "../../../src/trace/collectors/perf/go/evaluate.ts";
import { Reading } from "../../../src/trace/collectors/perf/go/expression.ts";
import { floating, text, wholeNumber } from "../../../src/trace/collectors/perf/go/value-text.ts";
import { Unfit } from "../../../src/trace/collectors/perf/language.ts";
import type { GoType } from "../../../src/trace/go/types.ts";

function bits(value: number, size: 4 | 8): bigint {
  const data = Buffer.alloc(8);
  if (size === 4) data.writeFloatLE(value);
  else data.writeDoubleLE(value);
  return data.readBigUInt64LE();
}

function quoted(bytes: string | Buffer, length?: number): string {
  const data = Buffer.from(bytes);
  return text({ number: 1n, text: data, length: BigInt(length ?? data.length) }, 1000);
}

describe("words", () => {
  test("floats have the shortest digits that mean them, and no exponent", () => {
    expect(floating(bits(0.1, 4), 4)).toBe("0.1");
    expect(floating(bits(1e21, 8), 8)).toBe("1000000000000000000000");
    expect(floating(bits(-1e-7, 8), 8)).toBe("-0.0000001");
    expect(floating(bits(-0, 8), 8)).toBe("0");
    expect(floating(bits(Number.NEGATIVE_INFINITY, 4), 4)).toBe("-Inf");
    // Just between two: the even one, but of a power of two the larger.
    expect(floating(bits(1048576.25, 4), 4)).toBe("1048576.2");
    expect(floating(bits(2 ** -12, 4), 4)).toBe("0.00024414063");
  });

  test("texts are quoted as Go quotes them, with how much is left out", () => {
    expect(quoted('a"\\\n\x07é')).toBe('"a\\"\\\\\\n\\aé"');
    expect(quoted(Buffer.from([0x61, 0xff, 0xe6, 0x97]))).toBe('"a\\xff\\xe6\\x97"');
    expect(quoted("\u200b\u{e0001}")).toBe('"\\u200b\\U000e0001"');
    expect(quoted("x".repeat(512), 600)).toBe(`"${"x".repeat(512)}...+88 more"`);
    // Zeros may be memory that is not there.
    expect(quoted(Buffer.alloc(3))).toBe("<unavailable>");
    expect(quoted("")).toBe('""');
  });

  test("numbers have the names of constants, and unsigned ones of a named type two forms", () => {
    const flags = [1n, 2n, 4n].map((value) => ({ name: `F${value}`, value }));
    expect(wholeNumber(2n, { signed: true }, flags)).toBe("F2 (2)");
    expect(wholeNumber(5n, { name: "main.Flags", signed: false }, flags)).toBe("F1|F4 (5) = 0x5");
    expect(wholeNumber(9n, { signed: true }, flags)).toBe("9");
    expect(wholeNumber(9n, { name: "main.Flags", signed: false })).toBe("9 = 0x9");
    expect(wholeNumber(9n, { name: "uint8", signed: false })).toBe("9");
  });
});

describe("arithmetic", () => {
  const int = (name: string, size: number, signed: boolean): GoType => ({
    ...{ kind: "int", name, size, signed, offset: 0 },
  });
  const types: Record<string, GoType> = {
    i: int("int", 8, true),
    small: int("int8", 1, true),
    u: int("uint64", 8, false),
    on: { kind: "bool", name: "bool", size: 1 },
  };

  function reckoned(expression: string, values: Record<string, bigint>): string | undefined {
    const reading = new Reading();
    const parsed = reading.parse(expression);
    const leaves = reading.paths.map(({ root }) => ({
      ...{ type: types[root] ?? { kind: "other" as const, name: root }, constants: [] },
    }));
    const compiled = compile(parsed, leaves);
    return shown(compiled, 100)(reading.paths.map(({ root }) => ({ number: values[root] ?? 0n })));
  }

  test("has Go's precedence, and wraps around in its type", () => {
    expect(reckoned("i | 1 + 2*3 &^ 2", { i: 8n })).toBe("13");
    expect(reckoned("i == 8 && on || i < 0", { i: 8n, on: 1n })).toBe("true");
    expect(reckoned("small + 100", { small: 100n })).toBe("-56");
    expect(reckoned("u - 1", { u: 0n })).toBe("18446744073709551615");
    expect(reckoned("i / 2", { i: -7n })).toBe("-3");
    expect(reckoned("10 / i", { i: 0n })).toBeUndefined();
  });

  test("leaves what mixes types, or is none of Go's, to dlv", () => {
    for (const odd of ["i + small", "-u", "on < on", "i && on", "i++", "i ? 1 : 2", "f(i)", "i = 2", "'a'"])
      expect(() => reckoned(odd, {})).toThrow(Unfit);
  });
});
