/** Whether two values of different runs are the same. Pure. */

/** Addresses differ from run to run and mean nothing, but none is none. */
export function comparable(value: string): string {
  return value.includes("0x")
    ? value.replace(/0x[0-9a-fA-F]{6,}/g, (address) => (/^0x0+$/.test(address) ? "0x0" : "0x…"))
    : value;
}

/** Of values that were cut, as far as both go: where the cut fell depends on how long the addresses were. */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  if (!isCutText(a) && !isCutText(b)) return comparable(a) === comparable(b);
  const [x, y] = [known(a), known(b)];
  if (!isCutText(a)) return x.startsWith(y);
  if (!isCutText(b)) return y.startsWith(x);
  const length = Math.min(x.length, y.length);
  return x.slice(0, length) === y.slice(0, length);
}

/** There is more of it than its text shows. */
export function isCutText(value: string): boolean {
  return value.endsWith("…");
}

/** The beginning of an address at the cut is none that could be compared. */
function known(value: string): string {
  return comparable(isCutText(value) ? value.replace(/(0x[0-9a-fA-F]*)?…$/, "") : value);
}

/** Folders of version A, and those of B that stand for them: a value that holds its own path is no difference. */
export type Roots = readonly (readonly [from: string, to: string])[];

export function rootsOf(files: readonly (readonly [a: string, b: string])[]): Roots {
  const roots = new Map<string, string>();
  for (const [a, b] of files) {
    if (a === b) continue;
    const [x, y] = [a.split("/"), b.split("/")];
    const end = Math.min(sharedEnd(a, b), x.length - 1, y.length - 1);
    const [from, to] = [x.slice(0, x.length - end).join("/"), y.slice(0, y.length - end).join("/")];
    if (from.length > 1 && to.length > 1) roots.set(from, to);
  }
  return [...roots].sort(([x], [y]) => y.length - x.length);
}

/** Parts that two paths end with alike. */
export function sharedEnd(a: string, b: string): number {
  const [x, y] = [a.split("/").reverse(), b.split("/").reverse()];
  const end = x.findIndex((part, at) => part !== y[at]);
  return end < 0 ? x.length : end;
}
