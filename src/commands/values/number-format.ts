/** Integers and addresses in other bases. */
import { advice, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";

export const FORMATS = ["hex", "binary", "octal", "address", "char"] as const;
export type Format = (typeof FORMATS)[number];

/** Behind an address stands what is there (`0x7ffe {x:1}`), behind a letter's number the letter (`97 'a'`). */
function numberIn(value: string): string {
  return /^(0x[0-9a-f]+) /i.exec(value)?.[1] ?? /^(-?\d+) '/.exec(value)?.[1] ?? value.replace(/n$/, "");
}

export function reformat(value: string, format: Format): string {
  const text = numberIn(value.trim());
  if (!/^-?(\d+|0x[0-9a-f]+)$/i.test(text)) {
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${option({ format })} needs an integer or an address; the value is ${value.slice(0, 40)}`,
    );
  }
  const negative = text.startsWith("-");
  const size = BigInt(negative ? text.slice(1) : text);
  const sign = negative ? "-" : "";
  switch (format) {
    case "hex":
      return `${sign}0x${size.toString(16)}`;
    case "address":
      return `0x${BigInt.asUintN(64, negative ? -size : size)
        .toString(16)
        .padStart(16, "0")}`;
    case "binary":
      return `${sign}0b${size.toString(2)}`;
    case "octal":
      return `${sign}0o${size.toString(8)}`;
    case "char":
      return size > 0x10ffffn || negative
        ? `${value} is not a character`
        : JSON.stringify(String.fromCodePoint(Number(size)));
  }
}
