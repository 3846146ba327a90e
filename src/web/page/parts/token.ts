/** A part of a line, and what it is (`keyword`, `string`); "" for plain text. */
export type Token = readonly [scope: string, text: string];
