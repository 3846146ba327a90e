/** Line breakpoints: what was asked for, where V8 put it, and the truth about it. */
import { existsSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Arrival, Binder } from "./arrivals.ts";
import type { BinderTools } from "./binder-tools.ts";
import { movedMessage, noCodeMessage, pendingMessage, unmadeMessage } from "./binding.ts";
import { type BreakRule, conditionText, type Fault, faultOf, needsReports } from "./condition.ts";
import { type FileOutline, isJavaScript, outlineFile } from "./file-check.ts";
import type { Holding } from "./gate.ts";
import { reasonOf } from "./host.ts";
import { ruleIn } from "./original-names.ts";
import type { Placement } from "./placements.ts";
import { type Aim, aimAmong, leadTo, ScriptPlaces } from "./script-places.ts";
import { isLibraryPath, realPath, urlPatternOf } from "./script-url.ts";
import type { Script } from "./scripts.ts";
import type { Point } from "./source-map.ts";
import { isAt, staysInFunction } from "./strays.ts";

export interface LineBreakpoint {
  id: number;
  path: string;
  /** 0-based, as asked. */
  line: number;
  column?: number;
  /** The last line that can hold code, if the file was read before it was loaded: no question to V8 delays what is told. */
  last?: number;
  /** The file's text, if it was read before it was loaded. */
  text?: string;
  /** Where V8 was asked to put it in the file itself. */
  aim?: Point;
  /** The line it stands for in a function that V8 makes nothing of: it is not set in V8. */
  unmade?: number;
  rule: BreakRule;
  key: string;
  /** V8's breakpoints behind it, by the script or pattern they were set in. */
  placed: Map<string, string>;
  state: DebugProtocol.Breakpoint;
  /** The client knows its id; before that, changes only show in the response. */
  announced: boolean;
}

/** What the breakpoints of one file have in common. */
interface File {
  loaded: Script[];
  /** Scripts that were made from it. */
  mapped: Arrival[];
  /** Of a file that is not loaded. */
  outline?: FileOutline;
}

const DIRECT = "direct";

