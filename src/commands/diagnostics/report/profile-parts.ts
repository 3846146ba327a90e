/** Profiles that were taken in the folder of the session, the newest first. Heap snapshots are never among them. */
import { basename } from "node:path";
import type { ProfileFile } from "../../../diagnostics/profile/sampler.ts";
import { list } from "../../../diagnostics/profile/store.ts";
import { fileItem } from "../../../diagnostics/report/file-item.ts";
import type { Item, Missing } from "../../../diagnostics/report/item.ts";

const MOST = 3;
/** No text, so that no path or name could be taken out of it. */
const BINARY = new Set(["pprof", "perf"]);

export async function profileParts(root: string, folder: string): Promise<(Item | Missing)[]> {
  const here = list(root).filter(({ head }) => head.cwd === folder);
  const files = here
    .slice(0, MOST)
    .flatMap(({ head: { id, files: all } }) =>
      all.filter(({ kind }) => kind !== "heapsnapshot").map((file) => partOf(id, file)),
    );
  return Promise.all(files);
}

async function partOf(id: string, { kind, path }: ProfileFile): Promise<Item | Missing> {
  const name = `profiles/${id}/${basename(path)}`;
  if (!BINARY.has(kind)) return fileItem(name, path);
  return { name, why: "left out: its paths cannot be removed, and stacks.folded has the same stacks" };
}
