/** Line breakpoints: what was asked for, where V8 put it, and the truth about it. */
import { existsSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Arrival, Arrivals, Binder } from "./arrivals.ts";
import { forecast, movedMessage, nearestLines } from "./binding.ts";
import { linesWithCode } from "./code-text.ts";
import { type BreakRule, conditionText, faultOf, needsReports } from "./condition.ts";
import { isJavaScript, outlineFile } from "./file-check.ts";
import type { Gate, Holding } from "./gate.ts";
import type { DebuggerHost } from "./host.ts";
import type { Placements } from "./placements.ts";
import type { Reports } from "./reports.ts";
import { isLibraryPath, realPath, urlPatternOf } from "./script-url.ts";
import type { Scripts } from "./scripts.ts";
import type { Sources } from "./sources.ts";

export interface LineBreakpoint {
  id: number;
  path: string;
  /** 0-based, as asked. */
  line: number;
  column?: number;
  rule: BreakRule;
  key: string;
  /** V8's breakpoints behind it, by the script or pattern they were set in. */
  placed: Map<string, string>;
  state: DebugProtocol.Breakpoint;
  /** The client knows its id; before that, changes only show in the response. */
  announced: boolean;
}

interface Tools {
  cdp: Cdp;
  host: DebuggerHost;
  scripts: Scripts;
  sources: Sources;
  arrivals: Arrivals;
  placements: Placements;
  reports: Reports;
  gate: Gate;
  program: string | undefined;
  nextId: () => number;
}

const DIRECT = "direct";

