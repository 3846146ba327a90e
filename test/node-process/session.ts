/** A DAP client on the real in-process adapter, real programs in a temp folder, and everything ended by pid afterwards. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { nodeAdapter } from "../../src/adapters/node/index.ts";
import { DapClient } from "../../src/dap/client.ts";

export interface SeenEvent {
  event: string;
  body: Record<string, unknown>;
}

const open = new Set<TestSession>();
const folders: string[] = [];
export const owned = new Map<number, string>();

const registry = {
  own(pid: number, what: string) {
    owned.set(pid, what);
    return pid;
  },
  release: (pid: number) => void owned.delete(pid),
};

/** Not looked at: the tests send their own launch and attach requests. */
const plan = { cwd: "/", env: {}, extra: {} };
const host = {
  found: { ok: true, version: "", path: "" } as const,
  where: { env: {}, cwd: "/", adapters: "" },
  processes: registry,
  timeoutMs: 10_000,
  log: () => {},
  say: () => {},
};

/** Writes the files and returns their folder. */
export function project(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "sonde test "));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** 1-based line of the `@name` marker. */
export function marker(file: string, name: string): number {
  const index = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(`@${name}`));
  if (index < 0) throw new Error(`no @${name} in ${file}`);
  return index + 1;
}

export async function cleanUp(): Promise<void> {
  for (const session of open) await session.end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  for (const pid of owned.keys()) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Already gone.
    }
  }
  owned.clear();
}

export class TestSession {
  readonly client: DapClient;
  readonly events: SeenEvent[] = [];
  readonly children: TestSession[] = [];
  #woken: (() => void)[] = [];

  static async open(capabilities: object = {}): Promise<TestSession> {
    const { transport } = await nodeAdapter.open({ request: "attach", plan }, host);
    const session = new TestSession(new DapClient(transport, { requestTimeoutMs: 10_000 }));
    await session.client.request("initialize", {
      adapterID: "node",
      supportsStartDebuggingRequest: true,
      ...capabilities,
    });
    return session;
  }

  constructor(client: DapClient) {
    this.client = client;
    open.add(this);
    client.onAny((event, body) => {
      this.events.push({ event, body: body as Record<string, unknown> });
      for (const wake of this.#woken.splice(0)) wake();
    });
  }

  /** Breakpoints by file and line, set between `initialized` and `configurationDone`. */
  async start(
    request: "launch" | "attach",
    args: Record<string, unknown>,
    breakpoints: Record<string, number[]> = {},
  ): Promise<void> {
    const started = this.client.requestRaw(request, args);
    await Promise.race([this.until("initialized"), started.then(() => this.until("initialized"))]);
    for (const [path, lines] of Object.entries(breakpoints)) {
      await this.client.request("setBreakpoints", {
        source: { path },
        breakpoints: lines.map((line) => ({ line })),
      });
    }
    await this.client.request("configurationDone", {});
    await started;
  }

  /** Children attach by themselves, as the session layer does it, with the same breakpoints. */
  followChildren(breakpoints: Record<string, number[]> = {}): void {
    this.client.handle("startDebugging", async ({ configuration }) => {
      const child = await TestSession.open();
      child.followChildren(breakpoints);
      this.children.push(child);
      void child.start("attach", configuration, breakpoints).catch((error) => {
        child.events.push({ event: "failed", body: { error: String(error) } });
      });
    });
  }

  /** The first event of that name from the given position on; `where` narrows it. */
  async until(
    event: string,
    where: (body: Record<string, unknown>) => boolean = () => true,
    from = 0,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.events.slice(from).find((seen) => seen.event === event && where(seen.body));
      if (found !== undefined) return found.body;
      await new Promise<void>((resolve) => this.#woken.push(resolve));
    }
  }

  async waitFor(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  output(category: string): string {
    return this.events
      .filter(({ event, body }) => event === "output" && body.category === category)
      .map(({ body }) => body.output)
      .join("");
  }

  async frame(): Promise<DebugProtocol.StackFrame> {
    const { stackFrames } = await this.client.request("stackTrace", { threadId: 1 });
    const top = stackFrames[0];
    if (top === undefined) throw new Error("no frame");
    return top;
  }

  async evaluate(expression: string): Promise<string> {
    const { id } = await this.frame();
    const { result } = await this.client.request("evaluate", { expression, frameId: id, context: "watch" });
    return result;
  }

  async end(): Promise<void> {
    open.delete(this);
    for (const child of this.children) await child.end();
    if (!this.client.isClosed) await this.client.request("disconnect", {}).catch(() => {});
    this.client.close();
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
