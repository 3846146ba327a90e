/** The log viewer's parts without a terminal. The terminal itself: viewer-in-tmux.test.ts. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pressed } from "../../../src/diagnostics/logs/keys.ts";
import { paint } from "../../../src/diagnostics/logs/paint.ts";
import { copied, firstView, read } from "../../../src/diagnostics/logs/source.ts";
import { MOST_ENTRIES, newView, type View, withNew } from "../../../src/diagnostics/logs/view.ts";
import { type Entry, entryLine } from "../../../src/util/log/entry.ts";
import { copy } from "../../../src/util/terminal/clipboard.ts";
import { wrap } from "../../../src/util/terminal/width.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sonde-view-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entryOf = (n: number, message = `entry ${n}`): Entry => ({
  time: "2026-11-16T10:00:00.000Z",
  level: "info",
  pid: 7,
  kind: "daemon",
  message,
});
const some = (count: number) => Array.from({ length: count }, (_, n) => entryOf(n));
const pageOf = (entries: Entry[]) => ({ entries, lines: entries.length, bytes: 0, tooLong: 0 });
const press = (view: View, ...names: string[]) =>
  names.reduce((now, name) => pressed(now, { name, sequence: name.length === 1 ? name : "" }).view, view);

describe("the view", () => {
  test("is bounded, and says why there is nothing older then", () => {
    let view = newView({}, pageOf(some(50)), true);
    for (let round = 0; round < 12; round++) view = withNew(view, some(500));
    expect(view.entries).toHaveLength(MOST_ENTRIES);
    expect(view.dropped).toBe(50 + 6000 - MOST_ENTRIES);
    expect(press(view, "o").message).toContain("1050 entries were dropped");
  });

  test("a flood while the reader is elsewhere does not move the reader", () => {
    const view = press(newView({}, pageOf(some(50)), true), "up", "up");
    const at = view.entries[view.mark ?? -1];
    const later = withNew(view, some(100));
    expect(later.entries[later.mark ?? -1]).toBe(at);
    expect(later.news).toBe(100);
  });

  test("makes text only of what is seen, however long entries are", () => {
    const long = Array.from({ length: 5000 }, (_, n) => entryOf(n, "x".repeat(16_000)));
    const view = newView({}, pageOf(long), true);
    let looked = 0;
    const watched = view.entries.map(
      (one) =>
        new Proxy(one, {
          get(target, key) {
            if (key === "message") looked += 1;
            return Reflect.get(target, key);
          },
        }),
    );
    paint({ ...view, entries: watched }, { columns: 100, rows: 24 });
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThanOrEqual(2 * 24);
  });

  test("no line is wider than the terminal, and none has what a stranger wrote as it was", () => {
    const entries = [entryOf(1, "日本語".repeat(60)), entryOf(2, "a\x1b[2Jb\u202ec"), entryOf(3, "é\n\n\nz")];
    for (const columns of [20, 51, 80]) {
      const lines = paint(press(newView({}, pageOf(entries), true), "up"), { columns, rows: 12 });
      for (const line of lines) {
        const plain = stripVTControlCharacters(line);
        expect(stringWidth(plain)).toBeLessThanOrEqual(columns);
        expect(plain).not.toMatch(/[\x00-\x1f\u202e]/);
      }
    }
  });

  test("wide text is wrapped by its width, and nothing of it is lost", () => {
    const text = "日本語🎉e\u0301x".repeat(30);
    const lines = wrap(text, 21);
    expect(lines.join("")).toBe(text);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(21);
  });

  test("errors are said in the status line, never thrown", () => {
    writeFileSync(join(folder, "sonde-2026-11-16.log"), entryLine(entryOf(1)));
    const source = { folder, env: {}, copyCommand: undefined, write: () => {} };
    const view = firstView(source, {});
    rmSync(folder, { recursive: true });
    expect(read(view, { do: "older" }, source).message).toBe("there is nothing older");
    expect(read(view, { do: "read", filter: { grep: "x" } }, source).message).toBe("the log is empty");
  });
});

describe("copying", () => {
  const tool = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const PATH = () => `${folder}:/usr/bin:/bin`;
  const kept = () => readFileSync(join(folder, "kept"), "utf8");

  test("a configured command, the desktop's tool, tmux, the terminal: the first that works", async () => {
    const written: string[] = [];
    const write = (text: string) => void written.push(text);
    for (const name of ["wl-copy", "xclip", "tmux"])
      tool(name, `echo "${name} $*" > ${folder}/kept; cat >> ${folder}/kept`);
    const all = { PATH: PATH(), WAYLAND_DISPLAY: "w", DISPLAY: ":0", TMUX: "t" };
    const command = `cat > ${folder}/kept`;
    expect(await copy("text", { env: all, command, write })).toEqual({
      ok: true,
      how: "the configured command",
    });
    expect(kept()).toBe("text");
    expect(await copy("text", { env: all, write })).toEqual({ ok: true, how: "wl-copy" });
    expect(await copy("text", { env: { ...all, WAYLAND_DISPLAY: "" }, write })).toMatchObject({
      how: "xclip",
    });
    expect(kept()).toBe("xclip -selection clipboard\ntext");
    expect(await copy("text", { env: { PATH: PATH(), TMUX: "t" }, write })).toMatchObject({ how: "tmux" });
    expect(kept()).toBe("tmux load-buffer -w -\ntext");
    expect(written).toEqual([]);
    expect(await copy("tëxt", { env: { PATH: folder }, write })).toMatchObject({
      ok: true,
      how: expect.stringContaining("OSC 52"),
    });
    expect(written).toEqual([`\x1b]52;c;${Buffer.from("tëxt").toString("base64")}\x07`]);
  });

  test("copy failures become status text", async () => {
    tool("xclip", 'echo "Error: cannot open display: :7" >&2; exit 1');
    const source = {
      folder,
      env: { PATH: folder, DISPLAY: ":7" },
      copyCommand: undefined,
      write: () => {},
    };
    const short = await copied({ do: "copy", text: "x", what: "1 entry" }, source);
    expect(short).toBe(
      "copied 1 entry by the terminal (OSC 52), if it allows that (xclip: Error: cannot open display: :7)",
    );
    const long = await copied({ do: "copy", text: "x".repeat(100_000), what: "900 entries" }, source);
    expect(long).toMatch(/^not copied: 100000 characters are too many for the terminal \(xclip: Error/);
    const thrown = {
      ...source,
      write: () => {
        throw new Error("the terminal is gone");
      },
    };
    expect(await copied({ do: "copy", text: "x", what: "1 entry" }, thrown)).toBe(
      "not copied: the terminal is gone",
    );
  });

  test("a tool that stays to serve the selection is not waited for", async () => {
    tool("xclip", `cat > ${folder}/kept\nsleep 2 & exit 0`);
    expect(await copy("x", { env: { PATH: PATH(), DISPLAY: ":0" }, write: () => {} })).toMatchObject({
      how: "xclip",
    });
    expect(kept()).toBe("x");
  });
});
