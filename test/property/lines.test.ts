/** Bytes that come in any pieces, cut into lines: what comes out depends on the bytes alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lines, LineTooLong } from "../../src/client/lines.ts";

const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.from("\n")),
    ),
  )
  .map((parts) => Buffer.concat(parts));

function pieces(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => whole.subarray(at[index], end));
}

function split(whole: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; ; ) {
    const end = whole.indexOf(10, from);
    if (end < 0) return lines;
    if (end > from) lines.push(whole.subarray(from, end));
    from = end + 1;
  }
}

describe("lines of the daemon's wire", () => {
  test("are the same wherever the bytes are cut, inside a character too", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), (whole, cuts) => {
        const lines = new Lines(1 << 20);
        expect(pieces(whole, cuts).flatMap((piece) => lines.push(piece))).toEqual(
          split(whole).map((line) => line.toString("utf8")),
        );
      }),
    );
  });

  test("have a length, and one that is over it is refused at once, whole or not", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 1, max: 40 }), (whole, cuts, limit) => {
        const lines = new Lines(limit);
        const last = whole.subarray(whole.lastIndexOf(10) + 1);
        const isOver = [...split(whole), last].some((line) => line.length > limit);
        const push = () => pieces(whole, cuts).flatMap((piece) => lines.push(piece));
        if (isOver) expect(push).toThrow(LineTooLong);
        else expect(push()).toHaveLength(split(whole).length);
      }),
    );
  });
});
