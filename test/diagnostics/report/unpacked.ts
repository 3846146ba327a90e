/** A report's file, taken apart by another reader of tar than wrote it: the system's. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";

export interface Manifest {
  parts: {
    name: string;
    kind: string;
    bytes: number;
    sha256: string;
    removed: Record<string, number>;
    leftOut?: string;
  }[];
  missing: { name: string; why: string }[];
  removed: Record<string, number>;
}

export interface Unpacked {
  /** By path in the report, without its folder. */
  files: Map<string, Buffer>;
  manifest: Manifest;
  /** As `tar` lists it. */
  listing: string[];
  packed: Buffer;
  tar: Buffer;
  text(name: string): string;
}

export function unpacked(file: string): Unpacked {
  const folder = mkdtempSync(join(tmpdir(), "sonde-unpacked-"));
  try {
    execFileSync("tar", ["-xzf", file, "-C", folder]);
    const listing = execFileSync("tar", ["-tvzf", file, "--full-time", "--utc"], { encoding: "utf8" })
      .trim()
      .split("\n");
    const files = new Map<string, Buffer>();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(relative(join(folder, "sonde-report"), path), readFileSync(path));
    }
    const text = (name: string) => files.get(name)?.toString() ?? "";
    const packed = readFileSync(file);
    const manifest = JSON.parse(text("manifest.json")) as Manifest;
    return { files, manifest, listing, packed, tar: gunzipSync(packed), text };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
