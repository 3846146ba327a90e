/** Nothing is kept of a call when it is over. */
import http from "node:http";
import { afterEach, expect, test } from "vitest";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const CALLS = 400;

/** One connection after the other, as SDKs do. */
function ask(agent: http.Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent }, (response) => {
      response.resume().once("end", resolve).once("error", reject);
    });
    request.once("error", reject).end(body);
  });
}

test("hundreds of calls leave no connection, timer, listener or open call behind", async () => {
  rig = await openRig(() => ({ text: "fine" }));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: "hi" }] });
  const url = `${rig.proxy.url}/v1/messages`;
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned); // Node's way to tell of too many listeners
  const live = () => process.getActiveResourcesInfo().length;
  await Promise.all(Array.from({ length: 4 }, () => ask(agent, url, body)));
  const before = live();
  for (let done = 0; done < CALLS; done += 4)
    await Promise.all(Array.from({ length: 4 }, () => ask(agent, url, body)));
  expect(live()).toBeLessThanOrEqual(before + 4);
  expect(rig.proxy.counts).toMatchObject({ calls: CALLS + 4, open: 0 });
  expect(rig.proxy.ring.totals).toMatchObject({ keptEvents: 1000 });
  expect(rig.bridge.stops).toEqual([]);
  process.off("warning", warned);
  agent.destroy();
  expect(warnings).toEqual([]);
});
