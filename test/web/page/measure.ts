/** How long something takes in the browser and behind it: on the clock, and of the processor, which other work on the machine does not change much. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import type { Sonde } from "../../support/sonde.ts";

export const report = (what: string, figure: string) => process.stderr.write(`page: ${what}: ${figure}\n`);

export interface Measured<T> {
  value: T;
  /** Milliseconds of the processor. */
  daemon: number;
  server: number;
  renderer: number;
  /** The longest tasks of the page's main thread, by the processor's time and by the clock. */
  longest: number;
  longestOnClock: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Tasks, with their own time of the processor. */
const CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"];

export async function measured<T>(
  browser: Browser,
  page: Page,
  sonde: Sonde,
  work: () => Promise<T>,
): Promise<Measured<T>> {
  const { pid: daemon } = await sonde.ask<{ pid: number }>("daemon status");
  const { pid: server } = await sonde.ask<{ pid: number }>("ui --no-open");
  const system = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    const all = processInfo.filter(({ type }) => type === "renderer");
    return all.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  const before = { daemon: processorMs(daemon), server: processorMs(server), renderer: await renderers() };
  await browser.startTracing(page, { categories: CATEGORIES });
  const value = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const tasks = mainTasks(traceEvents);
  const figures = {
    daemon: processorMs(daemon) - before.daemon,
    server: processorMs(server) - before.server,
    renderer: Math.round((await renderers()) - before.renderer),
    longest: Math.max(0, ...tasks.map(({ tdur = 0 }) => Math.round(tdur / 1000))),
    longestOnClock: Math.max(0, ...tasks.map(({ dur = 0 }) => Math.round(dur / 1000))),
  };
  await system.detach();
  return { value, ...figures };
}

export function inWords({ daemon, server, renderer, longest, longestOnClock }: Measured<unknown>): string {
  return `longest task ${longest} ms (${longestOnClock} ms by the clock), processor: daemon ${daemon} ms, page's server ${server} ms, renderer ${renderer} ms`;
}

/** Of this page only: others have renderers of their own. */
function mainTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events.filter(
    ({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && main.has(`${pid} ${tid}`),
  );
}

/** Of Linux's hundredths of a second. */
function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds from the change of address to each of what is waited for, drawn. */
export async function opening(page: Page, path: string, wanted: readonly string[]): Promise<number[]> {
  return (await page.evaluate(`new Promise((done) => {
    const wanted = ${JSON.stringify(wanted)};
    const times = wanted.map(() => 0);
    const began = performance.now();
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
    const look = () => {
      for (const [at, one] of wanted.entries())
        if (times[at] === 0 && document.querySelector(one)) times[at] = Math.round(performance.now() - began);
      if (times.includes(0)) requestAnimationFrame(look);
      else done(times);
    };
    look();
  })`)) as number[];
}

/** Of JavaScript, after what is not needed was given back; in megabytes. */
export async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
}

/** What the page's own code does takes so many times as long: a slow machine. */
export async function slowedDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
}
