/** The stacks as one tree, the heaviest branch first. Pure. */
import { busySamples, type Frame, type Profile } from "./profile.ts";

export interface TreeNode {
  frame: Frame | undefined;
  weight: number;
  /** Heaviest first. */
  children: TreeNode[];
}

interface Growing {
  frame: Frame | undefined;
  weight: number;
  children: Map<number, Growing>;
}

export function treeOf(profile: Profile): TreeNode {
  const root: Growing = { frame: undefined, weight: 0, children: new Map() };
  for (const { stack, weight } of busySamples(profile)) {
    let node = root;
    node.weight += weight;
    for (const at of stack) {
      const child = node.children.get(at) ?? { frame: profile.frames[at], weight: 0, children: new Map() };
      node.children.set(at, child);
      child.weight += weight;
      node = child;
    }
  }
  return grown(root);
}

/** Without recursion: a program's stack may be deeper than ours. */
function grown(root: Growing): TreeNode {
  const top: TreeNode = { frame: root.frame, weight: root.weight, children: [] };
  const open: [Growing, TreeNode][] = [[root, top]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    for (const child of [...from.children.values()].sort((a, b) => b.weight - a.weight)) {
      const node: TreeNode = { frame: child.frame, weight: child.weight, children: [] };
      to.children.push(node);
      open.push([child, node]);
    }
  }
  return top;
}
