// Versions: read, compared, chosen by a range.

export interface Version {
  parts: number[];
  tag: string;
}

export function read(text: string): Version {
  const [numbers = "", tag = ""] = text.trim().split("-");
  const parts = numbers.split(".").map(Number);
  while (parts.length < 3) parts.push(0);
  return { parts, tag };
}

export function compare(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    const gap = a.parts[i]! - b.parts[i]!;
    if (gap !== 0) return Math.sign(gap);
  }
  if (a.tag === b.tag) return 0;
  if (a.tag === "") return 1;
  if (b.tag === "") return -1;
  return a.tag < b.tag ? -1 : 1;
}

function upper(base: Version, sign: string): Version {
  const [major, minor, patch] = base.parts as [number, number, number];
  if (sign === "~") return { parts: [major, minor + 1, 0], tag: "" };
  if (major > 0) return { parts: [major + 1, 0, 0], tag: "" };
  if (minor > 0) return { parts: [0, minor + 1, 0], tag: "" };
  return { parts: [0, 0, patch + 1], tag: "" };
}

export function fits(version: Version, range: string): boolean {
  for (const one of range.split(" ")) {
    const [, sign = "", text = ""] = /^([~^<>=]*)(.*)$/.exec(one) ?? [];
    const base = read(text);
    const order = compare(version, base);
    if (sign === "^" || sign === "~") {
      if (order < 0 || compare(version, upper(base, sign)) >= 0) return false;
      if (version.tag !== "" && base.tag === "") return false;
    } else if (sign === ">=" ? order < 0 : sign === "<" ? order >= 0 : order !== 0) return false;
  }
  return true;
}

export function best(texts: readonly string[], range: string): string | undefined {
  let chosen: string | undefined;
  for (const text of texts) {
    const version = read(text);
    if (!fits(version, range)) continue;
    if (chosen === undefined || compare(version, read(chosen)) > 0) chosen = text;
  }
  return chosen;
}

export function sorted(texts: readonly string[]): string[] {
  const list = texts.slice();
  list.sort((a, b) => compare(read(a), read(b)));
  return list;
}

// driver

export const TEXTS = ["1.2.0", "0.3.4", "1.10.1", "2.0.0-beta", "0.3.9", "1.2.5", "2.0.0", "2.0.0-alpha"];

if (process.argv[1]?.endsWith("versions.ts")) {
  for (const range of ["^1.2.0", "~1.2.0", "^0.3.4", ">=1.2.1 <2.0.0", "1.2.0", "^2.0.0-alpha", "^3.0.0"])
    console.log(range, best(TEXTS, range));
  console.log(sorted(TEXTS), TEXTS[0]);
}
