/** The log viewer in a real terminal. */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Entry, entryLine, entryText } from "../../../src/util/log/entry.ts";
import { dayOf } from "../../../src/util/log/files.ts";
import { binary, createSonde, type Sonde } from "../../support/sonde.ts";
import { type TerminalOptions, TmuxTerminal, WITHOUT_TMUX } from "./tmux.ts";

function entryOf(n: number, more: Partial<Entry> = {}): Entry {
  const time = new Date(Date.parse("2026-11-16T10:00:00Z") + n * 1000).toISOString();
  return { time, level: "info", pid: 100 + (n % 2), kind: "daemon", message: `entry ${n}.`, ...more };
}

function write(sonde: Sonde, entries: Entry[]): void {
  const folder = join(sonde.home, "state/logs");
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `sonde-${dayOf(new Date())}.log`), entries.map(entryLine).join(""));
}

const some = (count: number, of = entryOf) => Array.from({ length: count }, (_, n) => of(n));

/** In a shell, so that what is there before and after can be seen. */
function open(sonde: Sonde, flags = "", options: Partial<TerminalOptions> = {}): TmuxTerminal {
  const line = `echo BEFORE; '${binary()}' logs ${flags}; echo "AFTER $?"; exec sleep 1000`;
  return new TmuxTerminal(line, { env: sonde.env, cwd: sonde.project, ...options });
}

/** The viewer itself. */
const viewerOf = (sonde: Sonde) =>
  Number(sonde.processes().find(({ command }) => /\bnode\b.* logs/.test(command))?.pid);

