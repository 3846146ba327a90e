/** Numbers in JSON text that JavaScript cannot hold: read and written again, 9007199254740993 is 9007199254740992. */

const NUMBER_OR_STRING = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Each of them as it is written. Of text that is not JSON, whatever looks like one. */
export function inexactNumbers(json: string): string[] {
  const found = json.match(NUMBER_OR_STRING) ?? [];
  return found.filter((one) => one[0] !== '"' && (one.length > 15 || /[eE]/.test(one)) && !isExact(one));
}

/** The text itself, where a value that was read from it is not the same any more. */
export function exactJson(json: string): string | undefined {
  return inexactNumbers(json).length > 0 ? json : undefined;
}

/** As many digits as JavaScript would write, whatever the spelling. */
function isExact(written: string): boolean {
  return digitsOf(written) === digitsOf(String(Number(written)));
}

/** `-12.50e3` → `-125e2`: digits without zeros at either end, and the power of ten of the last. */
function digitsOf(written: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0";
  return `${sign}${digits}e${Number(power) - fraction.length + all.length - digits.length}`;
}
