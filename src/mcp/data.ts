/** Plain JSON objects, and keeping them within a budget. */

export type Data = Record<string, unknown>;

export function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
