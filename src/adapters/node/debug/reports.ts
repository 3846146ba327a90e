/**
 * The way from a condition in the program back to us. One hidden global holds counters and a function that sends text over
 * the inspector, so that nothing is written to the program's own output. It is there only while a breakpoint needs it.
 */
import type { Cdp } from "../target.ts";
import { reasonOf } from "./host.ts";
import type { Kit } from "./kit.ts";

export const REPORTS = "__sonde";
const BINDING = "__sondeReport";

export type Report = { kind: "log"; id: number; text: string } | { kind: "failed"; id: number; text: string };

const INSTALL = `function () {
  const kit = this, send = globalThis.${BINDING};
  delete globalThis.${BINDING};
  if (typeof send !== "function" || globalThis.${REPORTS} !== undefined) return;
  const counts = new Map(), told = new Set();
  const compare = { "==": (n, m) => n === m, ">": (n, m) => n > m, ">=": (n, m) => n >= m, "<": (n, m) => n < m,
    "<=": (n, m) => n <= m, "%": (n, m) => m > 0 && n % m === 0 };
  const text = (error) => kit.text(error).v;
  const value = {
    __proto__: null,
    hit(id, how, limit) { const n = (counts.get(id) ?? 0) + 1; counts.set(id, n); return compare[how](n, limit); },
    show(read) { try { return kit.log(read()) } catch (error) { return "<error: " + text(error) + ">" } },
    log(id, parts) { let all = ""; for (let i = 0; i < parts.length; i++) all += parts[i]; send(JSON.stringify({ kind: "log", id, text: all })); },
    failed(id, error, stops) { if (stops || !told.has(id)) send(JSON.stringify({ kind: "failed", id, text: text(error) })); told.add(id); return stops; },
  };
  Object.defineProperty(globalThis, "${REPORTS}", { value, enumerable: false, configurable: true });
}`;

export class Reports {
  readonly #cdp: Cdp;
  readonly #kit: Kit;
  readonly #log: (message: string) => void;
  readonly #contexts = new Set<number>();
  #installed: Promise<void> | undefined;

  constructor(cdp: Cdp, kit: Kit, log: (message: string) => void, onReport: (report: Report) => void) {
    this.#cdp = cdp;
    this.#kit = kit;
    this.#log = log;
    cdp.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name === BINDING) onReport(JSON.parse(payload) as Report);
    });
    cdp.on("Runtime.executionContextCreated", ({ context }) => {
      this.#contexts.add(context.id);
      if (this.#installed !== undefined) void this.installIn(context.id);
    });
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
      this.#contexts.delete(executionContextId);
      this.#kit.forgetContext(executionContextId);
    });
  }

  install(): Promise<void> {
    this.#installed ??= this.#installEverywhere();
    return this.#installed;
  }

  async remove(): Promise<void> {
    if (this.#installed === undefined) return;
    const expression = `delete globalThis.${REPORTS}`;
    // All sent at once: what is sent next may let the program run, and it must not find anything of ours.
    await Promise.all([
      this.#cdp.send("Runtime.removeBinding", { name: BINDING }),
      ...[...this.#contexts].map((contextId) =>
        this.#cdp.send("Runtime.evaluate", { expression, contextId, silent: true }),
      ),
    ]);
  }

  async #installEverywhere(): Promise<void> {
    await this.#cdp.send("Runtime.addBinding", { name: BINDING });
    await Promise.all([...this.#contexts].map((id) => this.installIn(id)));
  }

  async installIn(contextId: number): Promise<void> {
    try {
      await this.#cdp.send("Runtime.callFunctionOn", {
        objectId: await this.#kit.idIn(contextId),
        functionDeclaration: INSTALL,
        silent: true,
      });
    } catch (error) {
      this.#log(`conditions cannot report from context ${contextId}: ${reasonOf(error)}`);
    }
  }
}
