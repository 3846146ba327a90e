/** What a probe fetched, in the words LLDB has for it. */
import { cut } from "../../../util/text.ts";
import { UNAVAILABLE } from "../../plan.ts";
import type { Value } from "./expression.ts";
import type { Kind } from "./informant.ts";
import type { Fetched } from "./language.ts";

export function shown(kind: Kind, fetched: Fetched, chars: number): string {
  if (fetched.gone) return UNAVAILABLE;
  return cut(whole(kind, fetched), chars);
}

export function shownValue({ value, bool }: Value): string {
  return bool ? String(value !== 0n) : String(value);
}

function whole(kind: Kind, { number, text, to }: Fetched): string {
  switch (kind.kind) {
    case "int":
      return String(number);
    case "bool":
      return String(number !== 0n);
    case "char":
      return `'${escaped(Number(BigInt.asUintN(8, number)))}'`;
    case "enum":
      return enumerator(kind, number);
    case "address":
    case "opaque":
      return address(number);
    case "text":
      if (number === 0n) return address(number);
      return `${address(number)} ${text === undefined ? "(not readable)" : quoted(text)}`;
    case "arrow":
      if (number === 0n) return address(number);
      return to === undefined || to.gone
        ? `${address(number)} (not readable)`
        : `${address(number)} → ${whole(kind.to, to)}`;
  }
}

function address(number: bigint): string {
  return `0x${number.toString(16).padStart(16, "0")}`;
}

const NAMED: Record<number, string> = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  27: "\\e",
};

function escaped(code: number, quote?: string): string {
  const named = NAMED[code];
  if (named !== undefined) return named;
  const char = String.fromCharCode(code);
  if (char === quote) return `\\${char}`;
  return code >= 32 && code < 127 ? char : `\\x${code.toString(16).padStart(2, "0")}`;
}

/** As much of a text as LLDB sums up. */
const LONGEST = 1024;

function quoted(bytes: Buffer): string {
  const kept = bytes.subarray(0, LONGEST);
  let out = "";
  for (let at = 0; at < kept.length; ) {
    const code = kept[at] ?? 0;
    const length = code < 0x80 ? 1 : code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
    const char = length > 1 ? kept.toString("utf8", at, at + length) : "";
    if (char !== "" && !char.includes("\ufffd")) {
      out += char;
      at += length;
    } else {
      out += code === 92 ? "\\\\" : escaped(code, '"');
      at++;
    }
  }
  return `"${out}"${bytes.length > LONGEST ? "..." : ""}`;
}

/** The name; several of them where each stands for bits of its own; else the number. */
function enumerator(kind: Extract<Kind, { kind: "enum" }>, number: bigint): string {
  const members = kind.members.map(([name, value]) => ({ name, value: BigInt(value) }));
  const exact = members.find(({ value }) => value === number);
  if (exact) return exact.name;
  let covered = 0n;
  for (const { value } of members) {
    const bits = BigInt.asUintN(kind.size * 8, value);
    if (ones(bits) !== 1 && (bits & ~covered) !== 0n) return String(number);
    covered |= bits;
  }
  let left = BigInt.asUintN(kind.size * 8, number);
  if (left === 0n) return "0x0";
  const names: string[] = [];
  for (const { name, value } of members.toSorted((a, b) => ones(b.value) - ones(a.value)))
    if (value !== 0n && (left & value) === value) {
      names.push(name);
      left &= ~value;
    }
  return [...names, ...(left === 0n ? [] : [`0x${left.toString(16)}`])].join(" | ");
}

function ones(value: bigint): number {
  return [...BigInt.asUintN(64, value).toString(2)].filter((digit) => digit === "1").length;
}

/** The same as an operand; nothing where it has no value. */
export function operand(kind: Kind, { number, gone }: Fetched): Value | undefined {
  if (gone) return undefined;
  switch (kind.kind) {
    case "int":
      return { value: number, bits: kind.size === 8 ? 64 : 32, signed: kind.signed || kind.size < 4 };
    case "bool":
      return { value: number, bits: 32, signed: true, bool: true };
    case "char":
      return { value: number, bits: 32, signed: true };
    default:
      return { value: number, bits: 64, signed: false };
  }
}
