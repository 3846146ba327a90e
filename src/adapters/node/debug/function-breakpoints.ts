/** Breakpoints on functions by name. A name is looked for in every file of the user's, before the file runs. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import { findFunctions } from "../javascript/function-finder.ts";
import { moduleGraph } from "../javascript/module-graph.ts";
import { isModuleFile } from "../javascript/module-kind.ts";
import type { Arrival, Binder } from "./arrivals.ts";
import type { BinderTools } from "./binder-tools.ts";
import { unmadeMessage } from "./binding.ts";
import { type BreakRule, conditionText, faultOf, needsReports } from "./condition.ts";
import type { Holding } from "./gate.ts";
import { reasonOf } from "./host.ts";
import { ruleIn } from "./original-names.ts";
import type { Placement } from "./placements.ts";
import { isLibraryPath, urlPatternOf } from "./script-url.ts";
import { isAt } from "./strays.ts";

interface FunctionBreakpoint {
  id: number;
  name: string;
  rule: BreakRule;
  key: string;
  placed: Set<string>;
  /** Set by what a file on disk says, before it is loaded. */
  ahead: Map<string, Placement[]>;
  /** What was searched, by what was found there. */
  texts: Map<string, string>;
  /** Scripts already searched. */
  searched: Set<string>;
  state: DebugProtocol.Breakpoint;
  announced: boolean;
}

export class FunctionBreakpoints implements Binder {
  readonly #tools: BinderTools;
  #all: FunctionBreakpoint[] = [];

  constructor(tools: BinderTools) {
    this.#tools = tools;
  }

  get holding(): Holding {
    return this.#all.length > 0 ? "all" : "none";
  }

  wants(path: string): boolean {
    return this.#all.length > 0 && !isLibraryPath(path);
  }

