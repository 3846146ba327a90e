import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeBundle } from "../../../src/diagnostics/report/bundle.ts";
import { fileItem, isItem } from "../../../src/diagnostics/report/file-item.ts";
import { type Item, textItem } from "../../../src/diagnostics/report/item.ts";
import { KnownValues } from "../../../src/diagnostics/report/known-values.ts";
import { Redactor } from "../../../src/diagnostics/report/redactor.ts";
import { survey } from "../../../src/diagnostics/report/survey.ts";
import { unpacked } from "./unpacked.ts";

const never = new AbortController().signal;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sonde-bundle-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function written(name: string, items: readonly Item[], signal = never): Promise<string> {
  const redactor = new Redactor(new KnownValues(), { home: "/home/alice", users: [], hosts: [] });
  const found = await survey(
    items,
    [{ name: "lost", why: "/home/alice/lost does not exist" }],
    redactor,
    signal,
  );
  const file = join(folder, name);
  await writeBundle(file, { items, survey: found, redactor, version: "1.2.3" }, signal);
  return file;
}

async function item(name: string, path: string, kind: "text" | "binary" = "text"): Promise<Item> {
  const made = await fileItem(name, path, { kind });
  if (!isItem(made)) throw new Error(made.why);
  return made;
}

describe("a report's file", () => {
  test("is the same byte by byte for the same input", async () => {
    const path = join(folder, "log");
    writeFileSync(path, "one\ntwo token=abcdef123456\n");
    const items = async () => [
      textItem("a.txt", "first\n"),
      await item("b.txt", path),
      textItem(`deep/${"n".repeat(150)}.txt`, "long name"),
    ];
    const first = await written("1.tar.gz", await items());
    await new Promise((done) => setTimeout(done, 1100)); // a clock in it would show
    const second = await written("2.tar.gz", await items());
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  });

  test("binary artifacts are preserved byte for byte, text ones are redacted", async () => {
    const bytes = Buffer.concat([
      randomBytes(300_000),
      Buffer.from("password=hunter2x"),
      Buffer.from([0, 255, 254]),
    ]);
    writeFileSync(join(folder, "profile.pb.gz"), bytes);
    writeFileSync(
      join(folder, "text"),
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(" password=hunter2x")]),
    );
    const file = await written("x.tar.gz", [
      await item("profile.pb.gz", join(folder, "profile.pb.gz"), "binary"),
      await item("text", join(folder, "text")),
    ]);
    const { files, manifest } = unpacked(file);
    expect(files.get("profile.pb.gz")?.equals(bytes)).toBe(true);
    expect(files.get("text")?.subarray(0, 4)).toEqual(Buffer.from([0xff, 0xfe, 0x80, 0x20]));
    expect(files.get("text")?.toString("latin1")).toContain("password=[masked:password:0001]");
    expect(manifest.parts.map(({ name, kind, removed }) => [name, kind, removed])).toEqual([
      ["profile.pb.gz", "binary", {}],
      ["text", "text", { password: 1 }],
    ]);
    expect(manifest.missing).toEqual([{ name: "lost", why: "~/lost does not exist" }]);
  });

  test("a file that grows meanwhile goes in as it was", async () => {
    const path = join(folder, "log");
    writeFileSync(path, "as it was\n");
    const growing = await item("log", path);
    writeFileSync(path, "as it was\nand more\n");
    const { text } = unpacked(await written("x.tar.gz", [growing]));
    expect(text("log")).toBe("as it was\n");
  });

  test("a file that is another meanwhile is told of, and nothing is left", async () => {
    const path = join(folder, "log");
    writeFileSync(path, "x".repeat(1000));
    let opened = 0;
    const real = await item("log", path);
    const shrinking: Item = {
      ...real,
      open: () => {
        if (opened++ > 0) truncateSync(path, 10);
        return real.open();
      },
    };
    await expect(written("x.tar.gz", [shrinking])).rejects.toThrow(
      "log changed while the report was written",
    );
    expect(existsSync(join(folder, "x.tar.gz"))).toBe(false);
  });

  test("one that is cancelled leaves nothing", async () => {
    const ended = new AbortController();
    const endless: Item = {
      name: "endless",
      kind: "text",
      open: async function* () {
        for (let at = 0; at < 50; at++) {
          yield Buffer.alloc(100_000, "a b ");
          if (++pulled === 60) ended.abort();
        }
      },
    };
    let pulled = 0;
    await expect(written("x.tar.gz", [endless], ended.signal)).rejects.toThrow();
    expect(existsSync(join(folder, "x.tar.gz"))).toBe(false);
  });
});