describe.skipIf(WITHOUT_TMUX)(
  `the viewer in tmux${WITHOUT_TMUX ? ` (skipped: ${WITHOUT_TMUX})` : ""}`,
  () => {
    test("shows the last 50, follows, and stops when the reader scrolls, which it says", async () => {
      await using sonde = createSonde();
      write(sonde, some(120));
      await using terminal = open(sonde);
      const first = await terminal.shows("entry 119.");
      expect(first).toMatch(/^ sonde logs · 50\+ entries · following/);
      expect(first).not.toContain("BEFORE");
      write(sonde, [entryOf(120)]);
      await terminal.shows("entry 120.");
      terminal.press("Up", "Up");
      await terminal.shows(/not following/);
      write(sonde, [entryOf(121)]);
      await terminal.shows(/not following, 1 new/);
      terminal.press("f");
      expect(await terminal.shows(/· following/)).toContain("entry 121.");
      terminal.press("Home");
      expect(await terminal.shows(/^>.*entry 70\./m)).not.toContain("entry 121.");
      terminal.press("NPage");
      await terminal.shows(/^>.*entry 91\./m);
      terminal.press("k", "k", "j");
      await terminal.shows(/^>.*entry 90\./m);
      terminal.press("q");
      const left = await terminal.shows("AFTER 0");
      expect(left).toContain("BEFORE");
      expect(left).not.toContain("entry");
    });

    test("loads older entries in fifties, by o and by scrolling on at the top", async () => {
      await using sonde = createSonde();
      write(sonde, some(160));
      await using terminal = open(sonde);
      await terminal.shows("entry 159.");
      terminal.press("o");
      expect(await terminal.shows("50 older entries")).toMatch(/^ sonde logs · 100\+ entries/);
      terminal.press("Home");
      await terminal.shows(/^>.*entry 60\./m);
      terminal.press("Up");
      await terminal.shows(/150\+ entries/);
      terminal.press("Home", "o");
      await terminal.shows(/· 160 entries/);
      terminal.press("Home", "Up");
      expect(await terminal.shows("there is nothing older")).toMatch(/^>.*entry 0\./m);
    });

    test("selects a range and copies it, and says by which way", async () => {
      await using sonde = createSonde();
      write(sonde, some(60));
      await using terminal = open(sonde);
      await terminal.shows("entry 59.");
      terminal.press("Up", "v", "Up", "Up");
      expect(await terminal.shows("3 selected")).toMatch(
        /^>.*entry 56\..*\n\*.*entry 57\..*\n\*.*entry 58\./m,
      );
      terminal.press("y");
      await terminal.shows("copied 3 entries by tmux");
      expect(terminal.buffer()).toBe(
        some(60)
          .slice(56, 59)
          .map((one) => `${entryText(one)}\n`)
          .join(""),
      );
    });

    test("copies by the command that is configured, before all others", async () => {
      await using sonde = createSonde();
      sonde.config(`[terminal]\ncopy_command = "cat > '${join(sonde.project, "copied")}'"\n`);
      write(sonde, some(3));
      await using terminal = open(sonde);
      await terminal.shows("entry 2.");
      terminal.press("c");
      await terminal.shows("copied 1 entry by the configured command");
      expect(readFileSync(join(sonde.project, "copied"), "utf8")).toBe(`${entryText(entryOf(2))}\n`);
    });

    test("filters by text, level and process, in all of the file, and lets go of it", async () => {
      await using sonde = createSonde();
      write(
        sonde,
        some(300, (n) => entryOf(n, n % 100 === 7 ? { level: "warn" } : n === 150 ? { level: "error" } : {})),
      );
      await using terminal = open(sonde);
      await terminal.shows("entry 299.");
      terminal.press("/");
      terminal.type("ENTRY 1.");
      terminal.press("Enter");
      expect(await terminal.shows(/· 1 entries · following · with "ENTRY 1\."/)).toContain("entry 1.");
      terminal.press("Escape");
      await terminal.shows(/50\+ entries · following *$/m);
      terminal.press("l", "l");
      expect(await terminal.shows("level warn")).toMatch(
        /entry 7\.[\s\S]*entry 107\.[\s\S]*entry 150\.[\s\S]*entry 207\./,
      );
      terminal.press("l");
      await terminal.shows(/· 1 entries · following · level error/);
      terminal.press("l");
      await terminal.shows(/50\+ entries · following *$/m);
      terminal.press("p");
      expect(await terminal.shows("pid 101")).not.toContain("daemon 100");
      terminal.press("p");
      expect(await terminal.shows("pid 100")).not.toContain("daemon 101");
      terminal.press("p");
      await terminal.shows(/50\+ entries · following *$/m);
    });

    test("opens a long entry, and help; sizes change under it", async () => {
      await using sonde = createSonde();
      const message = `first line\n${Array.from({ length: 40 }, (_, n) => `    at frame ${n}`).join("\n")}\n\x1b[31mred`;
      write(sonde, [...some(3), entryOf(3, { message, level: "error" })]);
      await using terminal = open(sonde);
      await terminal.shows("first line ⏎");
      terminal.press("Enter");
      expect(await terminal.shows("frame 18")).toMatch(/\d+ lines below .*level error/);
      terminal.press("NPage", "NPage");
      await terminal.shows("\\e[31mred");
      terminal.press("q", "?");
      await terminal.shows("copy what is selected");
      terminal.press("q");
      await terminal.shows("first line ⏎");
      terminal.resize(50, 10);
      expect(
        (await terminal.shows(/first line ⏎[\s\S]*\? keys · q leave/)).trimEnd().split("\n"),
      ).toHaveLength(10);
      terminal.resize(140, 40);
      expect((await terminal.shows(/f follow/)).trimEnd().split("\n")).toHaveLength(40);
    });

    test("gives the terminal back on SIGTERM", async () => {
      await using sonde = createSonde();
      write(sonde, some(3));
      await using terminal = open(sonde);
      await terminal.shows("entry 2.");
      process.kill(viewerOf(sonde), "SIGTERM");
      expect(await terminal.shows(/AFTER \d+/)).toContain("BEFORE");
      terminal.type("typed");
      await terminal.shows("typed"); // echoed: no longer raw
    });

    test("empty logs are a status message, not a failure", async () => {
      await using sonde = createSonde();
      await using terminal = open(sonde);
      await terminal.shows("the log is empty");
      write(sonde, some(1));
      await terminal.shows("entry 0.");
      terminal.press("C-c");
      await terminal.shows("AFTER 0");
    });

    test("plain mode: its first line says so, commands by lines, nothing is drawn", async () => {
      await using sonde = createSonde();
      write(sonde, some(120));
      await using terminal = open(sonde, "--plain --tail 3", { rows: 60 });
      await terminal.shows(
        /BEFORE\nplain mode: sonde logs\.[\s\S]*\n1\. .*entry 117\.\n[\s\S]*\n3 entries, not following/,
      );
      terminal.type("y 2-3\n");
      await terminal.shows("copied 2 entries by tmux");
      expect(terminal.buffer()).toMatch(/entry 118\.\n.*entry 119\.\n$/);
      terminal.type("o\n");
      await terminal.shows(/^0\. .*entry 116\.\n50 older entries/m);
      terminal.type("/entry 11.\n");
      await terminal.shows(/^1\. .*entry 11\.\n1 entry, not following, with "entry 11\."/m);
      terminal.type("/\n");
      terminal.type("f\n");
      await terminal.shows(/\d+ entries, following/);
      write(sonde, [entryOf(500)]);
      await terminal.shows(/^51\. .*entry 500\./m);
      terminal.type("nonsense\n");
      await terminal.shows("no such command");
      terminal.type("q\n");
      await terminal.shows("AFTER 0");
    });
  },
);
