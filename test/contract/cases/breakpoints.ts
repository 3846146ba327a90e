import { expect } from "vitest";
import type { BreakpointRow } from "../../../src/commands/answers/shapes.ts";
import { type Case, type Rig, shown } from "../rig.ts";

async function list(rig: Rig): Promise<BreakpointRow[]> {
  const { breakpoints } = await rig.sonde.ask<{ breakpoints: BreakpointRow[] }>("breakpoint list");
  return breakpoints;
}

async function add(rig: Rig, args: string[]): Promise<BreakpointRow | undefined> {
  const { breakpoints } = await rig.sonde.ask<{ breakpoints: BreakpointRow[] }>(["break", ...args]);
  return breakpoints[0];
}

export const breakpoints: Case[] = [
  {
    name: "a condition",
    run: async (rig) => {
      const snapshot = await rig.startStopped("loop", [
        `${rig.at("loop", "loop-first")} if ${rig.code("i == 5")}`,
      ]);
      expect(shown(snapshot, "i").value).toBe("5");
      expect(await rig.ends()).toMatchObject({ exitCode: 0 });
    },
  },
  {
    name: "a hit count",
    run: async (rig) => {
      await rig.startStopped("loop", ["before"]);
      await add(rig, [rig.at("loop", "loop-first"), "--hit-count", "4"]);
      expect(shown(await rig.stops("continue"), "i").value).toBe("3");
      expect(await rig.ends()).toMatchObject({ exitCode: 0 });
    },
  },
  {
    name: "a log message prints and does not stop",
    run: async (rig) => {
      await rig.startStopped("loop", ["before"]);
      await add(rig, [
        rig.at("loop", "loop-add"),
        "--log",
        `i is {${rig.code("i")}}, square {${rig.code("square")}}`,
      ]);
      await rig.ends();
      const output = await rig.output();
      for (const i of [0, 1, 9]) expect(output).toContain(`i is ${i}, square ${i * i}`);
      expect(output).toContain("sum 285");
    },
  },
  {
    name: "a condition that cannot be evaluated is said, not swallowed",
    run: async (rig) => {
      const args = rig.starting("loop", [`${rig.at("loop", "loop-first")} if nonsense.x == 5`]);
      const { stdout, stderr } = await rig.sonde.run(args);
      // The condition itself is echoed: what is left is the reason.
      const reason = (stdout + stderr).replaceAll("nonsense.x == 5", "…");
      expect(reason).toMatch(/condition/);
      expect(reason).toMatch(/\bnonsense\b/);
    },
  },
  {
    name: "adding one keeps the file's others; removing the last is fine",
    run: async (rig) => {
      await rig.startStopped("loop", ["before"]);
      await add(rig, [rig.at("loop", "loop-first")]);
      await add(rig, [rig.at("loop", "after")]);
      expect((await list(rig)).map(({ id, line, state }) => ({ id, line, state }))).toEqual([
        { id: 1, line: rig.line("loop", "before"), state: "bound" },
        { id: 2, line: rig.line("loop", "loop-first"), state: "bound" },
        { id: 3, line: rig.line("loop", "after"), state: "bound" },
      ]);
      rig.expectAt(await rig.stops("continue"), "loop", "loop-first", "main");
      await rig.sonde.ask("breakpoint remove 2");
      rig.expectAt(await rig.stops("continue"), "loop", "after", "main");
      await rig.sonde.ask("breakpoint remove --all");
      expect(await list(rig)).toEqual([]);
      expect(await rig.ends()).toMatchObject({ exitCode: 0 });
    },
  },
  {
    name: "disabled ones do not stop",
    run: async (rig) => {
      await rig.startStopped("loop", ["before", "loop-first", "after"]);
      await rig.sonde.ask("breakpoint disable 2");
      rig.expectAt(await rig.stops("continue"), "loop", "after", "main");
    },
  },
  {
    name: "edits ride on a move",
    run: async (rig) => {
      await rig.startStopped("loop", ["before"]);
      const sum = rig.code("sum + 1");
      const moved = await rig.move(["continue", "--break", rig.at("loop", "after"), "--eval", sum]);
      expect(moved).toMatchObject({
        state: "stopped",
        evaluations: [{ expression: sum, value: { value: "286" } }],
      });
    },
  },
  {
    name: "on a line past the end it is refused, or said not to bind, or where it went",
    run: async (rig) => {
      const place = `${rig.adapter.file("stats")}:999`;
      const { status, stdout, stderr } = await rig.sonde.run(rig.starting("stats", [place]));
      expect(stdout + stderr).toContain("999");
      if (status !== 0) {
        expect(stderr).toMatch(/^error BAD_LOCATION: /);
        return;
      }
      expect(stdout).toMatch(/(not|never) bound: breakpoint 1 |moved|bound (at|to) line/);
      const [row] = await list(rig);
      expect(row?.state === "not bound" || row?.boundLine !== undefined).toBe(true);
    },
  },
  {
    name: "in a file that does not exist it is refused or said not to bind",
    run: async (rig) => {
      const { stdout, stderr } = await rig.sonde.run(
        rig.starting("stats", [`no-such-${rig.adapter.file("file")}:3`]),
      );
      expect(stdout + stderr).toMatch(/no-such-file/);
      expect(stdout + stderr).toMatch(/(not|never) bound|no (such )?file|does not exist/i);
    },
  },
  {
    name: "one that was never hit is named at the end",
    run: async (rig) => {
      const snapshot = await rig.start("stats", [`${rig.at("stats", "mean-add")} if ${rig.code("v == 77")}`]);
      expect(snapshot).toMatchObject({ state: "exited", exitCode: 0, neverHit: [{ id: 1, hits: 0 }] });
    },
  },
  {
    name: "they survive a restart",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-return"]);
      await rig.ends();
      const again = await rig.stops("restart");
      rig.expectAt(again, "stats", "mean-return", "mean");
      expect(shown(again, "total").value).toBe("10");
      const [first] = await list(rig);
      expect(first).toMatchObject({ id: 1, state: "bound" });
    },
  },
  {
    name: "a function by name",
    run: async (rig) => {
      const snapshot = await rig.startStopped("calls", [rig.at("calls", "main-call")]);
      expect(snapshot.frame?.line).toBe(rig.line("calls", "main-call"));
      const added = await add(rig, ["-f", "leaf"]);
      expect(added?.state).toBe("bound");
      const hit = await rig.stops("continue");
      expect(shown(hit, "n").value).toBe("5");
      expect(hit.breakpoints).toMatchObject([{ id: 2, hit: 1 }]);
    },
  },
];
