/** Data of an answer within the ceiling: long lists and strings are cut, evenly, until it fits, and the answer says so. */

const STEPS = [
  { list: 500, text: 16_000 },
  { list: 200, text: 4000 },
  { list: 100, text: 1000 },
  { list: 50, text: 400 },
  { list: 20, text: 200 },
  { list: 5, text: 100 },
];

export function bounded(data: unknown, maxBytes: number): { data: unknown; truncated?: true } {
  if (fits(data, maxBytes)) return { data };
  for (const limits of STEPS) {
    const cut = shrink(data, limits);
    if (fits(cut, maxBytes)) return { data: cut, truncated: true };
  }
  return { data: null, truncated: true };
}

function fits(data: unknown, maxBytes: number): boolean {
  return Buffer.byteLength(JSON.stringify(data) ?? "") <= maxBytes;
}

function shrink(value: unknown, limits: { list: number; text: number }): unknown {
  if (typeof value === "string")
    return value.length > limits.text ? `${value.slice(0, limits.text)}…` : value;
  if (Array.isArray(value)) return value.slice(0, limits.list).map((one) => shrink(one, limits));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shrink(one, limits)]));
}
