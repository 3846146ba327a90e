/** The last lines of the logs, over all of their files. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileItem, isItem, whyOf } from "./file-item.ts";
import { type Item, type Missing, textItem } from "./item.ts";

const MOST_LINES = 1000;
/** What is read of the end of one file. */
const MOST_BYTES = 4 << 20;

export async function logItem(folder: string): Promise<Item | Missing> {
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith(".log")).sort();
  } catch (thrown) {
    return { name: "log.txt", why: whyOf(thrown, folder) };
  }
  const lines: string[] = [];
  for (const name of names.reverse()) {
    if (lines.length >= MOST_LINES) break;
    lines.unshift(...(await lastLines(join(folder, name), MOST_LINES - lines.length)));
  }
  if (lines.length === 0) return { name: "log.txt", why: `${folder} holds no log` };
  return textItem("log.txt", `${lines.join("\n")}\n`);
}

async function lastLines(path: string, most: number): Promise<string[]> {
  const item = await fileItem("", path);
  if (!isItem(item)) return [];
  let tail = Buffer.alloc(0);
  for await (const part of item.open()) tail = Buffer.concat([tail, part]).subarray(-MOST_BYTES);
  return tail.toString("utf8").trimEnd().split("\n").slice(-most);
}
