/** A profile as columns: a tree of stacks with what each stands for, and, where the profiler kept it, the order in time. Pure. */

import { type CpuProfile, plainFrame } from "./formats/v8.ts";
import { busySamples, type Frame, type Profile } from "./profile.ts";

export interface StackTree {
  frames: Frame[];
  /** Nodes come after the nodes that they are called from; -1 for the outermost. */
  parent: number[];
  /** Index into `frames`. */
  frame: number[];
  /** What is in the node itself. */
  self: number[];
}

export interface Timeline extends StackTree {
  /** Index of a node, -1 while nothing ran; and for how long. */
  node: number[];
  weight: number[];
}

/** Most nodes call few others: those are looked through, which is faster than any table; of more there is a table. */
const FEW = 12;

class TreeBuilder {
  readonly tree: StackTree = { frames: [], parent: [], frame: [], self: [] };
  /** By node: what it calls. */
  readonly #called: number[][] = [];
  readonly #roots: number[] = [];
  readonly #tables = new Map<number, Map<number, number>>();

  child(parent: number, frame: number): number {
    const called = parent < 0 ? this.#roots : (this.#called[parent] ?? []);
    const known = called.length > FEW ? this.#tables.get(parent)?.get(frame) : this.#among(called, frame);
    if (known !== undefined) return known;
    const { tree } = this;
    tree.parent.push(parent);
    tree.self.push(0);
    const node = tree.frame.push(frame) - 1;
    this.#called.push([]);
    called.push(node);
    if (called.length > FEW) this.#note(parent, called);
    return node;
  }

  #among(called: readonly number[], frame: number): number | undefined {
    for (const node of called) if (this.tree.frame[node] === frame) return node;
    return undefined;
  }

  #note(parent: number, called: readonly number[]): void {
    const table = this.#tables.get(parent) ?? new Map<number, number>();
    this.#tables.set(parent, table);
    const from = table.size === 0 ? 0 : called.length - 1;
    for (const node of called.slice(from)) table.set(this.tree.frame[node] ?? 0, node);
  }

  add(node: number, weight: number): void {
    this.tree.self[node] = (this.tree.self[node] ?? 0) + weight;
  }
}

/** Without what is idle. */
export function stackTree(profile: Profile): StackTree {
  const builder = new TreeBuilder();
  builder.tree.frames = profile.frames;
  for (const { stack, weight } of busySamples(profile)) {
    let node = -1;
    for (const frame of stack) node = builder.child(node, frame);
    if (node >= 0) builder.add(node, weight);
  }
  return builder.tree;
}

/** In the order in which V8 saw them; equal ones that follow each other are one. */
export function timelineOf({
  nodes,
  samples = [],
  timeDeltas = [],
  startTime,
  endTime,
}: CpuProfile): Timeline {
  const builder = new TreeBuilder();
  const places = placesOf(nodes, builder);
  const timeline = { node: [] as number[], weight: [] as number[] };
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    const weight = Math.max(0, timeDeltas[index + 1] ?? endTime - at) * 1000;
    const node = places.get(id) ?? -1;
    if (node >= 0) builder.add(node, weight);
    const last = timeline.node.length - 1;
    if (timeline.node[last] === node) timeline.weight[last] = (timeline.weight[last] ?? 0) + weight;
    else {
      timeline.node.push(node);
      timeline.weight.push(weight);
    }
  }
  return { ...builder.tree, ...timeline };
}

/** By V8's numbers: our node, -1 for what is idle. */
function placesOf(nodes: CpuProfile["nodes"], builder: TreeBuilder): Map<number, number> {
  const known = new Map<string, number>();
  const frameOf = (frame: Frame) => {
    const key = JSON.stringify([frame.name, frame.file, frame.line]);
    const at = known.get(key) ?? builder.tree.frames.push(frame) - 1;
    known.set(key, at);
    return at;
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const places = new Map<number, number>();
  const root = nodes[0];
  const open = (root?.children ?? []).map((id) => ({ id, parent: -1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = byId.get(next.id);
    if (node === undefined || places.has(node.id)) continue;
    const frame = plainFrame(node.callFrame);
    const at = frame.kind === "idle" ? -1 : builder.child(next.parent, frameOf(frame));
    places.set(node.id, at);
    if (at >= 0) for (const id of node.children ?? []) open.push({ id, parent: at });
  }
  return places;
}
