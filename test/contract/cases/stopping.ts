import { expect } from "vitest";
import { type Case, expectFunction, shown } from "../rig.ts";

export const stopping: Case[] = [
  {
    name: "start with a breakpoint shows place, source, values and stack",
    run: async (rig) => {
      const snapshot = await rig.startStopped("stats", ["mean-add"]);
      rig.expectAt(snapshot, "stats", "mean-add", "mean");
      expect(snapshot).toMatchObject({ reason: "breakpoint", breakpoints: [{ id: 1, hit: 1 }], unbound: [] });
      expect(snapshot.source.map(({ line }) => line)).toContain(rig.line("stats", "mean-add"));
      expect(shown(snapshot, "total").value).toBe("0");
      expect(shown(snapshot, "v").value).toBe("1");
      const [inner, outer] = snapshot.stack;
      expect(inner).toMatchObject({ index: 0, line: rig.line("stats", "mean-add"), user: true });
      expect(outer).toMatchObject({ line: rig.line("stats", "main-call"), user: true });
    },
  },
  {
    name: "the text of a stop",
    run: async (rig) => {
      const text = await rig.sonde.text(rig.starting("stats", ["mean-add"]));
      const line = rig.line("stats", "mean-add");
      expect(text).toMatch(
        new RegExp(`^stopped: breakpoint 1 \\(hit 1\\) +${rig.adapter.file("stats")}:${line} in \\S*mean\\b`),
      );
      expect(text).toMatch(new RegExp(`^-> +${line} \\|\\s+\\$?total \\+= \\$?v`, "m"));
      expect(text).toMatch(/^ {2}\$?total = 0\b/m);
      expect(text).toMatch(/^stack\n +0 \S*mean/m);
      expect(Buffer.byteLength(text)).toBeLessThan(1200);
    },
  },
  {
    name: "a second hit counts, and changed values are marked",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-add"]);
      const snapshot = await rig.stops("continue");
      expect(snapshot.breakpoints).toMatchObject([{ id: 1, hit: 2 }]);
      expect(shown(snapshot, "total")).toMatchObject({ value: "1", change: "changed", was: "0" });
      expect(shown(snapshot, "v")).toMatchObject({ value: "2", change: "changed", was: "1" });
      expect(shown(snapshot, "values").change).toBeUndefined();
    },
  },
  {
    name: "next goes over calls and marks what changed",
    run: async (rig) => {
      await rig.startStopped("calls", ["main-call"]);
      const first = await rig.stops("next");
      rig.expectAt(first, "calls", "main-print", "main");
      expect(first.reason).toBe("step");
      expect(shown(first, "answer")).toMatchObject({ value: "30" });
    },
  },
  {
    name: "step goes in, finish comes out",
    run: async (rig) => {
      await rig.startStopped("calls", ["middle-first"]);
      const inside = await rig.stops("step");
      expectFunction(inside, "leaf");
      expect(shown(inside, "n").value).toBe("5");
      const outside = await rig.stops("finish");
      expectFunction(outside, "middle");
      expect([rig.line("calls", "middle-first"), rig.line("calls", "middle-second")]).toContain(
        outside.frame?.line,
      );
    },
  },
  {
    name: "a step that ends at a breakpoint is its hit, once, and the next move goes on",
    run: async (rig) => {
      await rig.startStopped("calls", ["main-call", "main-print"]);
      const arrived = await rig.stops("next");
      rig.expectAt(arrived, "calls", "main-print", "main");
      expect(arrived).toMatchObject({ reason: "breakpoint", breakpoints: [{ id: 2, hit: 1 }] });
      expect(await rig.ends("continue")).toMatchObject({ neverHit: [] });
      await rig.startStopped("stats", ["mean-add"]);
      let again = await rig.stops("next");
      for (let steps = 0; steps < 5 && again.frame?.line !== rig.line("stats", "mean-add"); steps++)
        again = await rig.stops("next");
      rig.expectAt(again, "stats", "mean-add", "mean");
      expect(again).toMatchObject({ reason: "breakpoint", breakpoints: [{ id: 1, hit: 2 }] });
      const third = await rig.stops("continue");
      expect(third).toMatchObject({ reason: "breakpoint", breakpoints: [{ id: 1, hit: 3 }] });
      expect(shown(third, "v").value).toBe("3");
    },
  },
  {
    name: "several steps in one command",
    run: async (rig) => {
      await rig.startStopped("calls", ["middle-first"]);
      rig.expectAt(await rig.stops("next --count 2"), "calls", "middle-return", "middle");
    },
  },
  {
    name: "steps in, over and out count the frames that there are",
    run: async (rig) => {
      let shownAs = await rig.startStopped("calls", ["middle-first"]);
      for (const move of ["next", "step", "next", "finish", "next"]) {
        shownAs = await rig.stops(move);
        const { frames, total } = await rig.sonde.ask<{ frames: object[]; total: number }>("backtrace --all");
        expect(frames).toEqual(expect.arrayContaining(shownAs.stack));
        expect(shownAs.stack.length + shownAs.moreFrames).toBe(total);
      }
    },
  },
  {
    name: "until runs to a line and leaves no breakpoint",
    run: async (rig) => {
      await rig.startStopped("calls", ["main-call"]);
      rig.expectAt(
        await rig.stops(["until", rig.at("calls", "middle-return")]),
        "calls",
        "middle-return",
        "middle",
      );
      const { breakpoints } = await rig.sonde.ask<{ breakpoints: unknown[] }>("breakpoint list");
      expect(breakpoints).toHaveLength(1);
      expect(await rig.sonde.refusal("until 999")).toMatchObject({ code: "BAD_LOCATION", status: 1 });
    },
  },
  {
    name: "pause stops a busy program, twice",
    run: async (rig) => {
      // Before its loop it could be anywhere, also where there is no source.
      await rig.startStopped("endless", ["loop"]);
      await rig.sonde.ask("breakpoint remove --all");
      const places = new Set<string | undefined>();
      // Now and then it is found at the first instruction of its runtime's signal handler, where no debugger sees its caller.
      for (let paused = 0; paused < 2 || (paused < 5 && !places.has(rig.path("endless"))); paused++) {
        expect(await rig.move("continue --no-wait")).toMatchObject({ state: "running" });
        const stopped = await rig.stops("pause");
        expect(stopped.reason).toBe("pause");
        places.add(stopped.frame?.path);
      }
      expect(places).toContain(rig.path("endless"));
    },
  },
  {
    name: "pause of a stopped program shows where it stands",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-add"]);
      rig.expectAt(await rig.stops("pause"), "stats", "mean-add", "mean");
    },
  },
  {
    name: "a wait that ends is an answer: still running",
    run: async (rig) => {
      const result = await rig.move([...rig.starting("endless", []), "--timeout", "1"]);
      expect(result).toMatchObject({ state: "running", waitedSecs: 1 });
      expect(await rig.sonde.refusal("next")).toMatchObject({ code: "NOT_STOPPED", status: 4 });
      expect(await rig.sonde.refusal("locals")).toMatchObject({ code: "NOT_STOPPED", status: 4 });
    },
  },
  {
    name: "frames can be walked",
    run: async (rig) => {
      await rig.startStopped("calls", ["leaf-first"]);
      const middle = await rig.sonde.ask<{ frame: { function: string; line: number } }>("up");
      expect(middle.frame.line).toBe(rig.line("calls", "middle-first"));
      expect((await rig.sonde.ask<{ value: string }>(["print", rig.code("n")])).value).toBe("5");
      expect((await rig.sonde.ask<{ frame: { index: number } }>("down")).frame.index).toBe(0);
    },
  },
];
