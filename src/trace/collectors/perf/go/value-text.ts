/** Values in dlv's words. */
import { cut } from "../../../../util/text.ts";
import type { Constant } from "../../../go/types.ts";
import { UNAVAILABLE } from "../../../plan.ts";
import type { Fetched } from "../language.ts";

/** dlv reads no more of a text unless it is asked for it alone. */
export const MOST_BYTES = 512;

/** Numbers of the language's own unsigned types are shown once, as sessions show them (`adapters/delve/plain-texts.ts`). */
const SHOWN_ONCE = /^(uint(8|16|32|64)?|byte)$/;

export function wholeNumber(
  value: bigint,
  { name: type = "", signed }: { name?: string; signed: boolean },
  constants: readonly Constant[] = [],
): string {
  const name = described(value, constants);
  const text = name === "" ? String(value) : `${name} (${value})`;
  return signed || (name === "" && SHOWN_ONCE.test(type)) ? text : `${text} = 0x${value.toString(16)}`;
}

/** By the name of a constant of its type, or of several that are a bit each. */
function described(value: bigint, constants: readonly Constant[]): string {
  const wrapped = BigInt.asIntN(64, value);
  const exact = constants.find((one) => one.value === wrapped);
  if (exact) return exact.name;
  const names: string[] = [];
  let left = wrapped;
  for (const one of constants) {
    const bits = BigInt.asUintN(64, one.value);
    if (bits === 0n || (bits & (bits - 1n)) !== 0n || (left & one.value) === 0n) continue;
    names.push(one.name);
    left &= ~one.value;
  }
  return left === 0n ? names.join("|") : "";
}

/** The shortest digits that mean this number, without an exponent. */
export function floating(bits: bigint, size: 4 | 8): string {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(bits);
  const value = size === 4 ? data.readFloatLE(0) : data.readDoubleLE(0);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Inf" : "+Inf";
  if (value === 0) return "0"; // dlv knows no negative one
  const sign = value < 0 ? "-" : "";
  return sign + plain(size === 4 ? shortest(Math.abs(value)) : Math.abs(value).toExponential());
}

function shortest(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = evenly(value, digits);
    if (Math.fround(Number(text)) === value) return text;
    // Just above a power of two there is more room than below it.
    const other = nextDigit(text, 1n);
    if (Math.fround(Number(other)) === value) return other;
  }
  return value.toExponential();
}

/** So many digits after the first; what is just between two becomes the even one, but of powers of two the larger, as in Go. */
function evenly(value: number, digits: number): string {
  const text = value.toExponential(digits);
  if (!/[13579]e/.test(text) || Number.isInteger(Math.log2(value))) return text;
  const [exact = ""] = value.toExponential(100).split("e");
  return /^50*$/.test(exact.slice(digits + 2)) ? nextDigit(text, -1n) : text;
}

/** With a last digit that is larger by so much. */
function nextDigit(text: string, by: bigint): string {
  const [mantissa = "", exponent = ""] = text.split("e");
  const digits = (BigInt(mantissa.replace(".", "")) + by).toString();
  const shift = digits.length - mantissa.replace(".", "").length;
  return `${digits[0]}.${digits.slice(1)}e${Number(exponent) + shift}`;
}

/** `1.25e+3` → `1250`. */
function plain(exponential: string): string {
  const [mantissa = "", exponent = "0"] = exponential.split("e");
  const digits = mantissa.replace(".", "").replace(/0+$/, "") || "0";
  const point = Number(exponent) + 1;
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + "0".repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Of a text that may be longer than what was fetched of it. */
export function text({ text: bytes = Buffer.alloc(0), length = 0n }: Fetched, chars: number): string {
  const kept = textBytes({ number: 0n, text: bytes, length });
  if (kept === undefined) return UNAVAILABLE;
  const left = Number(length) - kept.length;
  const whole = left > 0 ? Buffer.concat([kept, Buffer.from(`...+${left} more`)]) : kept;
  return cut(quoted(whole), chars);
}

/** Nothing where it cannot be told: memory that is not there reads as zeros. */
export function textBytes({ text: bytes = Buffer.alloc(0), length = 0n }: Fetched): Buffer | undefined {
  if (length < 0n || length > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const kept = bytes.subarray(0, Math.min(Number(length), MOST_BYTES));
  return kept.length > 0 && kept.every((byte) => byte === 0) ? undefined : kept;
}

const NAMED: Record<number, string> = {
  ...{ 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\" },
};
const PRINTED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** As Go writes a text that is to be read again. */
function quoted(bytes: Buffer): string {
  let out = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const char = bytes.toString("utf8", at, at + length);
    const code = char.codePointAt(0) ?? 0;
    const valid =
      Buffer.byteLength(char) === length && Buffer.from(char).equals(bytes.subarray(at, at + length));
    if (!valid) {
      out += `\\x${first.toString(16).padStart(2, "0")}`;
      at++;
      continue;
    }
    out += NAMED[code] ?? (PRINTED.test(char) ? char : unprinted(code));
    at += length;
  }
  return `"${out}"`;
}

function unprinted(code: number): string {
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}