export class Breakpoints implements Binder {
  readonly #tools: BinderTools;
  readonly #byPath = new Map<string, LineBreakpoint[]>();
  readonly #byId = new Map<number, LineBreakpoint>();
  readonly #places: ScriptPlaces;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tools: BinderTools) {
    this.#tools = tools;
    this.#places = new ScriptPlaces(tools.cdp, tools.texts);
  }

  get holding(): Holding {
    return "mapped";
  }

  find(id: number): LineBreakpoint | undefined {
    return this.#byId.get(id);
  }

  wants(path: string, hasMap: boolean): boolean {
    if (!hasMap) return this.#unmadeIn(path).length > 0;
    return !isLibraryPath(path) || [...this.#byPath.keys()].some(isLibraryPath);
  }

  /** Replaces the breakpoints of one file. */
  set(args: DebugProtocol.SetBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]> {
    const work = this.#turn.then(() => this.#replace(args));
    this.#turn = work.catch(() => {});
    return work;
  }

  /** The text of a script has changed under the running program. */
  async edited(path: string): Promise<void> {
    const script = this.#tools.scripts.atPath(realPath(path)).at(-1);
    await Promise.all(this.#unmadeIn(realPath(path)).map((one) => this.#bindUnmade(one, script)));
  }

  /** A script with a map, or one with functions V8 was expected to make nothing of, is here or will be in a moment. */
  async bind(arrival: Arrival): Promise<void> {
    const { map } = arrival;
    if (map === undefined) {
      await Promise.all(this.#unmadeIn(arrival.path).map((one) => this.#bindUnmade(one, arrival.script)));
      return;
    }
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
    const placement = this.#tools.placements.get(breakpointId);
    const breakpoint = placement?.owner.kind === "line" ? this.find(placement.owner.id) : undefined;
    if (placement === undefined || breakpoint === undefined) return;
    const isDirect = breakpoint.placed.get(DIRECT) === breakpointId;
    const told = isDirect
      ? this.#landedLate(breakpoint, location)
      : this.#landedMapped(breakpoint, placement, location);
    if (!isAt(placement.point, location)) this.#tools.strays.watch(breakpointId, told);
    told.catch((error: unknown) => this.#tools.host.log(`breakpoint ${breakpoint.id}: ${reasonOf(error)}`));
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
    for (const { id } of before) this.#byId.delete(id);
    for (const one of now) this.#byId.set(one.id, one);
    await Promise.all(before.map((gone) => this.#unplace(gone)));
    await this.#placeAll(
      path,
      now.filter((one) => !one.announced),
    );
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

  async #placeAll(path: string, all: LineBreakpoint[]): Promise<void> {
    const { scripts, cdp, reports } = this.#tools;
    if (all.length === 0) return;
    const isThere = scripts.atPath(path).length > 0 || existsSync(path);
    const missing = isThere ? undefined : `no such file: ${path}`;
    const faults = await Promise.all(all.map(({ rule }) => missing ?? faultOf(cdp, rule)));
    await Promise.all(all.map((one, at) => faults[at] && this.#fail(one, faults[at])));
    const sound = all.filter((_, at) => faults[at] === undefined);
    if (sound.some(({ rule }) => needsReports(rule))) await reports.install();
    if (sound.length === 0) return;
    const file = await this.#look(path);
    await Promise.all(sound.map((one) => this.#place(one, file)));
  }

  async #look(path: string): Promise<File> {
    const { scripts, arrivals, gate, cdp, program } = this.#tools;
    const loaded = scripts.atPath(path);
    const outline = loaded.length === 0 ? await outlineFile(cdp, path) : undefined;
    // A file that is the program itself and was not generated can be nothing but itself; any other may come as a map's source.
    const isPlainProgram = path === program && isJavaScript(path) && outline?.mapped === false;
    if (loaded.length === 0 && !isPlainProgram) await gate.hold("lines", "mapped");
    const mapped = await arrivals.from(path);
    return { loaded, mapped, ...(outline === undefined ? {} : { outline }) };
  }

  async #place(breakpoint: LineBreakpoint, file: File): Promise<void> {
    const { loaded, mapped, outline } = file;
    const { line } = breakpoint;
    await Promise.all(mapped.map((arrival) => this.#bindMapped(breakpoint, arrival)));
    const isSettled = () => breakpoint.state.verified || breakpoint.state.message !== undefined;
    if (outline !== undefined && line > outline.last && !isSettled())
      return this.#fail(breakpoint, noCodeMessage(line, outline.lines));
    if (outline !== undefined) Object.assign(breakpoint, { last: outline.last, text: outline.text });
    const isOwnSource =
      loaded.length > 0 && loaded.every((script) => mapped.some((arrival) => arrival.script === script));
    if (!isOwnSource) await this.#placeAt(breakpoint, await this.#aim(breakpoint, file), loaded.length > 0);
    if (isSettled()) return;
    if (outline === undefined) return this.#noCode(breakpoint, loaded.at(-1)?.id ?? "");
    // Where it goes is known only when V8 has the file: until then it stands where it was asked for.
    const message = pendingMessage(line, !outline.code.has(line));
    this.#change(breakpoint, { verified: false, line: line + 1, message, reason: "pending" });
  }

  /** Where to ask V8 to put it. */
  async #aim(breakpoint: LineBreakpoint, { loaded, outline }: File): Promise<Aim> {
    const { line, column } = breakpoint;
    const asked = { line, column: column ?? 0 };
    if (outline?.exact) {
      const aim: Aim = aimAmong(breakpoint, outline.text, outline.points) ?? asked;
      return aim.unmade ? aim : leadTo(aim, outline.text, outline);
    }
    if (outline !== undefined) {
      const next = outline.code.has(line) ? undefined : [...outline.code].find((one) => one > line);
      return next === undefined ? asked : { line: next, column: 0 };
    }
    const script = loaded.at(-1);
    return (script && (await this.#places.aim(script.id, breakpoint))) ?? asked;
  }

  async #placeAt(breakpoint: LineBreakpoint, aim: Aim, isLoaded: boolean): Promise<void> {
    delete breakpoint.unmade;
    if (aim.unmade === undefined) return this.#placeDirect(breakpoint, aim);
    breakpoint.unmade = aim.line;
    if (isLoaded) this.#idle(breakpoint, aim.line);
  }

  #unmadeIn(path: string): LineBreakpoint[] {
    return (this.#byPath.get(path) ?? []).filter(({ unmade }) => unmade !== undefined);
  }

  /** Its file is loaded, or loaded anew: V8 may have made something of it after all. */
  async #bindUnmade(breakpoint: LineBreakpoint, script: Script | undefined): Promise<void> {
    // What the file said is told at once: the program may end while V8 is asked.
    if (!breakpoint.state.verified) this.#idle(breakpoint, breakpoint.unmade ?? breakpoint.line);
    const aim = script && (await this.#places.aim(script.id, breakpoint));
    // Meanwhile the user may have removed it.
    if (breakpoint.unmade === undefined || this.find(breakpoint.id) !== breakpoint) return;
    await this.#placeAt(breakpoint, aim ?? { line: breakpoint.unmade, column: 0, unmade: true }, true);
  }

  #idle(breakpoint: LineBreakpoint, line: number): void {
    const message = unmadeMessage(breakpoint.line, line);
    this.#change(breakpoint, { verified: true, line: line + 1, message });
  }

  async #placeDirect(breakpoint: LineBreakpoint, point: Point): Promise<void> {
    const { placements } = this.#tools;
    breakpoint.placed.set(DIRECT, "");
    breakpoint.aim = point;
    const condition = conditionText(breakpoint.id, breakpoint.rule);
    const placement = await placements.add({ urlPattern: urlPatternOf(breakpoint.path) }, point, condition, {
      kind: "line",
      id: breakpoint.id,
    });
    breakpoint.placed.set(DIRECT, placement.id);
    for (const location of placement.locations) {
      const next = await this.#nextAfter(breakpoint, location);
      const isNew = next !== undefined && (next.line !== point.line || next.column !== point.column);
      if (isNew || next?.unmade) return this.#moveDirect(breakpoint, next);
      if (!(await this.#isTail(breakpoint, location))) await this.#bound(breakpoint, location);
    }
  }

  /** A file that was not loaded is now. */
  async #landedLate(breakpoint: LineBreakpoint, location: Protocol.Debugger.Location): Promise<void> {
    // The program may end while V8 is asked: where V8 put it first is then where it was.
    const next = await this.#nextAfter(breakpoint, location).catch((error: unknown) => {
      if (!staysInFunction(breakpoint, location)) throw error;
    });
    if (next !== undefined) await this.#moveDirect(breakpoint, next);
    else if (!(await this.#isTail(breakpoint, location))) await this.#bound(breakpoint, location);
    else if (!breakpoint.state.verified) await this.#noCode(breakpoint, location.scriptId);
  }

  /** V8 took another line or function: the next one with code after the line asked for, if there is one. */
  async #nextAfter(
    breakpoint: LineBreakpoint,
    location: Protocol.Debugger.Location,
  ): Promise<Aim | undefined> {
    const { line, aim } = breakpoint;
    const isAsMeant = location.lineNumber === line || location.lineNumber === aim?.line;
    const hasStrayed = aim !== undefined && (await this.#tools.strays.has(aim, location));
    return isAsMeant && !hasStrayed ? undefined : this.#places.aim(location.scriptId, breakpoint);
  }

  async #moveDirect(breakpoint: LineBreakpoint, aim: Aim): Promise<void> {
    const old = breakpoint.placed.get(DIRECT);
    if (old === undefined) return;
    await this.#tools.placements.remove(old);
    // Meanwhile the user may have removed it.
    if (this.find(breakpoint.id) === breakpoint && breakpoint.placed.get(DIRECT) === old)
      await this.#placeAt(breakpoint, aim, true);
  }

  /** V8 can stop where a script returns, after its last line: nobody means that. */
  async #isTail(
    { line, last }: LineBreakpoint,
    { scriptId, lineNumber }: Protocol.Debugger.Location,
  ): Promise<boolean> {
    return lineNumber !== line && lineNumber > (last ?? (await this.#places.lastLine(scriptId)));
  }

  async #bindMapped(breakpoint: LineBreakpoint, arrival: Arrival): Promise<void> {
    const { map, where, key, script } = arrival;
    const source = map?.sourceAt(breakpoint.path);
    if (map === undefined || source === undefined || breakpoint.placed.has(key)) return;
    const { line, column } = breakpoint;
    const point =
      column === undefined || column === 0
        ? map.generated(source, line)
        : map.generatedAt(source, line, column);
    if (point === undefined) {
      // Another script made from the same file may have the code.
      const isElsewhere = [...breakpoint.placed.keys()].some((one) => one !== DIRECT);
      return isElsewhere ? undefined : this.#fail(breakpoint, noCodeMessage(line, map.linesOf(source)));
    }
    breakpoint.placed.set(key, "");
    const condition = conditionText(breakpoint.id, await ruleIn(arrival, breakpoint.rule, point));
    const placement = await this.#tools.placements.add(where, point, condition, {
      kind: "line",
      id: breakpoint.id,
    });
    breakpoint.placed.set(key, placement.id);
    if (script !== undefined)
      for (const location of placement.locations) await this.#landedMapped(breakpoint, placement, location);
  }

  async #landedMapped(
    breakpoint: LineBreakpoint,
    { id, point }: Placement,
    location: Protocol.Debugger.Location,
  ): Promise<void> {
    const { strays, placements, sources } = this.#tools;
    if (!(await strays.has(point, location))) return this.#bound(breakpoint, location);
    await placements.remove(id);
    const { line } = await sources.place(location.scriptId, point, true);
    // Another script made from the same file may have the function.
    if (!breakpoint.state.verified) this.#idle(breakpoint, line);
  }

  /** The file turned out to be generated on the fly (tsx): its lines are not the lines V8 counts. */
  async #dropDirect(breakpoint: LineBreakpoint): Promise<void> {
    const id = breakpoint.placed.get(DIRECT);
    delete breakpoint.unmade;
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

  async #noCode(breakpoint: LineBreakpoint, scriptId: string): Promise<void> {
    const lines = (await this.#places.places(scriptId)).map((place) => place.line);
    await this.#fail(breakpoint, noCodeMessage(breakpoint.line, [...new Set(lines)]));
  }

  async #fail(breakpoint: LineBreakpoint, why: Fault | string): Promise<void> {
    await this.#unplace(breakpoint);
    const fault = typeof why === "string" ? { message: why } : why;
    this.#change(breakpoint, { verified: false, line: breakpoint.line + 1, ...fault, reason: "failed" });
  }

  #change(breakpoint: LineBreakpoint, state: Omit<DebugProtocol.Breakpoint, "id">): void {
    const { id, path } = breakpoint;
    const next: DebugProtocol.Breakpoint = { id, source: { path }, ...state };
    if (JSON.stringify(next) === JSON.stringify(breakpoint.state)) return;
    breakpoint.state = next;
    if (breakpoint.announced) this.#tools.host.emit("breakpoint", { reason: "changed", breakpoint: next });
  }
}
