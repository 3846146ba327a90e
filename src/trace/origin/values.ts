/** Texts of values as runners, debuggers and recorders write them, compared. Pure. */

/** Without quotes, spaces and the like that each of them sets in its own way, and without the place of what is referred to. */
export function plain(text: string): string {
  const trimmed = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^0x[0-9a-f]{8,}(?: →)? (?=\S)/, "");
  const [, , inner] = /^(["'`])(.*)\1$/s.exec(trimmed) ?? [];
  const bare = (inner ?? trimmed).replaceAll('"', "'");
  return /^-?\d+\.0$/.test(bare) ? bare.slice(0, -2) : bare;
}

export function isSameValue(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && plain(one) === plain(other);
}

/** Values that many functions return for many reasons. */
export function isTelling(text: string): boolean {
  return !/^(?:|none|null|nil|undefined|true|false|-?[01]|\[\]|\{\}|\(\)|nan)$/i.test(plain(text));
}

/** Whether a value stands in another's text, as a part. */
export function isPart(part: string, whole: string): boolean {
  const [one, all] = [plain(part), plain(whole)];
  // Inside another, `500.0` is written as it is.
  return one !== all && (standsIn(one, all) || standsIn(part.trim(), all));
}

function standsIn(one: string, all: string): boolean {
  const at = all.indexOf(one);
  const isEdge = (letter: string | undefined) => letter === undefined || !/[\p{L}\p{N}_.]/u.test(letter);
  return at >= 0 && isEdge(all[at - 1]) && isEdge(all[at + one.length]);
}
