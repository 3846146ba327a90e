/** `.debug_line`: which addresses are of which line. */
import { isAbsolute, join } from "node:path";
import { AT } from "./constants.ts";
import { Cursor } from "./cursor.ts";
import type { Info, Unit } from "./entries.ts";
import { readForm } from "./forms.ts";
import { Unfit } from "./unfit.ts";

export interface LineRow {
  address: number;
  /** A number of the table's. */
  file: number;
  line: number;
  statement: boolean;
  prologueEnd: boolean;
  /** The first address after a piece of code. */
  end: boolean;
}

export interface LineTable {
  /** By number. */
  files: string[];
  rows(): LineRow[];
}

/** Nothing where a unit has none. */
export function lineTable(info: Info, unit: Unit): LineTable | undefined {
  const root = info.root(unit);
  const offset = root.number(AT.statements);
  const data = info.section(".debug_line");
  if (offset === undefined || data === undefined) return undefined;
  const header = readHeader(info, new Cursor(data, offset), root.text(AT.folder) ?? "");
  let rows: LineRow[] | undefined;
  return {
    files: header.files,
    rows: () => {
      rows ??= run(header);
      return rows;
    },
  };
}

interface Header {
  program: Cursor;
  end: number;
  shortest: number;
  statement: boolean;
  lineBase: number;
  lineRange: number;
  opcodeBase: number;
  /** Arguments of each standard instruction. */
  lengths: number[];
  files: string[];
}

function readHeader(info: Info, cursor: Cursor, folder: string): Header {
  const length = cursor.fixed(4);
  const end = cursor.at + length;
  const version = cursor.fixed(2);
  if (version < 2 || version > 5) throw new Unfit(`its line table has version ${version}`);
  if (version >= 5) cursor.at += 2;
  const headerLength = cursor.fixed(4);
  const program = new Cursor(cursor.data, cursor.at + headerLength);
  const shortest = cursor.byte();
  if (version >= 4) cursor.byte();
  const statement = cursor.byte() !== 0;
  const lineBase = (cursor.byte() << 24) >> 24;
  const lineRange = cursor.byte();
  const opcodeBase = cursor.byte();
  const lengths = Array.from({ length: opcodeBase - 1 }, () => cursor.byte());
  const files = version >= 5 ? newerFiles(info, cursor) : olderFiles(cursor, folder);
  return { program, end, shortest, statement, lineBase, lineRange, opcodeBase, lengths, files };
}

function newerFiles(info: Info, cursor: Cursor): string[] {
  const [home = "", ...others] = named(info, cursor).map(({ path }) => path);
  const folders = [home, ...others.map((one) => (isAbsolute(one) || home === "" ? one : join(home, one)))];
  return named(info, cursor).map(({ path, folder }) =>
    isAbsolute(path) || (folders[folder] ?? "") === "" ? path : join(folders[folder] ?? "", path),
  );
}

const CONTENT = { path: 1, folder: 2 } as const;

function named(info: Info, cursor: Cursor): { path: string; folder: number }[] {
  const formats = Array.from(
    { length: cursor.byte() },
    () => [cursor.unsigned(), cursor.unsigned()] as const,
  );
  return Array.from({ length: cursor.unsigned() }, () => {
    const one = { path: "", folder: 0 };
    for (const [content, form] of formats) {
      const value = readForm(cursor, form, 0);
      if (content === CONTENT.folder && typeof value === "number") one.folder = value;
      if (content === CONTENT.path)
        one.path = typeof value === "number" ? (info.string(form, value) ?? "") : String(value);
    }
    return one;
  });
}

function olderFiles(cursor: Cursor, folder: string): string[] {
  const folders = [folder];
  for (let path = cursor.text(); path !== ""; path = cursor.text()) folders.push(path);
  const files = [""];
  for (let path = cursor.text(); path !== ""; path = cursor.text()) {
    const given = folders[cursor.unsigned()] ?? "";
    const inside = given === "" || isAbsolute(given) ? given : join(folder, given);
    cursor.unsigned();
    cursor.unsigned();
    files.push(isAbsolute(path) || inside === "" ? path : join(inside, path));
  }
  return files;
}

function run({ program, ...header }: Header): LineRow[] {
  const cursor = new Cursor(program.data, program.at);
  const rows: LineRow[] = [];
  const first = () => ({
    ...{ address: 0, file: 1, line: 1, statement: header.statement },
    ...{ prologueEnd: false, end: false },
  });
  let row: LineRow = first();
  const advance = (by: number) => {
    row.address += by * header.shortest;
  };
  const emit = () => {
    rows.push({ ...row });
    row.prologueEnd = false;
  };
  const special = (code: number) => Math.floor((code - header.opcodeBase) / header.lineRange);
  const extended = () => {
    const length = cursor.unsigned();
    const next = cursor.at + length;
    const code = cursor.byte();
    if (code === 1) {
      row.end = true;
      emit();
      row = first();
    } else if (code === 2) row.address = cursor.fixed(8);
    cursor.at = next;
  };
  /** By the numbers of DW_LNS_. */
  const standard: Record<number, () => void> = {
    0: extended,
    1: emit,
    2: () => advance(cursor.unsigned()),
    3: () => {
      row.line += cursor.signed();
    },
    4: () => {
      row.file = cursor.unsigned();
    },
    6: () => {
      row.statement = !row.statement;
    },
    8: () => advance(special(255)),
    9: () => {
      row.address += cursor.fixed(2);
    },
    10: () => {
      row.prologueEnd = true;
    },
  };
  while (cursor.at < header.end) {
    const code = cursor.byte();
    if (code >= header.opcodeBase) {
      advance(special(code));
      row.line += header.lineBase + ((code - header.opcodeBase) % header.lineRange);
      emit();
    } else if (standard[code]) standard[code]();
    else for (let left = header.lengths[code - 1] ?? 0; left > 0; left--) cursor.unsigned();
  }
  return rows;
}
