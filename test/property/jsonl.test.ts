/** A recording that was cut anywhere: what came before is there as it was, and it goes on with the next number. */
import { readFileSync, truncateSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EventLog } from "../../src/agent/store/log.ts";
import { Workbench } from "../agent/store/workbench.ts";

const said = fc.array(fc.record({ message: fc.string({ unit: "binary", maxLength: 40 }) }), {
  minLength: 1,
  maxLength: 6,
});

test("cut at any byte, inside a character too, it loses what is cut and nothing else", () => {
  fc.assert(
    fc.property(said, fc.nat(), (events, cut) => {
      using bench = new Workbench();
      const folder = bench.session({});
      const log = EventLog.open(folder);
      for (const event of events) log.append("error", { ...event, context: "é€😀" });
      log.close();
      const whole = readFileSync(folder.events);
      const at = cut % (whole.length + 1);
      truncateSync(folder.events, at);
      const again = EventLog.open(folder);
      again.append("error", { message: "after", context: "" });
      again.close();
      const before = whole.subarray(0, whole.subarray(0, at).lastIndexOf(10) + 1);
      const now = readFileSync(folder.events);
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      const lines = now
        .toString("utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { seq: number; data: { message: string } });
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
      expect(lines.at(-1)?.data.message).toBe("after");
    }),
    { numRuns: 60 },
  );
});
