import { expect } from "vitest";
import { type Case, expectFunction, shown } from "../rig.ts";

export const values: Case[] = [
  {
    name: "a variable that is set changes what the program does",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-return"]);
      expect(await rig.sonde.ask(["set", rig.code("total"), "21"])).toMatchObject({ value: "21" });
      expect(await rig.sonde.ask(["print", rig.code("total")])).toMatchObject({ value: "21" });
      await rig.ends();
      expect(await rig.output()).toMatch(/^mean 7\b/m);
    },
  },
  {
    name: "print and eval, in the frame that is shown",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-return"]);
      expect(await rig.sonde.ask(["print", rig.code("total + 1")])).toMatchObject({ value: "11" });
      await rig.sonde.ask(["eval", rig.adapter.assign("total", "30")]);
      expect(await rig.sonde.ask(["print", rig.code("total")])).toMatchObject({ value: "30" });
    },
  },
  {
    name: "an expression that fails is an error, and nothing else suffers",
    run: async (rig) => {
      await rig.startStopped("stats", ["mean-return"]);
      expect(await rig.sonde.refusal("print no_such_name")).toMatchObject({
        code: "EVAL_FAILED",
        // The reason too: the message begins with what was typed.
        message: expect.stringMatching(
          /(?=.*no_such_name).*\b(no|not|undefined|undeclared|unknown|cannot)\b/i,
        ),
        status: 1,
      });
      expect(await rig.sonde.ask(["print", rig.code("total")])).toMatchObject({ value: "10" });
    },
  },
  {
    name: "handles open values and die when the program moves",
    run: async (rig) => {
      const snapshot = await rig.startStopped("stats", ["mean-add"]);
      const { handle } = shown(snapshot, "values");
      expect(handle).toMatch(/^@v\d+$/);
      const { values: parts } = await rig.sonde.ask<{ values: { value: string }[] }>([
        "variables",
        String(handle),
      ]);
      expect(parts.slice(0, 4).map(({ value }) => value)).toEqual(["1", "2", "3", "4"]);
      await rig.stops("continue");
      expect(await rig.sonde.refusal(["variables", String(handle)])).toMatchObject({
        code: "STALE_HANDLE",
        status: 4,
      });
    },
  },
  {
    name: "locals and context agree with the snapshot",
    run: async (rig) => {
      const snapshot = await rig.startStopped("calls", ["middle-return"]);
      const again = await rig.sonde.ask<typeof snapshot>("context");
      expect(again.frame).toEqual(snapshot.frame);
      for (const [name, value] of [
        ["first", "10"],
        ["second", "20"],
        ["n", "5"],
      ] as const) {
        expect(shown(again, name).value).toBe(value);
      }
      expect(await rig.sonde.text("locals")).toMatch(/first = 10[\s\S]*second = 20/);
    },
  },
  {
    name: "the frame that called has values of its own",
    run: async (rig) => {
      await rig.startStopped("calls", ["leaf-return"]);
      const leaf = await rig.stops("continue");
      expect(shown(leaf, "n").value).toBe("10");
      const caller = await rig.sonde.ask<typeof leaf>("up");
      expectFunction(caller, "middle");
      expect([shown(caller, "n").value, shown(caller, "first").value]).toEqual(["5", "10"]);
      expect(await rig.sonde.text("locals")).toMatch(/first = 10/);
      const again = await rig.sonde.ask<typeof leaf>("frame 0");
      expect([shown(again, "n").value, shown(again, "doubled").value]).toEqual(["10", "20"]);
    },
  },
];
