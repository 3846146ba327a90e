/** What V8 says of a run (a .cpuprofile) and of its heap (a sampling profile), in our words. Pure. */
import { type Frame, type FrameKind, type Profile, ProfileBuilder } from "../profile.ts";

export interface CallFrame {
  functionName: string;
  scriptId: string;
  url: string;
  /** From 0. */
  lineNumber: number;
  columnNumber: number;
}

export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[]; hitCount?: number }[];
  startTime: number;
  endTime: number;
  samples?: number[];
  timeDeltas?: number[];
}

export interface HeapProfile {
  head: HeapNode;
  samples?: { nodeId: number }[];
}

export interface HeapNode {
  id?: number;
  callFrame: CallFrame;
  selfSize: number;
  children: HeapNode[];
}

/** Where a function is in the sources that the user wrote. */
export type Placing = (frame: CallFrame) => Frame;

const OF_V8: Record<string, FrameKind> = {
  "(idle)": "idle",
  "(garbage collector)": "gc",
  "(program)": "native",
  "(V8 API)": "native",
};

export function plainFrame({ functionName, url, lineNumber }: CallFrame): Frame {
  const kind = url === "" ? (OF_V8[functionName] ?? "native") : undefined;
  return {
    name: functionName === "" ? "(anonymous)" : functionName,
    ...(url === "" ? {} : { file: url.startsWith("file://") ? pathOf(url) : url }),
    ...(url === "" || lineNumber < 0 ? {} : { line: lineNumber + 1 }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}

/** The time between two samples belongs to the first of them. */
export function fromCpuProfile(data: CpuProfile, place: Placing = plainFrame, most?: number): Profile {
  const builder = new ProfileBuilder("ns", most);
  const stackOf = stacksOf(data, builder, place);
  const seen = new Map<number, { weight: number; count: number }>();
  const { samples = [], timeDeltas = [], startTime, endTime } = data;
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    const next = timeDeltas[index + 1];
    const micros = next ?? Math.max(0, endTime - at);
    const sum = seen.get(id) ?? { weight: 0, count: 0 };
    // V8 now and then reports samples out of order: those deltas are negative.
    sum.weight += Math.max(0, micros) * 1000;
    sum.count++;
    seen.set(id, sum);
  }
  for (const [id, { weight, count }] of seen) {
    const stack = stackOf(id);
    if (stack !== undefined) builder.add(stack, weight, count);
  }
  return builder.build();
}

/** By the callers of a node. Only of those that were seen: all stacks of a deep tree are far more than the tree. */
function stacksOf(
  { nodes }: CpuProfile,
  builder: ProfileBuilder,
  place: Placing,
): (id: number) => number[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map<number, CpuProfile["nodes"][number]>();
  for (const node of nodes) for (const child of node.children ?? []) callers.set(child, node);
  const frames = new Map<number, number>();
  const root = nodes[0];
  return (id) => {
    let node = byId.get(id);
    if (node === undefined) return undefined;
    const stack: number[] = [];
    for (; node !== undefined && node !== root; node = callers.get(node.id)) {
      builder.spend(1);
      const frame = frames.get(node.id) ?? builder.frame(place(node.callFrame));
      frames.set(node.id, frame);
      stack.push(frame);
    }
    return stack.reverse();
  };
}

/** What was allocated at each stack and lives. */
export function fromHeapProfile(
  { head, samples = [] }: HeapProfile,
  place: Placing = plainFrame,
  most?: number,
): Profile {
  const builder = new ProfileBuilder("bytes", most);
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  const open = [{ node: head, stack: [] as number[] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, stack } = next;
    builder.spend(stack.length + 1);
    const own = node === head ? [] : [...stack, builder.frame(place(node.callFrame))];
    if (node.selfSize > 0) builder.add(own, node.selfSize, counts.get(node.id ?? -1) ?? 1);
    for (const child of node.children) open.push({ node: child, stack: own });
  }
  return builder.build();
}

export function isCpuProfile(data: unknown): data is CpuProfile {
  if (typeof data !== "object" || data === null) return false;
  const { nodes, samples } = data as Partial<CpuProfile>;
  return (
    Array.isArray(nodes) &&
    Array.isArray(samples) &&
    nodes.every((node) => typeof node?.callFrame === "object")
  );
}
