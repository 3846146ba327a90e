/**
 * A flame graph as one SVG file that needs nothing else: the outermost function at the top, the heaviest branch at the left. It can be read as
 * it is; its script zooms and searches. Whatever a program calls its functions is text in it, never markup. Pure.
 */
import { oneLine } from "../../util/text.ts";
import { type TreeNode, treeOf } from "./flame-tree.ts";
import type { Frame, Profile } from "./profile.ts";
import { SCRIPT } from "./svg-script.ts";
import { amountText, shareText } from "./words.ts";

const WIDTH = 1200;
const MARGIN = 10;
const TOP = 70;
const ROW = 18;
/** Of a letter, in pixels, in the font below. */
const LETTER = 6.7;
/** Narrower ones are not drawn: nobody could see them. */
const LEAST_PIXELS = 0.3;
const MOST_FRAMES = 20_000;

interface Box {
  node: TreeNode;
  /** Of the whole width, 0 to 1. */
  x: number;
  width: number;
  depth: number;
}

export function toSvg(profile: Profile, title: string): string {
  const root = treeOf(profile);
  const boxes = boxesOf(root);
  const inner = WIDTH - 2 * MARGIN;
  const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
  const height = TOP + (depth + 1) * ROW + MARGIN;
  const about = `${amountText(root.weight, profile.unit)} in all; width is ${profile.unit === "ns" ? "time" : "memory"}. Click to zoom, click the top row to go back.`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" data-inner="${inner}" data-margin="${MARGIN}" data-letter="${LETTER}">
<style>
svg { font: 11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: #fff; }
.f rect { stroke: #fff; stroke-width: 0.5; }
.f { cursor: pointer; }
.f:hover rect { stroke: #000; }
.f text { fill: #111; pointer-events: none; }
.past rect { opacity: 0.45; }
.hit rect { fill: #b47ae8; }
.title { font-size: 15px; font-weight: bold; fill: #111; }
.about, .found { fill: #555; }
input { font: inherit; width: 200px; box-sizing: border-box; }
</style>
<text class="title" x="${MARGIN}" y="24">${escaped(shortened(title, 110))}</text>
<text class="about" x="${MARGIN}" y="44">${escaped(about)}</text>
<text class="found" x="${WIDTH - MARGIN}" y="62" text-anchor="end"></text>
<foreignObject x="${WIDTH - MARGIN - 210}" y="28" width="210" height="26"><input xmlns="http://www.w3.org/1999/xhtml" type="search" placeholder="search functions" style="display:none"/></foreignObject>
${boxes.map((box) => boxText(box, root.weight, profile)).join("\n")}
<script><![CDATA[${SCRIPT}]]></script>
</svg>
`;
}

function boxesOf(root: TreeNode): Box[] {
  const boxes: Box[] = [];
  if (root.weight <= 0) return [{ node: root, x: 0, width: 1, depth: 0 }];
  const open: Box[] = [{ node: root, x: 0, width: 1, depth: 0 }];
  for (let at = 0; at < open.length && boxes.length < MOST_FRAMES; at++) {
    const box = open[at];
    if (!box) break;
    boxes.push(box);
    let { x } = box;
    for (const child of box.node.children) {
      const width = child.weight / root.weight;
      if (width * (WIDTH - 2 * MARGIN) >= LEAST_PIXELS)
        open.push({ node: child, x, width, depth: box.depth + 1 });
      x += width;
    }
  }
  return boxes;
}

function boxText({ node, x, width, depth }: Box, all: number, { unit }: Profile): string {
  const inner = WIDTH - 2 * MARGIN;
  const [left, wide, top] = [MARGIN + x * inner, width * inner, TOP + depth * ROW];
  const name = node.frame === undefined ? "all" : nameOf(node.frame);
  const share = shareText(all === 0 ? 0 : node.weight / all);
  const whole = `${name}${placeOf(node.frame)}: ${share}, ${amountText(node.weight, unit)}`;
  const room = Math.floor((wide - 6) / LETTER);
  const shown = room < 3 ? "" : escaped(shortened(name, room));
  return `<g class="f" data-x="${x.toFixed(6)}" data-w="${width.toFixed(6)}" data-d="${depth}" data-n="${escaped(name)}"><title>${escaped(whole)}</title><rect x="${left.toFixed(2)}" y="${top}" width="${wide.toFixed(2)}" height="${ROW - 1}" rx="2" fill="${colourOf(node.frame)}"/><text x="${(left + 3).toFixed(2)}" y="${top + 13}">${shown}</text></g>`;
}

function nameOf({ name, kind }: Frame): string {
  return kind === "kernel" ? `${name} [kernel]` : name;
}

function placeOf(frame: Frame | undefined): string {
  if (frame?.file === undefined) return "";
  return ` (${frame.file}${frame.line === undefined ? "" : `:${frame.line}`})`;
}

/** By file, so that what belongs together looks it; what is not the program's own is grey. */
function colourOf(frame: Frame | undefined): string {
  if (frame === undefined || frame.kind === "group") return "#d5d5d5";
  if (frame.kind === "gc") return "#9fc5e8";
  if (frame.kind === "kernel") return "#c9b8e0";
  if (frame.kind === "native") return "#c8ccd0";
  let hash = 0;
  for (const char of frame.file ?? frame.name) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  let shade = 0;
  for (const char of frame.name) shade = (shade * 33 + char.charCodeAt(0)) >>> 0;
  const isLibrary = frame.file?.includes("node_modules/") || frame.file?.startsWith("node:");
  return `hsl(${isLibrary ? 160 + (hash % 40) : hash % 60}, ${isLibrary ? 35 : 80}%, ${66 + (shade % 12)}%)`;
}

function shortened(text: string, most: number): string {
  const shown = oneLine(text);
  return shown.length <= most ? shown : `${shown.slice(0, Math.max(0, most - 1))}…`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters are no XML at all. */
function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
