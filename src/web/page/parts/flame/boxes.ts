/**
 * Flame graphs as boxes: how deep, from where to where, which function. Three orders: as it went in time, the heaviest first, and around
 * one function (who calls it, what it calls). Pure; columns, not objects: a profile has hundreds of thousands of them.
 */

export interface FlameFrame {
  name: string;
  file?: string;
  line?: number;
  kind?: string;
}

export interface StackTree {
  frames: FlameFrame[];
  parent: number[];
  frame: number[];
  self: number[];
}

export interface Timeline extends StackTree {
  node: number[];
  weight: number[];
}

/** By depth, and in each from left to right; box `i` of depth `d` is at `rows[d] + i`. */
export interface Boxes {
  rows: number[];
  from: Float64Array;
  to: Float64Array;
  frame: Int32Array;
  width: number;
  depth: number;
}

class BoxRows {
  readonly #from: number[][] = [];
  readonly #to: number[][] = [];
  readonly #frame: number[][] = [];

  add(depth: number, from: number, to: number, frame: number): void {
    for (let row = this.#from.length; row <= depth; row++) {
      this.#from.push([]);
      this.#to.push([]);
      this.#frame.push([]);
    }
    this.#from[depth]?.push(from);
    this.#to[depth]?.push(to);
    this.#frame[depth]?.push(frame);
  }

