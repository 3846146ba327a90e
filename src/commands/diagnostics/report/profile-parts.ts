/** Profiles that were taken in the folder of the session, the newest first. Heap snapshots are never among them. */
import { basename } from "node:path";
import { list } from "../../../diagnostics/profile/store.ts";
import { fileItem } from "../../../diagnostics/report/file-item.ts";
import type { Item, Missing } from "../../../diagnostics/report/item.ts";

const MOST = 3;
/** What a profiler writes that is no text. */
const BINARY = new Set(["pprof", "perf"]);

export async function profileParts(root: string, folder: string): Promise<(Item | Missing)[]> {
  const here = list(root).filter(({ head }) => head.cwd === folder);
  const files = here
    .slice(0, MOST)
    .flatMap(({ head: { id, files: all } }) =>
      all
        .filter(({ kind }) => kind !== "heapsnapshot")
        .map(({ kind, path }) =>
          fileItem(`profiles/${id}/${basename(path)}`, path, { kind: BINARY.has(kind) ? "binary" : "text" }),
        ),
    );
  return Promise.all(files);
}
