/** What a stop shows is read in the program as soon as it stops: the same as what is read when it is asked for. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Debuggee, debug, marker, project } from "./debuggee.ts";

const SOURCE = `const shared = { n: 0 };
class Shop {
  total = 0;
  sell(name, price = 2, ...rest) {
    const before = this.total; // @here
    for (let i = 0; i < 2; i++) {
      const name = "inner" + i;
      this.total += price * i;
      try {
        if (i === 1) throw new Error(name);
      } catch (error) {
        shared.n++;
      }
    }
    return before + this.total;
  }
}
function loose({ a, b: [c] }) {
  const arrow = (x) => { const y = x + a; return y; };
  return arrow(c);
}
const shop = new Shop();
shop.sell("tea", 3, 1, 2);
loose({ a: 1, b: [2] });
loose.call("text", { a: 1n, b: [2n] });
const odd = "\\ud800 \\u2028";
Object.prototype.toJSON = () => "not what it is";
loose({ a: odd, b: [2] });
shared.n = -1; // @last
`;

const LAST = SOURCE.split("\n").findIndex((line) => line.includes("@last")) + 1;

async function stopped(readsAhead: boolean): Promise<Debuggee> {
  const app = join(project({ "app.cjs": SOURCE }), "app.cjs");
  const d = await debug(app, { readsAhead });
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  await d.stop();
  await shown(d);
  return d;
}

/** Every scope but the global one, with all that a client is told. */
async function shown(d: Debuggee): Promise<unknown[]> {
  const scopes = (await d.scopes()).filter(({ expensive }) => !expensive);
  return Promise.all(
    scopes.map(async ({ name, variablesReference }) => {
      const list = await d.variables(variablesReference);
      return [name, list.map(({ variablesReference: members, ...rest }) => ({ ...rest, open: members > 0 }))];
    }),
  );
}

test("every stop of a walk shows the same, read ahead or not", async () => {
  const walks = await Promise.all(
    [true, false].map(async (readsAhead) => {
      const d = await stopped(readsAhead);
      const seen: unknown[] = [];
      for (let step = 0; step < 60; step++) {
        const at = await d.move("stepIn");
        seen.push([at, await shown(d)]);
        if (at === `<module>:${LAST}`) break;
      }
      return seen;
    }),
  );
  expect(walks[0]?.length).toBeGreaterThan(20);
  expect(walks[0]).toEqual(walks[1]);
});

test("a stop that was read is shown without another question, until something runs", async () => {
  const d = await stopped(true);
  await d.move("next");
  const calls: string[] = [];
  const { sendRaw } = d.cdp;
  d.cdp.sendRaw = (method, params) => {
    calls.push(method);
    return sendRaw.call(d.cdp, method, params);
  };
  const before = await d.scope("Arguments");
  expect(before).toMatchObject({ name: '"tea"', price: "3" });
  expect(calls).toEqual([]);
  await d.evaluate("price = 40; rest.push(9); this.total = 5", "repl");
  expect(await d.scope("Arguments")).toMatchObject({ price: "40", rest: "[1, 2, 9]" });
  expect(await d.scope("Local")).toMatchObject({ this: "Shop {total: 5}" });
});
