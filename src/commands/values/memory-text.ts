/** Bytes as text: a dump, or numbers of one kind. Pure. */

export const MEMORY_FORMATS = [
  "hex",
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
  "i64",
  "u64",
  "f32",
  "f64",
  "text",
] as const;
export type MemoryFormat = (typeof MEMORY_FORMATS)[number];

/** Sixteen bytes a line, their characters beside them. */
export function dump(address: string, hex: string): string[] {
  return rows(address, Buffer.from(hex, "hex"), 16, (part) => {
    const digits = part.toString("hex").match(/../g) ?? [];
    const text = part.toString("latin1").replace(/[^ -~]/g, ".");
    return `${digits.join(" ").padEnd(47)}  ${text}`;
  });
}

export function memoryLines(address: string, hex: string, format: MemoryFormat): string[] {
  if (format === "hex") return dump(address, hex);
  const bytes = Buffer.from(hex, "hex");
  if (format === "text") return [`${address}  ${JSON.stringify(upToNul(bytes).toString("utf8"))}`];
  const size = Number(format.slice(1)) / 8;
  return rows(address, bytes.subarray(0, bytes.length - (bytes.length % size)), 16, (part) =>
    Array.from({ length: part.length / size }, (_, at) => number(part, at * size, format)).join("  "),
  );
}

function upToNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Little-endian, as are the processors that adapters run on today. */
function number(bytes: Buffer, at: number, format: Exclude<MemoryFormat, "hex" | "text">): string {
  if (format === "f32") return String(bytes.readFloatLE(at));
  if (format === "f64") return String(bytes.readDoubleLE(at));
  if (format === "i64") return String(bytes.readBigInt64LE(at));
  if (format === "u64") return String(bytes.readBigUInt64LE(at));
  const size = Number(format.slice(1)) / 8;
  return String(format.startsWith("i") ? bytes.readIntLE(at, size) : bytes.readUIntLE(at, size));
}

function rows(address: string, bytes: Buffer, perRow: number, row: (part: Buffer) => string): string[] {
  const start = BigInt(address);
  return Array.from({ length: Math.ceil(bytes.length / perRow) }, (_, at) => {
    const part = bytes.subarray(at * perRow, (at + 1) * perRow);
    return `0x${(start + BigInt(at * perRow)).toString(16)}  ${row(part)}`;
  });
}
