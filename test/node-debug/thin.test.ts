import { join } from "node:path";
import { expect, test } from "vitest";
import { debug, marker, project } from "./debuggee.ts";

test("break, stack, variables, step, evaluate", async () => {
  const dir = project({
    "app.cjs": `class Acc {
  constructor() { this.total = 0; }
  add(n) {
    const before = this.total;
    this.total += n; // @add
    return before;
  }
}
const acc = new Acc();
for (const n of [1, 2]) acc.add(n);
console.log(acc.total); // @end
`,
  });
  const app = join(dir, "app.cjs");
  const d = await debug(app);
  const [bp] = await d.setBreakpoints(app, [marker(app, "add")]);
  expect(bp).toMatchObject({ id: 1, verified: false, reason: "pending" });
  await d.run();
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
  expect(await d.at()).toBe("add:5");
  expect((await d.frames()).slice(0, 2).map((f) => f.name)).toEqual(["add", "<module>"]);
  expect(await d.scope("Local")).toEqual({ this: "Acc {total: 0}", n: "1", before: "0" });
  expect(await d.move("next")).toBe("add:6");
  expect((await d.evaluate("this.total + 1")).result).toBe("2");
  await d.setBreakpoints(app, []);
  await d.request("continue");
  expect(await d.end()).toBe(0);
  expect(d.stdout).toBe("3\n");
  expect(d.events.filter((e) => e.event === "log")).toEqual([]);
});
