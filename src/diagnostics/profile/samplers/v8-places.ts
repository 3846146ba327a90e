/** Functions of V8's profiles where the user wrote them: by the scripts' source maps. */

import { EXIT_URL } from "../../../adapters/node/debug/profiler.ts";
import type { SourceMap } from "../../../adapters/node/debug/source-map.ts";
import { SourceMaps } from "../../../adapters/node/debug/source-maps.ts";
import { isBootFile } from "../../../adapters/node/process/boot-file.ts";
import { type CallFrame, type Placing, plainFrame } from "../formats/v8.ts";
import type { Frame } from "../profile.ts";

/** By the ids of scripts: their own address, and that of their map. */
export type MapPlaces = Readonly<Record<string, { url: string; map: string }>>;

export async function placing(
  places: MapPlaces,
  profile: unknown,
  log: (message: string) => void,
): Promise<Placing> {
  const used = scriptsIn(profile);
  const maps = new SourceMaps(log);
  const known = new Map<string, SourceMap>();
  await Promise.all(
    Object.entries(places).map(async ([id, { url, map }]) => {
      if (!used.has(id) || /[\\/]node_modules[\\/]/.test(url)) return;
      const read = await maps.read(url, map);
      if (read) known.set(id, read);
    }),
  );
  return (frame) => place(frame, known.get(frame.scriptId));
}

function place(frame: CallFrame, map: SourceMap | undefined): Frame {
  const plain = plainFrame(frame);
  // At its exit a program waits for us: that is no time of its own.
  if (plain.file !== undefined && (plain.file.startsWith(EXIT_URL) || isBootFile(plain.file)))
    return { name: "(waits for sonde)", kind: "idle" };
  const { lineNumber: line, columnNumber: column, functionName } = frame;
  const original = map?.original({ line, column });
  if (!map || original === undefined) return plain;
  const name = functionName === "" ? undefined : map.nameBefore({ line, column }, functionName.length);
  return {
    ...plain,
    ...(name === undefined ? {} : { name }),
    file: original.source.path ?? original.source.name,
    line: original.line + 1,
  };
}

function scriptsIn(profile: unknown): Set<string> {
  const used = new Set<string>();
  const { nodes, head } = profile as { nodes?: { callFrame: CallFrame }[]; head?: HeapNode };
  for (const { callFrame } of nodes ?? []) used.add(callFrame.scriptId);
  const open = head === undefined ? [] : [head];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    used.add(next.callFrame.scriptId);
    open.push(...next.children);
  }
  return used;
}

interface HeapNode {
  callFrame: CallFrame;
  children: HeapNode[];
}
