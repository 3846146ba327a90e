/** Installed code that two runs loaded: which packages are not the same in both, and which only one of them loaded. */
import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Package } from "../../adapters/adapter.ts";
import { sharedEnd } from "../../trace/diff/same-text.ts";

export interface LoadedPackage extends Package {
  /** Of it, those that were loaded. */
  files: string[];
}

/** One that differs. */
export interface DifferingPackage {
  name: string;
  a: Package;
  b: Package;
}

export interface PackageDifference {
  differing: DifferingPackage[];
  /** Names of those that only one run loaded: no difference in what is installed. */
  loadedOnly: { a: string[]; b: string[] };
}

export async function loadedPackages(
  files: ReadonlySet<string>,
  packageOf: (path: string) => Package | undefined | Promise<Package | undefined>,
): Promise<LoadedPackage[]> {
  const known = new Map<string, LoadedPackage>();
  for (const path of files) {
    const near = [...known.values()].find(({ folder }) => isOf(path, folder));
    const one = near ?? (await packageOf(path));
    if (one === undefined) continue;
    const kept = known.get(one.folder) ?? { ...one, files: [] };
    known.set(one.folder, kept);
    kept.files.push(path);
  }
  return [...known.values()];
}

/** Not of a package that lies in it. */
const isOf = (path: string, folder: string) =>
  path.startsWith(`${folder}/`) && !path.slice(folder.length).includes("/node_modules/");

type Loaded = readonly LoadedPackage[];

/** An answer is made several times from the same runs, and reading takes long. */
const compared = new WeakMap<Loaded, WeakMap<Loaded, Promise<PackageDifference>>>();

export function comparePackages(a: Loaded, b: Loaded): Promise<PackageDifference> {
  const withA = compared.get(a) ?? new WeakMap<Loaded, Promise<PackageDifference>>();
  compared.set(a, withA);
  const found = withA.get(b) ?? comparedAnew(a, b);
  withA.set(b, found);
  return found;
}

/** By the bytes of what was loaded; where those are the same, by their versions. */
async function comparedAnew(a: Loaded, b: Loaded): Promise<PackageDifference> {
  const byBytes: DifferingPackage[] = [];
  const byVersion: DifferingPackage[] = [];
  const loadedOnly: PackageDifference["loadedOnly"] = { a: [], b: [] };
  for (const [x, y] of paired(a, b)) {
    if (x === undefined || y === undefined) {
      const only = x ?? y;
      if (only !== undefined && isTold(only)) loadedOnly[y === undefined ? "a" : "b"].push(only.name);
      continue;
    }
    if (x.folder === y.folder) continue;
    const pair = { name: x.name, a: bare(x), b: bare(y) };
    if (x.version !== y.version) byVersion.push(pair);
    if (!(await sameFiles(x, y))) byBytes.push(pair);
  }
  return { differing: byBytes.length > 0 ? byBytes : byVersion, loadedOnly };
}

/** What is compiled is told of only as a run ends, which one that is killed does not. */
const isTold = ({ files }: LoadedPackage) => files.some((path) => !/\.(?:so|pyd|node)$/.test(path));

const bare = ({ name, folder, version }: LoadedPackage): Package => ({
  name,
  folder,
  ...(version === undefined ? {} : { version }),
});

type Pair = [LoadedPackage | undefined, LoadedPackage | undefined];

/** One name may be installed several times: those whose paths end alike go together. */
function paired(a: Loaded, b: Loaded): Pair[] {
  const free = new Set(b);
  const pairs = a.map((one): Pair => {
    const others = [...free].filter(({ name }) => name === one.name);
    const [best] = others.sort((x, y) => sharedEnd(y.folder, one.folder) - sharedEnd(x.folder, one.folder));
    if (best !== undefined) free.delete(best);
    return [one, best];
  });
  return [...pairs, ...[...free].map((one): Pair => [undefined, one])];
}

/** What one of the runs loaded, as both have it on disk: that the other did not load a file is no difference in the package. */
async function sameFiles(a: LoadedPackage, b: LoadedPackage): Promise<boolean> {
  const below = ({ folder, files }: LoadedPackage) => files.map((path) => relative(folder, path));
  for (const name of new Set([...below(a), ...below(b)]))
    if (!(await sameBytes(join(a.folder, name), join(b.folder, name)))) return false;
  return true;
}

/** Not both at once with those of other files: 20,000 may have been loaded. */
async function sameBytes(a: string, b: string): Promise<boolean> {
  try {
    const [x, y] = await Promise.all([stat(a), stat(b)]);
    if (x.size !== y.size) return false;
    const [left, right] = await Promise.all([readFile(a), readFile(b)]);
    return left.equals(right);
  } catch {
    return false; // only one has it, or it is gone since
  }
}
