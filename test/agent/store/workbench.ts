/** A folder for sessions, and processes of their own that work on it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { createSession, type SessionFacts } from "../../../src/agent/store/sessions.ts";

const SOURCES = join(import.meta.dirname, "../../../src");

export class Workbench {
  readonly root = mkdtempSync(join(tmpdir(), "agents-"));
  readonly #children: ChildProcess[] = [];

  session(facts: Partial<SessionFacts> = {}) {
    return createSession(this.root, { cwd: "/project", route: "library", version: "0.1.0", ...facts });
  }

  /** A module that may import from `src/…`, bundled for Node as it is. */
  program(source: string): string {
    const file = join(this.root, `program-${this.#children.length}-${source.length}.mjs`);
    buildSync({
      stdin: {
        contents: source.replaceAll('from "src/', `from "${SOURCES}/`),
        resolveDir: SOURCES,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
    });
    return file;
  }

  run(program: string, ...args: string[]): Running {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#children.push(child);
    return new Running(child);
  }

  /** A session of another tool, as its files would be. */
  foreign(id: string, files: Record<string, string>): string {
    const dir = join(this.root, "sessions", id);
    mkdirSync(dir, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    return dir;
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true });
  }
}

class Running {
  readonly child: ChildProcess;
  readonly pid: number;
  output = "";
  readonly #ended: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.child = child;
    this.pid = child.pid ?? 0;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text;
    });
    this.#ended = new Promise((done) => child.once("close", done));
  }

  /** Resolves with what it printed so far, once that includes the text. */
  prints(text: string): Promise<string> {
    return new Promise((done, fail) => {
      const look = () => {
        if (this.output.includes(text)) done(this.output);
      };
      this.child.stdout?.on("data", look);
      this.child.once("close", () => fail(new Error(`it ended and had printed: ${this.output}`)));
      look();
    });
  }

  ends(): Promise<number | null> {
    return this.#ended;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#ended;
  }
}
