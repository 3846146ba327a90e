/** The last entries of the log, over all of its files. */
import { type Entry, entryText } from "../../util/log/entry.ts";
import { readLog } from "../../util/log/reader.ts";
import { type Item, type Missing, textItem } from "./item.ts";

const MOST_ENTRIES = 1000;

export async function logItem(folder: string): Promise<Item | Missing> {
  const entries: Entry[] = [];
  let before: string | undefined;
  do {
    const page = readLog(folder, { before, most: MOST_ENTRIES - entries.length });
    entries.unshift(...page.entries);
    before = page.older;
  } while (before !== undefined && entries.length < MOST_ENTRIES);
  if (entries.length === 0) return { name: "log.txt", why: `${folder} holds no log` };
  return textItem("log.txt", entries.map((entry) => `${entryText(entry)}\n`).join(""));
}