export class Breakpoints implements Binder {
  readonly #tools: Tools;
  readonly #byPath = new Map<string, LineBreakpoint[]>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  get holding(): Holding {
    return "mapped";
  }

  find(id: number): LineBreakpoint | undefined {
    return [...this.#byPath.values()].flat().find((breakpoint) => breakpoint.id === id);
  }

  wants(path: string, hasMap: boolean): boolean {
    if (!hasMap) return false;
    return !isLibraryPath(path) || [...this.#byPath.keys()].some(isLibraryPath);
  }

  /** Replaces the breakpoints of one file. */
  set(args: DebugProtocol.SetBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const work = this.#turn.then(() => this.#replace(args));
    this.#turn = work.catch(() => {});
    return work;
  }

  /** A script with a map is here, or will be in a moment. */
  async bind(arrival: Arrival): Promise<void> {
    const { map } = arrival;
    if (map === undefined) return;
    const all = [...this.#byPath]
      .filter(([path]) => map.sourceAt(path) !== undefined)
      .flatMap(([, list]) => list);
    await Promise.all(all.map((breakpoint) => this.#bindMapped(breakpoint, arrival)));
    await Promise.all(
      all.filter(({ path }) => path === arrival.path).map((breakpoint) => this.#dropDirect(breakpoint)),
    );
  }

  /** V8 found the place of a breakpoint that was set by URL. */
  resolved(breakpointId: string, location: Protocol.Debugger.Location): void {
    const owner = this.#tools.placements.get(breakpointId)?.owner;
    const breakpoint = owner?.kind === "line" ? this.find(owner.id) : undefined;
    if (breakpoint !== undefined) void this.#bound(breakpoint, location);
  }

  async #replace({
    source,
    breakpoints = [],
  }: DebugProtocol.SetBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const path = realPath(source.path ?? "");
    const before = [...(this.#byPath.get(path) ?? [])];
    const wanted = breakpoints.map((asked) => {
      const key = JSON.stringify([
        asked.line,
        asked.column,
        asked.condition,
        asked.hitCondition,
        asked.logMessage,
      ]);
      const at = before.findIndex((one) => one.key === key);
      return at < 0 ? this.#make(path, asked, key) : before.splice(at, 1)[0];
    });
    const now = wanted.filter((one) => one !== undefined);
    if (now.length > 0) this.#byPath.set(path, now);
    else this.#byPath.delete(path);
    await Promise.all(before.map((gone) => this.#unplace(gone)));
    await Promise.all(now.filter((one) => !one.announced).map((one) => this.#place(one)));
    for (const one of now) one.announced = true;
    return now.map((one) => ({ ...one.state }));
  }

  #make(path: string, asked: DebugProtocol.SourceBreakpoint, key: string): LineBreakpoint {
    const id = this.#tools.nextId();
    const { condition, hitCondition, logMessage } = asked;
    return {
      id,
      path,
      line: asked.line - 1,
      ...(asked.column === undefined ? {} : { column: asked.column - 1 }),
      rule: {
        ...(condition?.trim() ? { condition } : {}),
        ...(hitCondition?.trim() ? { hitCondition } : {}),
        ...(logMessage ? { logMessage } : {}),
      },
      key,
      placed: new Map(),
      state: { id, verified: false, line: asked.line, source: { path } },
      announced: false,
    };
  }

  async #place(breakpoint: LineBreakpoint): Promise<void> {
    const { scripts, arrivals, gate, cdp, reports, program } = this.#tools;
    const { path, rule } = breakpoint;
    const loaded = scripts.atPath(path);
    if (loaded.length === 0 && !existsSync(path)) return this.#fail(breakpoint, `no such file: ${path}`);
    const fault = await faultOf(cdp, rule);
    if (fault !== undefined) return this.#fail(breakpoint, fault);
    if (needsReports(rule)) await reports.install();
    const outline = loaded.length === 0 ? await outlineFile(cdp, path) : undefined;
    // A file that is the program itself and was not generated can be nothing but itself; any other may come as a map's source.
    const isPlainProgram = path === program && isJavaScript(path) && outline?.mapped === false;
    if (loaded.length === 0 && !isPlainProgram) await gate.hold("lines", "mapped");
    const mapped = await arrivals.from(path);
    await Promise.all(mapped.map((arrival) => this.#bindMapped(breakpoint, arrival)));
    const isOwnSource =
      loaded.length > 0 && loaded.every((script) => mapped.some((arrival) => arrival.script === script));
    if (!isOwnSource) await this.#placeDirect(breakpoint);
    if (breakpoint.state.verified || breakpoint.state.message !== undefined) return;
    if (outline !== undefined) await this.#forecast(breakpoint, outline);
    else await this.#noCode(breakpoint);
  }

  async #placeDirect(breakpoint: LineBreakpoint): Promise<void> {
    const { placements } = this.#tools;
    const point = { line: breakpoint.line, column: breakpoint.column ?? 0 };
    breakpoint.placed.set(DIRECT, "");
    const condition = conditionText(breakpoint.id, breakpoint.rule);
    const placement = await placements.add({ urlPattern: urlPatternOf(breakpoint.path) }, point, condition, {
      kind: "line",
      id: breakpoint.id,
    });
    breakpoint.placed.set(DIRECT, placement.id);
    for (const location of placement.locations)
      if (!(await this.#isTail(breakpoint, location))) await this.#bound(breakpoint, location);
  }

  /** V8 can stop where a script returns, after its last line: nobody means that. */
  async #isTail(
    { line }: LineBreakpoint,
    { scriptId, lineNumber }: Protocol.Debugger.Location,
  ): Promise<boolean> {
    if (lineNumber === line) return false;
    const { scriptSource } = await this.#tools.cdp.send("Debugger.getScriptSource", { scriptId });
    const last = linesWithCode(scriptSource, /\S/).at(-1) ?? 0;
    return lineNumber > last;
  }

  async #bindMapped(breakpoint: LineBreakpoint, { map, where, key, script }: Arrival): Promise<void> {
    const source = map?.sourceAt(breakpoint.path);
    if (map === undefined || source === undefined || breakpoint.placed.has(key)) return;
    const { line, column } = breakpoint;
    const point =
      column === undefined || column === 0
        ? map.generated(source, line)
        : map.generatedAt(source, line, column);
    if (point === undefined) {
      const known = nearestLines(map.linesOf(source), line);
      return this.#fail(breakpoint, `no code at or after line ${line + 1}; ${known}`);
    }
    breakpoint.placed.set(key, "");
    const condition = conditionText(breakpoint.id, breakpoint.rule);
    const placement = await this.#tools.placements.add(where, point, condition, {
      kind: "line",
      id: breakpoint.id,
    });
    breakpoint.placed.set(key, placement.id);
    if (script !== undefined)
      for (const location of placement.locations) await this.#bound(breakpoint, location);
  }

  /** The file turned out to be generated on the fly (tsx): its lines are not the lines V8 counts. */
  async #dropDirect(breakpoint: LineBreakpoint): Promise<void> {
    const id = breakpoint.placed.get(DIRECT);
    if (id === undefined) return;
    breakpoint.placed.delete(DIRECT);
    await this.#tools.placements.remove(id);
  }

  async #unplace(breakpoint: LineBreakpoint): Promise<void> {
    await Promise.all([...breakpoint.placed.values()].map((id) => this.#tools.placements.remove(id)));
    breakpoint.placed.clear();
  }

  async #bound(breakpoint: LineBreakpoint, location: Protocol.Debugger.Location): Promise<void> {
    const point = { line: location.lineNumber, column: location.columnNumber ?? 0 };
    const place = await this.#tools.sources.place(location.scriptId, point, true);
    // Set in the generated file itself: its own lines count.
    const isDirect = place.source.path !== breakpoint.path;
    const { line, column } = isDirect ? point : place;
    const message = movedMessage(breakpoint.line, line);
    this.#change(breakpoint, {
      verified: true,
      line: line + 1,
      column: column + 1,
      ...(message === undefined ? {} : { message }),
    });
  }

  async #forecast(
    breakpoint: LineBreakpoint,
    { lines, exact }: { lines: number[]; exact: boolean },
  ): Promise<void> {
    const coming = forecast(breakpoint.line, lines, exact);
    if (coming.kind === "failed") await this.#fail(breakpoint, coming.message);
    else
      this.#change(breakpoint, {
        verified: false,
        line: coming.line + 1,
        message: coming.message,
        reason: "pending",
      });
  }

  async #noCode(breakpoint: LineBreakpoint): Promise<void> {
    const { cdp, scripts } = this.#tools;
    const script = scripts.atPath(breakpoint.path).at(-1);
    const start = { scriptId: script?.id ?? "", lineNumber: 0, columnNumber: 0 };
    const { locations } = await cdp.send("Debugger.getPossibleBreakpoints", { start });
    const { scriptSource } = await cdp.send("Debugger.getScriptSource", { scriptId: start.scriptId });
    const withCode = new Set(linesWithCode(scriptSource, /\S/));
    const lines = [...new Set(locations.map((location) => location.lineNumber))].filter((line) =>
      withCode.has(line),
    );
    await this.#fail(
      breakpoint,
      `no code at or after line ${breakpoint.line + 1}; ${nearestLines(lines, breakpoint.line)}`,
    );
  }

  async #fail(breakpoint: LineBreakpoint, message: string): Promise<void> {
    await this.#unplace(breakpoint);
    this.#change(breakpoint, { verified: false, line: breakpoint.line + 1, message, reason: "failed" });
  }

  #change(breakpoint: LineBreakpoint, state: Omit<DebugProtocol.Breakpoint, "id">): void {
    const { id, path } = breakpoint;
    const next: DebugProtocol.Breakpoint = { id, source: { path }, ...state };
    if (JSON.stringify(next) === JSON.stringify(breakpoint.state)) return;
    breakpoint.state = next;
    if (breakpoint.announced) this.#tools.host.emit("breakpoint", { reason: "changed", breakpoint: next });
  }
}
