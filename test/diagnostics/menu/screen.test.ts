/** The menu on a real terminal. */
import { describe, expect, test } from "vitest";
import { painted, pressed } from "../../../src/foreground/menu/list.ts";
import { ROWS } from "../../../src/foreground/menu/rows.ts";
import { binary, createSonde } from "../../support/sonde.ts";
import { TmuxTerminal, WITHOUT_TMUX } from "../logs/tmux.ts";

describe("menu on a screen", () => {
  test.skipIf(WITHOUT_TMUX)(
    "arrows and numbers choose, a row comes back to the list, q leaves",
    { timeout: 60_000 },
    async () => {
      const sonde = createSonde();
      const { env, project } = sonde;
      await using terminal = new TmuxTerminal(`${binary()} menu; echo left with $?; exec cat`, {
        env,
        cwd: project,
      });
      const first = await terminal.shows("q leaves");
      expect(first.split("\n")[0]).toBe("sonde menu (full screen)");
      expect(first).toMatch(/^> 1 {2}open artifacts/m);
      for (let times = 0; times < 6; times++) terminal.press("Down");
      await terminal.shows(/^> 7 {2}system/m);
      terminal.press("Enter");
      const system = await terminal.shows("Enter goes back to the menu, q leaves:");
      expect(system).toContain("$ sonde system\n");
      expect(system).toContain("adapters: ");
      terminal.press("Enter");
      await terminal.shows(/^> 7 {2}system/m);
      terminal.press("0");
      await terminal.shows("nothing to remove: ");
      terminal.press("Enter");
      await terminal.shows(/^> 0 {2}clear cache/m);
      terminal.press("4");
      await terminal.shows("write this report? [y/N]");
      terminal.press("n", "Enter");
      await terminal.shows(/nothing was done[\s\S]*Enter goes back/);
      terminal.press("Enter");
      await terminal.shows(/^> 4 {2}dump/m);
      terminal.press("q");
      await terminal.shows("left with 0");
    },
  );

  test.skipIf(WITHOUT_TMUX)(
    "a terminal that can do nothing gets the numbered list, and the end of input leaves",
    { timeout: 60_000 },
    async () => {
      const sonde = createSonde();
      const { env, project } = sonde;
      await using terminal = new TmuxTerminal(`TERM=dumb ${binary()} menu; echo left; exec cat`, {
        env,
        cwd: project,
      });
      expect(await terminal.shows("or q to leave:")).toContain("sonde menu (plain mode");
      terminal.press("C-d");
      await terminal.shows("left");
    },
  );

  test.skipIf(WITHOUT_TMUX)("report asks before it writes", { timeout: 60_000 }, async () => {
    const sonde = createSonde();
    const { env, project } = sonde;
    await using terminal = new TmuxTerminal(`${binary()} report; echo left with $?; exec cat`, {
      env,
      cwd: project,
      columns: 160,
    });
    expect(await terminal.shows("write this report? [y/N]")).toContain("report, not written: ");
    terminal.press("y", "Enter");
    expect(await terminal.shows("left with 0")).toContain("report written: ");
  });
});

test("what keys do", () => {
  const count = ROWS.length;
  expect(pressed({ name: "up" }, 0, count)).toEqual({ marked: 9 });
  expect(pressed({ name: "down" }, 9, count)).toEqual({ marked: 0 });
  expect(pressed({ sequence: "0" }, 3, count)).toEqual({ run: 9 });
  expect(pressed({ sequence: "1" }, 3, count)).toEqual({ run: 0 });
  expect(pressed({ sequence: "9" }, 3, 4)).toEqual({ marked: 3 });
  expect(pressed({ name: "return" }, 3, count)).toEqual({ run: 3 });
  expect(pressed({ name: "c", ctrl: true }, 3, count)).toEqual({ leave: true });
  expect(pressed({ name: "x", sequence: "x" }, 3, count)).toEqual({ marked: 3 });
});

test("a narrow terminal cuts lines, and never breaks them", () => {
  for (const line of painted(ROWS, 2, 30)) expect(line.replace("\x1b[7m", "").length).toBeLessThanOrEqual(30);
});
