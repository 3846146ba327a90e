/** Reading what commands answer: plain JSON whose shape is another build's promise, so nothing is taken for granted. */

export type Data = Record<string, unknown>;

/** The objects of a list; nothing if it is none. */
export function records(value: unknown): Data[] {
  return Array.isArray(value) ? value.filter(isData) : [];
}

export function listIn(data: unknown, key: string): Data[] {
  return isData(data) ? records(data[key]) : [];
}

export function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function idsOf(rows: readonly Data[]): number[] {
  return rows.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
}

/** Data within a budget: long lists and texts are cut, evenly, until it fits, and it says so. */
export function bounded(data: Data, maxBytes: number): Data {
  if (fits(data, maxBytes)) return data;
  for (const size of [200, 100, 50, 20, 10, 5, 2]) {
    const cut = shrink(data, size);
    if (isData(cut) && fits({ ...cut, truncated: true }, maxBytes)) return { ...cut, truncated: true };
  }
  return { truncated: true };
}

function fits(data: unknown, maxBytes: number): boolean {
  return Buffer.byteLength(JSON.stringify(data)) <= maxBytes;
}

function shrink(value: unknown, size: number): unknown {
  if (typeof value === "string") return value.length > size * 20 ? `${value.slice(0, size * 20)}…` : value;
  if (Array.isArray(value)) return value.slice(0, size).map((one) => shrink(one, size));
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shrink(one, size)]));
}
