/** What a `return` of Go gives, read before it runs: expressions without calls, in functions that defer nothing. */
import type { Returned } from "../language.ts";

export function returned(lines: readonly string[], line: number): Returned | undefined {
  const text = (lines[line - 1] ?? "").replace(/\s*\/\/.*$/, "");
  const [, given] = /^\s*return\s+(\S.*)$/.exec(text) ?? [];
  if (
    given === undefined ||
    /[{`]|<-|\bfunc\b|[\w\])]\s*\(|[,(+\-*/&|^<>=%]$/.test(given) ||
    defers(lines, line)
  )
    return undefined;
  const expressions = split(given);
  return expressions === undefined ? undefined : { expressions, isSure };
}

/** What is deferred may give its results other values. */
function defers(lines: readonly string[], line: number): boolean {
  for (let at = line - 1; at >= 0; at--) {
    const text = lines[at] ?? "";
    if (/^\s*defer\b/.test(text)) return true;
    if (/^func\b/.test(text)) return false;
    // A function inside another may be left here, or the one around it.
    if (/\bfunc\s*\(/.test(text)) return true;
  }
  return true;
}

/** At commas that stand in no brackets and no text. */
function split(text: string): string[] | undefined {
  const parts = [""];
  let depth = 0;
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\s\S]/g) ?? []) {
    if ("([".includes(token)) depth++;
    if (")]".includes(token)) depth--;
    if (token === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return depth === 0 ? parts.map((one) => one.trim()) : undefined;
}

const BITS: Record<string, number> = { int8: 8, int16: 16, int32: 32, rune: 32, int64: 64, int: 64 };

/** dlv computes exactly, Go with so many bits: what does not fit was computed otherwise. */
function isSure(expression: string, value: string, type: string): boolean {
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "0");
  if (!/[+\-*/%&|^]|<<|>>/.test(bare.replace(/^-(?=[\w.]+$)/, ""))) return true;
  if (/^(?:bool|string)$/.test(type)) return true;
  const bits = BITS[type.replace(/^u/, "")] ?? 0;
  if (bits === 0 || !/^-?\d+$/.test(value)) return false;
  const number = BigInt(value);
  return type.startsWith("u")
    ? number >= 0n && number < 1n << BigInt(bits)
    : number >= -(1n << BigInt(bits - 1)) && number < 1n << BigInt(bits - 1);
}