  async set({
    breakpoints,
  }: DebugProtocol.SetFunctionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const before = [...this.#all];
    this.#all = breakpoints.map((asked) => {
      const key = JSON.stringify([asked.name, asked.condition, asked.hitCondition]);
      const at = before.findIndex((one) => one.key === key);
      return (at < 0 ? undefined : before.splice(at, 1)[0]) ?? this.#make(asked, key);
    });
    await Promise.all(
      before.flatMap((gone) => placedIds(gone).map((id) => this.#tools.placements.remove(id))),
    );
    // Before the gate: what is evaluated behind it is held itself.
    if (this.#all.some(({ rule }) => needsReports(rule))) await this.#tools.reports.install();
    const words = this.#all.map(({ name }) => name.split(".").at(-1) ?? name);
    await this.#tools.gate.hold("functions", this.holding, words);
    await Promise.all(this.#all.filter((one) => !one.announced).map((one) => this.#place(one)));
    for (const one of this.#all) one.announced = true;
    return this.#all.map((one) => ({ ...one.state }));
  }

  find(id: number): FunctionBreakpoint | undefined {
    return this.#all.find((one) => one.id === id);
  }

  async bind(arrival: Arrival): Promise<void> {
    await this.#search(
      this.#all.filter((one) => one.state.reason !== "failed"),
      arrival,
    );
  }

  /** V8 found the place of one that was set before its script was compiled. */
  resolved(breakpointId: string, location: Protocol.Debugger.Location): void {
    const placement = this.#tools.placements.get(breakpointId);
    const breakpoint = placement?.owner.kind === "function" ? this.find(placement.owner.id) : undefined;
    if (placement === undefined || breakpoint === undefined) return;
    const told = this.#landed(breakpoint, placement, location);
    told.catch((error: unknown) => this.#tools.host.log(`breakpoint ${breakpoint.id}: ${reasonOf(error)}`));
    if (!isAt(placement.point, location)) this.#tools.strays.watch(breakpointId, told);
  }

  #make(asked: DebugProtocol.FunctionBreakpoint, key: string): FunctionBreakpoint {
    const id = this.#tools.nextId();
    const { name, condition, hitCondition } = asked;
    return {
      id,
      name,
      rule: {
        ...(condition?.trim() ? { condition } : {}),
        ...(hitCondition?.trim() ? { hitCondition } : {}),
      },
      key,
      placed: new Set(),
      ahead: new Map(),
      texts: new Map(),
      searched: new Set(),
      state: {
        id,
        verified: false,
        reason: "pending",
        message: `no function named ${name} in the loaded scripts yet`,
      },
      announced: false,
    };
  }

  async #place(breakpoint: FunctionBreakpoint): Promise<void> {
    const { cdp, scripts, arrivals } = this.#tools;
    const { id, name, rule } = breakpoint;
    const fault = /^[\w$.#]+$/.test(name)
      ? await faultOf(cdp, rule)
      : { message: `${JSON.stringify(name)} is not a function's name` };
    if (fault !== undefined) {
      breakpoint.state = { id, verified: false, reason: "failed", ...fault };
      return;
    }
    await this.#placeAhead(breakpoint);
    const loaded = scripts.files();
    const own = loaded.filter((script) => !script.library);
    for (const group of [own, loaded.filter((script) => script.library)]) {
      if (breakpoint.placed.size > 0) return;
      const found = await Promise.all(group.map((script) => arrivals.arrival(script)));
      await Promise.all(found.map((arrival) => this.#search([breakpoint], arrival)));
    }
  }

  /** Modules without a map are not held before the program has started: those that will come are read beforehand. */
  async #placeAhead(breakpoint: FunctionBreakpoint): Promise<void> {
    const { program, placements, scripts } = this.#tools;
    if (program === undefined || scripts.atPath(program).length > 0 || !isModuleFile(program)) return;
    const condition = conditionText(breakpoint.id, breakpoint.rule);
    const owner = { kind: "function", id: breakpoint.id } as const;
    await Promise.all(
      (await moduleGraph(program)).map(async ({ path, text }) => {
        const where = { urlPattern: urlPatternOf(path) };
        const points = findFunctions(text, breakpoint.name);
        const placed = await Promise.all(
          points.map((point) => placements.add(where, point, condition, owner)),
        );
        for (const { id } of placed) breakpoint.texts.set(id, text);
        if (placed.length > 0) breakpoint.ahead.set(path, placed);
      }),
    );
  }

  /** Whether the file's own text has been dealt with; a file that comes with a map is other code than it says. */
  async #isAhead({ ahead }: FunctionBreakpoint, { path, map }: Arrival): Promise<boolean> {
    const placed = ahead.get(path);
    if (placed === undefined) return false;
    if (map === undefined) return true;
    ahead.delete(path);
    await Promise.all(placed.map(({ id }) => this.#tools.placements.remove(id)));
    return false;
  }

  async #search(breakpoints: FunctionBreakpoint[], arrival: Arrival): Promise<void> {
    const unsearched = breakpoints.filter(({ searched }) => !searched.has(arrival.key));
    for (const { searched } of unsearched) searched.add(arrival.key);
    const isAhead = await Promise.all(unsearched.map((one) => this.#isAhead(one, arrival)));
    const fresh = unsearched.filter((_, at) => isAhead[at] === false);
    if (fresh.length === 0) return;
    const text = await arrival.text();
    await Promise.all(
      fresh.flatMap((breakpoint) =>
        findFunctions(text, breakpoint.name).map(async (point) => {
          const condition = conditionText(breakpoint.id, await ruleIn(arrival, breakpoint.rule, point));
          const placement = await this.#tools.placements.add(arrival.where, point, condition, {
            kind: "function",
            id: breakpoint.id,
          });
          breakpoint.placed.add(placement.id);
          breakpoint.texts.set(placement.id, text);
          for (const location of placement.locations) await this.#landed(breakpoint, placement, location);
        }),
      ),
    );
  }

  async #landed(
    breakpoint: FunctionBreakpoint,
    { id, point }: Placement,
    location: Protocol.Debugger.Location,
  ): Promise<void> {
    const { strays, placements, sources } = this.#tools;
    const hasStrayed = await strays.has(point, location, breakpoint.texts.get(id));
    if (hasStrayed) await placements.remove(id);
    // One function of the name that can be called says more than one that cannot.
    const { verified, message } = breakpoint.state;
    if (verified && (hasStrayed || message === undefined)) return;
    const taken = { line: location.lineNumber, column: location.columnNumber ?? 0 };
    const { source, line } = await sources.place(location.scriptId, hasStrayed ? point : taken);
    breakpoint.state = {
      id: breakpoint.id,
      verified: true,
      source,
      line: line + 1,
      ...(hasStrayed ? { message: unmadeMessage(line, line) } : {}),
    };
    if (breakpoint.announced)
      this.#tools.host.emit("breakpoint", { reason: "changed", breakpoint: breakpoint.state });
  }
}

function placedIds({ placed, ahead }: FunctionBreakpoint): string[] {
  return [...placed, ...[...ahead.values()].flat().map(({ id }) => id)];
}
