/** Which package a file is of: the outermost one that holds it, and its version by the *.dist-info beside it. */
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Package } from "../adapter.ts";

const INSTALLED = /^(.*\/(?:site|dist)-packages)\/([^/]+)/;
const MOST_BYTES = 4 << 20;

export async function packageOf(path: string): Promise<Package> {
  const [, site, first] = INSTALLED.exec(path) ?? [];
  const folder = site !== undefined && first !== undefined ? join(site, first) : outermost(path);
  const name = basename(folder).split(".", 1)[0] ?? basename(folder);
  return { name, folder, ...(await versionOf(dirname(folder), name)) };
}

/** By the files that make folders packages. */
function outermost(path: string): string {
  const above = dirname(path);
  return existsSync(join(above, "__init__.py")) ? outermost(above) : path;
}

/** `folder-1.0.dist-info`; of one that is installed under another name (PyYAML has yaml) the one that lists it. */
async function versionOf(site: string, name: string): Promise<Pick<Package, "version">> {
  const all = await infosIn(site);
  const named = all.find((one) => plain(one.name) === plain(name));
  if (named !== undefined) return { version: named.version };
  for (const one of all) if ((await one.holds()).has(name)) return { version: one.version };
  return {};
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, "_");

interface Info {
  name: string;
  version: string;
  /** The names under which it is imported: read once, when first asked for. */
  holds(): Promise<ReadonlySet<string>>;
}

/** By folder, as it was at that time: every package that is installed or removed changes it. */
const known = new Map<string, { mtimeMs: number; infos: Info[] }>();
const MOST_SITES = 16;

async function infosIn(site: string): Promise<Info[]> {
  try {
    const { mtimeMs } = await stat(site);
    const kept = known.get(site);
    if (kept?.mtimeMs === mtimeMs) return kept.infos;
    const infos = (await readdir(site)).flatMap((folder) => infoOf(site, folder));
    if (known.size >= MOST_SITES) known.delete(known.keys().next().value ?? "");
    known.set(site, { mtimeMs, infos });
    return infos;
  } catch {
    return []; // not there any more
  }
}

function infoOf(site: string, folder: string): Info[] {
  const [, name, version] = /^(.+?)-([^-]+)(?:-py[\d.]+)?\.(?:dist|egg)-info$/.exec(folder) ?? [];
  if (name === undefined || version === undefined) return [];
  let names: Promise<ReadonlySet<string>> | undefined;
  const holds = () => {
    names ??= namesIn(join(site, folder));
    return names;
  };
  return [{ name, version, holds }];
}

async function namesIn(info: string): Promise<ReadonlySet<string>> {
  // Newer ones have no list of their own.
  const listed = await textOf(join(info, "top_level.txt"));
  if (listed !== undefined) return new Set(listed.split(/\r?\n/));
  const files = (await textOf(join(info, "RECORD"))) ?? "";
  return new Set([...files.matchAll(/^([^/,\n]+?)(?:\/|\.py,)/gm)].map(([, name]) => name ?? ""));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MOST_BYTES) return undefined;
    return await readFile(path, "utf8");
  } catch {
    return undefined; // installed in another way
  }
}
