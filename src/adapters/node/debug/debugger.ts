/** Debugs one V8: DAP requests in, CDP out. This file only puts the parts together. */
import type { Protocol } from "devtools-protocol";
import { isModuleFile } from "../javascript/module-kind.ts";
import type { Target } from "../target.ts";
import { Ahead, watched } from "./ahead.ts";
import { Arrivals } from "./arrivals.ts";
import { Breakpoints } from "./breakpoints.ts";
import type { BreakRule } from "./condition.ts";
import { Current } from "./current.ts";
import { Entry } from "./entry.ts";
import { Exceptions } from "./exceptions.ts";
import { FatalErrors } from "./fatal.ts";
import { FunctionBreakpoints } from "./function-breakpoints.ts";
import { Gate } from "./gate.ts";
import { type DebuggerHost, type DebuggerOptions, type Handlers, THREAD_ID } from "./host.ts";
import { Kit } from "./kit.ts";
import { LateRules } from "./late-rules.ts";
import { Motion } from "./motion.ts";
import { OriginalNames } from "./original-names.ts";
import { Pauses } from "./pauses.ts";
import { type Owner, Placements } from "./placements.ts";
import { Profiler } from "./profiler.ts";
import { type Report, Reports } from "./reports.ts";
import { requestHandlers } from "./requests.ts";
import { ScriptTexts } from "./script-texts.ts";
import { LIBRARY, realPath } from "./script-url.ts";
import { Scripts } from "./scripts.ts";
import { SourceMaps } from "./source-maps.ts";
import { Sources } from "./sources.ts";
import { Strays } from "./strays.ts";
import { ThrowFates } from "./throw-fate.ts";
import { Values } from "./values.ts";

export { DEBUG_CAPABILITIES } from "./capabilities.ts";
export { DapError, type DebuggerHost, type DebuggerOptions, type Handlers } from "./host.ts";

const ASYNC_STACK_DEPTH = 32;

export class TargetDebugger {
  readonly requests: Handlers;
  readonly #target: Target;
  readonly #host: DebuggerHost;
  /** Code that steps go through without stopping. */
  readonly #hidden: string[];
  readonly #scripts = new Scripts();
  readonly #current: Current;
  readonly #arrivals: Arrivals;
  readonly #breakpoints: Breakpoints;
  readonly #functions: FunctionBreakpoints;
  readonly #exceptions: Exceptions;
  readonly #reports: Reports;
  readonly #pauses: Pauses;
  readonly #ahead: Ahead;
  readonly #gate: Gate;
  #hasRun = false;
  readonly #motion: Motion;
  readonly #placements: Placements;
  readonly #entry: Entry | undefined;
  readonly #unsubscribe: (() => void)[] = [];

