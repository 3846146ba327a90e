/** What goes into a report, one file each. */

export interface Item {
  /** Its path in the report. */
  name: string;
  /** Of text every byte is looked at and secrets are taken out; other bytes stay as they are. */
  kind: "text" | "binary";
  /** The same bytes each time it is asked: a file that grows is read as far as it was when the report began. */
  open(): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** What of the whole is not in it, for the manifest. */
  leftOut?: string;
  /** What could not be taken along, counted anew each time that it is read. */
  lost?: Lost;
  /** What was taken out of it before, by kind. */
  removed?: Readonly<Record<string, number>>;
}

export interface Lost {
  /** Lines that are too long to be looked at. */
  long: number;
  /** Lines that are not what all others are. */
  unreadable: number;
}

/** What would belong into it and is not there. */
export interface Missing {
  name: string;
  why: string;
}

export function textItem(name: string, text: string, more: Pick<Item, "leftOut" | "removed"> = {}): Item {
  return { name, kind: "text", open: () => [Buffer.from(text)], ...more };
}

export function jsonItem(name: string, value: unknown): Item {
  return textItem(name, `${JSON.stringify(value, null, 2)}\n`);
}
