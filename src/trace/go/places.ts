/** Where probes go: the addresses at which dlv would set its breakpoints. */
import { TAG } from "../dwarf/constants.ts";
import type { Tree } from "../dwarf/entries.ts";
import type { LineRow } from "../dwarf/lines.ts";
import { contains, rangesOf } from "../dwarf/lists.ts";
import { Unfit } from "../dwarf/unfit.ts";
import type { Code, GoFunction } from "./code.ts";

export interface Spot {
  address: number;
  line: number;
  function: GoFunction;
  tree: Tree;
}

/** None where there is no code. */
export function spotsOf(code: Code, path: string, line: number): Spot[] {
  return chosen(
    code,
    rowsIn(code, path).filter((row) => row.line === line),
  );
}

const NEAREST = 4;

/** Those with code, in their order. */
export function nearestLines(code: Code, path: string, line: number): number[] {
  const lines = new Set(rowsIn(code, path).flatMap((row) => (row.statement ? [row.line] : [])));
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line) || a - b);
  return near.slice(0, NEAREST).sort((a, b) => a - b);
}

function rowsIn(code: Code, path: string): LineRow[] {
  const holding = code.packages.filter((one) => code.table(one)?.files.includes(path));
  if (holding.length === 0) throw new Unfit(`${path} is not in the program itself`);
  return holding.flatMap((one) => {
    const { files = [], rows } = code.table(one) ?? {};
    return (rows?.() ?? []).filter((row) => !row.end && files[row.file] === path);
  });
}

/** In each function the first statement of the line. */
function chosen(code: Code, rows: LineRow[]): Spot[] {
  const byFunction = new Map<GoFunction, LineRow[]>();
  for (const row of rows.toSorted((a, b) => a.address - b.address)) {
    const one = code.functionAt(row.address);
    if (one && !one.made) byFunction.set(one, [...(byFunction.get(one) ?? []), row]);
  }
  const spots = [...byFunction].flatMap(([one, own]): Spot[] => {
    const [first] = own;
    const row = own.find(({ statement }) => statement) ?? first;
    if (row === undefined) return [];
    const tree = code.info.tree(one.offset);
    if (own.some(({ address }) => inlined(code, tree, address)))
      throw new Unfit(`the line is in code that was inlined into ${one.name}`);
    const address = row.address === one.from ? afterPrologue(code, one) : row.address;
    const line = code.lineAt(one, address)?.line ?? row.line;
    return [{ address, line, function: one, tree }];
  });
  if (new Set(spots.map(({ line }) => line)).size > 1)
    throw new Unfit("the line has code in several functions, at different lines of them");
  return spots;
}

/** Where a function's own work begins, if that is on the line of its entry. */
function afterPrologue(code: Code, one: GoFunction): number {
  const rows = code.rows(one);
  const end = rows.find(({ prologueEnd }) => prologueEnd);
  if (end !== undefined && end.line === rows[0]?.line) return end.address;
  const first = rows.find(({ statement }) => statement);
  if (end !== undefined || first === undefined || rows.some(({ address }) => hasFrame(code, address)))
    throw new Unfit(`the debug information does not say where the prologue of ${one.name} ends`);
  return first.address;
}

/** There is more on the stack than the way back. */
function hasFrame(code: Code, address: number): boolean {
  return code.frames.at(address)?.offset !== RETURN_ADDRESS;
}

const RETURN_ADDRESS = 8;

function inlined(code: Code, { entry, children }: Tree, address: number): boolean {
  if (entry.tag === TAG.inlinedSubroutine && contains(rangesOf(code.info, entry), address)) return true;
  return children.some((child) => inlined(code, child, address));
}