  /** The last of a depth, to make it longer. */
  extend(depth: number, frame: number, from: number, to: number): boolean {
    const last = (this.#from[depth]?.length ?? 0) - 1;
    if (last < 0 || this.#frame[depth]?.[last] !== frame || this.#to[depth]?.[last] !== from) return false;
    const row = this.#to[depth];
    if (row !== undefined) row[last] = to;
    return true;
  }

  boxes(width: number): Boxes {
    const rows: number[] = [0];
    for (const row of this.#from) rows.push((rows.at(-1) ?? 0) + row.length);
    return {
      rows,
      from: Float64Array.from(this.#from.flat()),
      to: Float64Array.from(this.#to.flat()),
      frame: Int32Array.from(this.#frame.flat()),
      width,
      depth: this.#from.length,
    };
  }
}

/** With what it called, by node: nodes come after the nodes that call them. */
export function totalsOf({ parent, self }: StackTree): Float64Array {
  const totals = Float64Array.from(self);
  for (let node = parent.length - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (above >= 0) totals[above] = (totals[above] ?? 0) + (totals[node] ?? 0);
  }
  return totals;
}

export function childrenOf({ parent }: StackTree): { roots: number[]; of: number[][] } {
  const roots: number[] = [];
  const of: number[][] = parent.map(() => []);
  for (const [node, above] of parent.entries()) (above < 0 ? roots : (of[above] ?? roots)).push(node);
  return { roots, of };
}

export function leftHeavy(tree: StackTree): Boxes {
  const totals = totalsOf(tree);
  const links = linksOf(tree);
  const rows = new BoxRows();
  const width = siblings(links, links.root).reduce((sum, node) => sum + (totals[node] ?? 0), 0);
  const heaviest = (a: number, b: number) => (totals[b] ?? 0) - (totals[a] ?? 0);
  const open: number[] = [];
  const [at, depth] = [new Float64Array(tree.parent.length), new Int32Array(tree.parent.length)];
  const push = (first: number, start: number, level: number) => {
    const nodes = siblings(links, first);
    if (nodes.length > 1) nodes.sort(heaviest);
    let from = start;
    for (const node of nodes) {
      at[node] = from;
      depth[node] = level;
      from += totals[node] ?? 0;
    }
    for (let last = nodes.length - 1; last >= 0; last--) open.push(nodes[last] ?? 0);
  };
  push(links.root, 0, 0);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [from, level] = [at[node] ?? 0, depth[node] ?? 0];
    rows.add(level, from, from + (totals[node] ?? 0), tree.frame[node] ?? 0);
    push(links.first[node] ?? -1, from, level + 1);
  }
  return rows.boxes(width);
}

/** Of each node the first that it calls, and the next beside it; -1 for none. */
interface Links {
  root: number;
  first: Int32Array;
  next: Int32Array;
}

function linksOf({ parent }: StackTree): Links {
  const [first, next] = [new Int32Array(parent.length).fill(-1), new Int32Array(parent.length).fill(-1)];
  let root = -1;
  for (let node = parent.length - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    next[node] = above < 0 ? root : (first[above] ?? -1);
    if (above < 0) root = node;
    else first[above] = node;
  }
  return { root, first, next };
}

function siblings({ next }: Links, first: number): number[] {
  const all: number[] = [];
  for (let node = first; node >= 0; node = next[node] ?? -1) all.push(node);
  return all;
}

export function inTime(timeline: Timeline): Boxes {
  const rows = new BoxRows();
  let at = 0;
  const chain: number[] = [];
  for (const [index, node] of timeline.node.entries()) {
    const end = at + (timeline.weight[index] ?? 0);
    chain.length = 0;
    for (let one = node; one >= 0; one = timeline.parent[one] ?? -1) chain.push(one);
    chain.reverse();
    let isSame = true;
    for (const [depth, one] of chain.entries()) {
      const frame = timeline.frame[one] ?? 0;
      isSame = isSame && rows.extend(depth, frame, at, end);
      if (!isSame) rows.add(depth, at, end, frame);
    }
    at = end;
  }
  return rows.boxes(at);
}

/** What one function calls, all its calls as one (`callees`), or who calls it (`callers`), the function itself on top. */
export function around(tree: StackTree, frame: number): { callees: Boxes; callers: Boxes } {
  const totals = totalsOf(tree);
  const { of } = childrenOf(tree);
  const tops = outermost(tree, frame);
  const down = new Merged(frame);
  const open = tops.map((node) => ({ node, into: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    down.add(next.into, tree.self[next.node] ?? 0);
    for (const child of of[next.node] ?? [])
      open.push({ node: child, into: down.child(next.into, tree.frame[child] ?? 0) });
  }
  const up = new Merged(frame);
  for (const node of tops) {
    let into = 0;
    for (let above = tree.parent[node] ?? -1; above >= 0; above = tree.parent[above] ?? -1)
      into = up.child(into, tree.frame[above] ?? 0);
    up.add(into, totals[node] ?? 0);
  }
  return { callees: leftHeavy(down.tree(tree.frames)), callers: leftHeavy(up.tree(tree.frames)) };
}

/** Nodes of a function that are in no other call of it. */
function outermost({ parent, frame }: StackTree, wanted: number): number[] {
  const inside = new Uint8Array(parent.length);
  const found: number[] = [];
  for (let node = 0; node < parent.length; node++) {
    const above = parent[node] ?? -1;
    const isInside = above >= 0 && (inside[above] === 1 || frame[above] === wanted);
    if (isInside) inside[node] = 1;
    else if (frame[node] === wanted) found.push(node);
  }
  return found;
}

class Merged {
  readonly #parent = [-1];
  readonly #frame: number[];
  readonly #self = [0];
  readonly #known = new Map<string, number>();

  constructor(frame: number) {
    this.#frame = [frame];
  }

  child(parent: number, frame: number): number {
    const key = `${parent} ${frame}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#parent.push(parent);
    this.#self.push(0);
    const node = this.#frame.push(frame) - 1;
    this.#known.set(key, node);
    return node;
  }

  add(node: number, weight: number): void {
    this.#self[node] = (this.#self[node] ?? 0) + weight;
  }

  tree(frames: FlameFrame[]): StackTree {
    return { frames, parent: this.#parent, frame: this.#frame, self: this.#self };
  }
}

export interface FunctionRow {
  frame: number;
  self: number;
  total: number;
}

/** Every function with its own and its whole weight; calls of itself are not counted twice. The most of its own first. */
export function functionsOf(tree: StackTree): FunctionRow[] {
  const totals = totalsOf(tree);
  const { root, first, next } = linksOf(tree);
  const [self, total] = [new Float64Array(tree.frames.length), new Float64Array(tree.frames.length)];
  const [inside, seen] = [new Int32Array(tree.frames.length), new Uint8Array(tree.frames.length)];
  // Down to the innermost, then beside it, then up again: what is called by itself counts once.
  for (let node = root; node >= 0; ) {
    const frame = tree.frame[node] ?? 0;
    seen[frame] = 1;
    self[frame] = (self[frame] ?? 0) + (tree.self[node] ?? 0);
    if (inside[frame] === 0) total[frame] = (total[frame] ?? 0) + (totals[node] ?? 0);
    inside[frame] = (inside[frame] ?? 0) + 1;
    let to = first[node] ?? -1;
    for (let up = node; to < 0 && up >= 0; up = tree.parent[up] ?? -1) {
      const left = tree.frame[up] ?? 0;
      inside[left] = (inside[left] ?? 0) - 1;
      to = next[up] ?? -1;
    }
    node = to;
  }
  const rows: FunctionRow[] = [];
  for (let frame = 0; frame < seen.length; frame++)
    if (seen[frame] === 1) rows.push({ frame, self: self[frame] ?? 0, total: total[frame] ?? 0 });
  return rows.sort((a, b) => b.self - a.self || b.total - a.total);
}
