/** What events say, by pages of events, as they are looked at. Who scrolls fast passes most of them: what is in view goes first. */
import type { RunColumns as Columns } from "../../../agent/explain/columns.ts";
import { call } from "../state/link.ts";
import { quiet, type RunData } from "./run-data.ts";

const PAGE = 200;
const MOST_AT_ONCE = 2;
/** Beyond these the oldest is forgotten: it is asked for again when it is seen again. */
const MOST_WAITING = 4;

interface Asked {
  /** Whose rows the pages are of. */
  columns: Columns;
  /** Pages that have come or are on their way, as far as they went then: the last is asked for again when it has grown. */
  marks: Set<string>;
  /** The one that was seen last stands last. */
  waiting: { page: number; mark: string }[];
  underWay: number;
}

const asked = new WeakMap<RunData, Asked>();

/** What an event says, as soon as it is known. */
export function wordsOf(run: RunData, columns: Columns, row: number): string | undefined {
  const seq = columns.seq[row];
  if (seq === undefined) return undefined;
  const known = run.words.get(seq);
  if (known !== undefined) return known;
  const before = asked.get(run);
  const all: Asked =
    before?.columns === columns ? before : { columns, marks: new Set(), waiting: [], underWay: 0 };
  asked.set(run, all);
  const page = Math.floor(row / PAGE);
  const mark = `${page} ${Math.min(PAGE, columns.seq.length - page * PAGE)}`;
  if (all.marks.has(mark)) return undefined;
  all.waiting = [...all.waiting.filter((one) => one.mark !== mark), { page, mark }].slice(-MOST_WAITING);
  if (all.underWay < MOST_AT_ONCE) void fetchNext(run, all);
  return undefined;
}

async function fetchNext(run: RunData, all: Asked): Promise<void> {
  all.underWay += 1;
  for (let next = all.waiting.pop(); next !== undefined; next = all.waiting.pop()) {
    all.marks.add(next.mark);
    if (!(await fetchWords(run, all.columns, next.page))) all.marks.delete(next.mark);
  }
  all.underWay -= 1;
}

async function fetchWords(run: RunData, { seq }: Columns, page: number): Promise<boolean> {
  const from = seq[page * PAGE];
  const to = seq[Math.min(seq.length, (page + 1) * PAGE) - 1];
  if (from === undefined || to === undefined) return true;
  const args = { source: run.id, from, to, words: true };
  const answer = await call<{ words?: { seq: number; text: string }[] }>("agent events", args, quiet);
  if (!answer.ok) return false;
  for (const one of answer.data.words ?? []) run.words.set(one.seq, one.text);
  run.worded.value += 1;
  return true;
}