  constructor(target: Target, host: DebuggerHost, options: DebuggerOptions) {
    this.#target = target;
    this.#host = host;
    this.#hidden = options.justMyCode === true ? [LIBRARY.source] : [];
    const cdp = watched(target.cdp, (method) => {
      this.#ahead.onSend(method);
      this.#current.onSend(method);
    });
    const log = (message: string) => host.log(message);
    const program = options.program === undefined ? undefined : realPath(options.program);
    const scripts = this.#scripts;
    const maps = new SourceMaps(log);
    const texts = new ScriptTexts(cdp);
    const sources = new Sources(texts, scripts, maps);
    const names = new OriginalNames({ texts, scripts, maps });
    const gate = new Gate(cdp, log, !target.waiting);
    this.#gate = gate;
    const kit = new Kit(cdp, () => gate.holdsEverything);
    const ahead = new Ahead(target.readAtPause, kit);
    this.#ahead = ahead;
    this.#exceptions = new Exceptions(cdp, kit, new ThrowFates(texts, scripts), new FatalErrors(cdp));
    // Without a program it is the text of `node -e`, which Node catches and throws again.
    const held = program === undefined ? target.kind === "process" : isModuleFile(program);
    if (target.waiting && held) this.#exceptions.moduleLoaded();
    let lastId = 0;
    this.#current = new Current(cdp, scripts);
    const values = new Values(cdp, kit, this.#current);
    this.#current.onMove(() => values.containers.clear());
    this.#placements = new Placements(cdp);
    this.#reports = new Reports(cdp, kit, log, (report) => this.#report(report));
    this.#arrivals = new Arrivals({ cdp, scripts, maps, gate, log });
    const shared = {
      texts,
      cdp,
      host,
      scripts,
      maps,
      names,
      gate,
      program,
      placements: this.#placements,
      arrivals: this.#arrivals,
      reports: this.#reports,
      strays: new Strays(texts),
    };
    const nextId = () => ++lastId;
    this.#breakpoints = new Breakpoints({ ...shared, sources, nextId });
    this.#functions = new FunctionBreakpoints({ ...shared, sources, nextId });
    const wantsEntry =
      options.stopOnEntry && target.kind === "process" && target.waiting && program !== undefined;
    this.#entry = wantsEntry ? new Entry({ cdp, placements: this.#placements, gate }, program) : undefined;
    this.#arrivals.add(
      this.#breakpoints,
      this.#functions,
      ...(this.#entry === undefined ? [] : [this.#entry]),
    );
    this.#motion = new Motion({ cdp, current: this.#current, sources, texts, ahead });
    this.#pauses = new Pauses({
      ...shared,
      lateRules: new LateRules({ ...shared, ruleOf: (owner) => this.#ruleOf(owner) }),
      current: this.#current,
      exceptions: this.#exceptions,
      motion: this.#motion,
      entry: this.#entry,
      stopOnEntry: options.stopOnEntry,
    });
    this.requests = requestHandlers({
      ...shared,
      target: { ...target, cdp },
      ahead,
      current: this.#current,
      sources,
      values,
      breakpoints: this.#breakpoints,
      functions: this.#functions,
      exceptions: this.#exceptions,
      motion: this.#motion,
      profiler: new Profiler(target, host, scripts, target.unchanged ? 0 : ASYNC_STACK_DEPTH),
    });
  }

  /** Afterwards breakpoints can be set. */
  async enable(): Promise<void> {
    const { cdp, unchanged = false } = this.#target;
    const maxDepth = unchanged ? 0 : ASYNC_STACK_DEPTH;
    this.#unsubscribe.push(
      cdp.on("Debugger.scriptParsed", (event) => {
        const script = this.#scripts.add(event);
        if (this.#hasRun && script?.path !== undefined) this.#gate.started();
        if (script !== undefined && !script.internal) this.#arrivals.parsed(script);
        if (script?.isModule === true && !script.internal) this.#exceptions.moduleLoaded();
        for (const { breakpointId, location } of resolvedIn(event)) this.#resolved(breakpointId, location);
      }),
      cdp.on("Debugger.breakpointResolved", ({ breakpointId, location }) =>
        this.#resolved(breakpointId, location),
      ),
      cdp.on("Debugger.paused", (event) => {
        this.#ahead.onPaused(event);
        this.#pauses.onPaused(event);
      }),
      cdp.onRaw("Sonde.read", (answer) => this.#ahead.onRead(answer)),
      cdp.on("Debugger.resumed", () => this.#resumed()),
    );
    void cdp.closed.then(() => this.#ahead.end());
    await Promise.all([
      cdp.send("Runtime.enable"),
      cdp.send("Debugger.enable", {}),
      cdp.send("Debugger.setAsyncCallStackDepth", { maxDepth }),
      cdp.send("Debugger.setBlackboxPatterns", { patterns: this.#hidden }),
    ]);
    await this.#entry?.arm();
  }

  async run(): Promise<void> {
    this.#hasRun = true;
    if (this.#target.waiting) await this.#target.cdp.send("Runtime.runIfWaitingForDebugger");
  }

  /** Leaves the program as if it had never been debugged. */
  async dispose(): Promise<void> {
    const { cdp } = this.#target;
    for (const off of this.#unsubscribe) off();
    this.#current.move();
    const quiet = (sent: Promise<unknown>) =>
      sent.catch((error: unknown) => this.#host.log(`while leaving: ${String(error)}`));
    await Promise.all([
      quiet(cdp.send("Debugger.setSkipAllPauses", { skip: true })),
      quiet(this.#reports.remove()),
      quiet(cdp.send("Runtime.runIfWaitingForDebugger")),
      quiet(cdp.send("Debugger.disable")),
      quiet(cdp.send("Runtime.disable")),
    ]);
  }

  #ruleOf(owner: Owner): BreakRule | undefined {
    if (owner.kind === "entry") return undefined;
    return (owner.kind === "line" ? this.#breakpoints : this.#functions).find(owner.id)?.rule;
  }

  #resolved(breakpointId: string, location: Protocol.Debugger.Location): void {
    this.#breakpoints.resolved(breakpointId, location);
    this.#functions.resolved(breakpointId, location);
  }

  /** Something else let the program go: another client, or the program's end. */
  #resumed(): void {
    if (this.#current.pause === undefined) return;
    this.#current.move();
    if (!this.#motion.isRestarting)
      this.#host.emit("continued", { threadId: THREAD_ID, allThreadsContinued: true });
  }

  #report({ kind, id, text }: Report): void {
    const breakpoint = this.#breakpoints.find(id);
    const { path, state } = breakpoint ?? {};
    const at = path === undefined || state?.line === undefined ? {} : { source: { path }, line: state.line };
    if (kind === "log") this.#host.emit("output", { category: "console", output: `${text}\n`, ...at });
    else {
      this.#pauses.conditionFailed(id);
      this.#host.emit("output", {
        category: "important",
        output: `breakpoint ${id} condition failed: ${text}\n`,
        about: "failed-condition",
        ...at,
      });
    }
  }
}

/** Newer V8s tell of resolved breakpoints with the script itself. */
function resolvedIn(event: object): Protocol.Debugger.BreakpointResolvedEvent[] {
  return (event as { resolvedBreakpoints?: ReturnType<typeof resolvedIn> }).resolvedBreakpoints ?? [];
}
