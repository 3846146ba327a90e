/** A terminal that a test types into and looks at: tmux, with a server of its own. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";

export const WITHOUT_TMUX =
  spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0 ? undefined : "tmux is not installed";

export interface TerminalOptions {
  env: Record<string, string>;
  cwd: string;
  columns?: number;
  rows?: number;
}

export class TmuxTerminal implements AsyncDisposable {
  readonly #name = `sonde-test-${randomUUID().slice(0, 8)}`;
  readonly #control: ChildProcess;
  #look = () => {};

  /** `line`: for the shell. */
  constructor(line: string, { env, cwd, columns = 100, rows = 24 }: TerminalOptions) {
    const size = ["-x", String(columns), "-y", String(rows)];
    execFileSync(
      "tmux",
      ["-L", this.#name, "-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, line],
      {
        env: { ...env, TERM: "screen-256color", LANG: "C.UTF-8" },
      },
    );
    // A client that is told of all that is written to the terminal.
    this.#control = spawn("tmux", ["-L", this.#name, "-C", "attach", "-f", "ignore-size"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#control.stdout?.on("data", () => this.#look());
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-L", this.#name, ...args], { encoding: "utf8" });
  }

  screen(): string {
    return this.#tmux("capture-pane", "-p");
  }

  /** Names of keys, as tmux has them; one after the other. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  buffer(): string {
    return this.#tmux("show-buffer");
  }

  /** When the screen is so: what it is then. */
  shows(wanted: RegExp | string): Promise<string> {
    return new Promise((done, reject) => {
      const late = setTimeout(() => {
        this.#look = () => {};
        reject(new Error(`20 s without ${wanted}:\n${this.screen()}`));
      }, 20_000);
      this.#look = () => {
        const screen = this.screen();
        if (typeof wanted === "string" ? !screen.includes(wanted) : !wanted.test(screen)) return;
        clearTimeout(late);
        this.#look = () => {};
        done(screen);
      };
      this.#look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#look = () => {};
    const gone = new Promise((done) => this.#control.once("exit", done));
    spawnSync("tmux", ["-L", this.#name, "kill-server"], { stdio: "ignore" });
    await gone;
  }
}
