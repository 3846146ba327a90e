/** A session on the scripted adapter: real pipes, a real process, and everything it was sent checked against the protocol. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Adapter, AttachPlan, LaunchPlan } from "../../src/adapters/adapter.ts";
import type { BreakpointSpec } from "../../src/session/breakpoints/breakpoints.ts";
import { Launch, type Timeouts } from "../../src/session/launch.ts";
import { Guard } from "../../src/session/processes/guard.ts";
import { awaitStop, resume } from "../../src/session/running/running.ts";
import type { Outcome } from "../../src/session/running/stops.ts";
import { Session } from "../../src/session/session.ts";
import { type Snapshot, snapshot } from "../../src/session/stack/snapshot.ts";
import type { Script } from "../scripted-adapter/script.ts";
import { SCRIPTED_ADAPTER, type ScriptedAdapter, startScripted } from "../scripted-adapter/start.ts";

/** Longer than anything here takes on a busy machine, shorter than the test. */
const WAIT_MS = 15_000;
const LIMITS = { snapshotBytes: 4096, valueChars: 120, variables: 30, frames: 10, outputLines: 20 };

export interface RigOptions {
  /** For the second connection and those after it: a child's. */
  children?: Script;
  timeouts?: Partial<Timeouts>;
  request?: "launch" | "attach";
}

export class Rig {
  readonly session: Session;
  /** The adapters that were started, in order. */
  readonly peers: ScriptedAdapter[] = [];
  readonly logged: string[] = [];
  /** A file of 20 lines, which the scripted adapter takes for its program. */
  readonly program: string;

  constructor(script: Script, options: RigOptions = {}) {
    const folder = mkdtempSync(join(tmpdir(), "sonde-session-"));
    this.program = join(folder, "program.txt");
    writeFileSync(this.program, Array.from({ length: 20 }, (_, i) => `statement ${i + 1}\n`).join(""));
    const guard = new Guard();
    onTestFinished(() => {
      guard.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const scriptOf = (index: number) => (index === 0 ? script : (options.children ?? {}));
    this.session = new Session(
      new Launch({
        name: "scripted",
        adapter: this.#adapter(scriptOf),
        found: { ok: true, version: "1", path: SCRIPTED_ADAPTER },
        where: { env: {}, cwd: folder, adapters: folder },
        opening: { request: options.request ?? "launch", plan: this.#plan(folder) },
        guard,
        timeouts: {
          initializeMs: 10_000,
          launchMs: 10_000,
          requestMs: 10_000,
          endMs: 500,
          ...options.timeouts,
        },
        output: { maxEvents: 100, maxBytes: 100_000 },
        log: (message) => this.logged.push(message),
      }),
    );
  }

  get peer(): ScriptedAdapter {
    const [first] = this.peers;
    if (!first) throw new Error("no adapter was started");
    return first;
  }

  line(line: number): BreakpointSpec {
    return { kind: "line", path: this.program, line, asked: `program.txt:${line}` };
  }

  /** Opened, with breakpoints at these lines. */
  async open(...lines: number[]): Promise<void> {
    for (const line of lines) this.session.breakpoints.declare(this.line(line));
    await this.session.open();
  }

  next(timeoutMs = WAIT_MS): Promise<Outcome> {
    return awaitStop(this.session, { timeoutMs });
  }

  /** The next stop, as a reader sees it. */
  async stop(): Promise<Snapshot> {
    const outcome = await this.next();
    expect(outcome.kind).toBe("stopped");
    return this.look();
  }

  look(): Promise<Snapshot> {
    return snapshot(this.session, { limits: LIMITS, before: 2, after: 2 });
  }

  async continue(): Promise<Outcome> {
    await resume(this.session);
    return this.next();
  }

  /** Opened and stopped at line 3, and looked at. */
  async stopped(): Promise<Snapshot> {
    await this.open(3);
    const shot = await this.stop();
    expect(shot.frame).toMatchObject({ line: 3 });
    return shot;
  }

  #plan(cwd: string): LaunchPlan & AttachPlan {
    return { program: this.program, args: [], cwd, env: {}, stopOnEntry: false, extra: {} };
  }

  #adapter(scriptOf: (index: number) => Script): Adapter {
    return {
      name: "scripted",
      title: "the scripted adapter",
      listens: [],
      languages: ["text"],
      fileTypes: [".txt"],
      commands: [],
      catches: { uncaught: ["uncaught"] },
      defaultCatches: [],
      unsupported: {},
      custom: [],
      find: async () => ({ ok: true, version: "1", path: SCRIPTED_ADAPTER }),
      recipes: [],
      byHand: "",
      sample: { file: "", text: "", line: 1, shows: { name: "", value: "" } },
      open: async (task, { processes }) => {
        const peer = await startScripted(scriptOf(this.peers.length));
        const pid = peer.process.pid ?? 0;
        processes.own(pid, "the scripted adapter", "adapter");
        void peer.process.ended.then(() => processes.release(pid));
        this.peers.push(peer);
        onTestFinished(() => this.#check(peer));
        const request = task.request === "child" ? task.start : task.request;
        const args = task.request === "child" ? task.configuration : { program: this.program };
        return { transport: peer.transport, request, args };
      },
    };
  }

  /** True of every test: what was sent is DAP, and the session's end leaves nothing. */
  async #check(peer: ScriptedAdapter): Promise<void> {
    await this.session.launch.end();
    expect(peer.invalid()).toEqual([]);
    expect(this.session.launch.processes.list()).toEqual([]);
    const { child } = peer.process;
    await expect
      .poll(() => child.exitCode ?? child.signalCode, { message: "the adapter outlived its session" })
      .not.toBeNull();
  }
}
