/** The last entries of the log, over all of its files. */
import { type Entry, entryText } from "../../util/log/entry.ts";
import { readLog } from "../../util/log/reader.ts";
import { type Item, type Missing, textItem } from "./item.ts";

const MOST_LINES = 1000;

export async function logItem(folder: string): Promise<Item | Missing> {
  const entries: Entry[] = []; // each is a line or more
  let before: string | undefined;
  do {
    const page = readLog(folder, { before, most: MOST_LINES - entries.length });
    entries.unshift(...page.entries);
    before = page.older;
  } while (before !== undefined && entries.length < MOST_LINES);
  if (entries.length === 0) return { name: "log.txt", why: `${folder} holds no log` };
  const lines = entries.flatMap((entry) => entryText(entry).split("\n")).slice(-MOST_LINES);
  return textItem("log.txt", `${lines.join("\n")}\n`);
}
