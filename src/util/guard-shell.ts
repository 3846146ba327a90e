/**
 * A shell script that outlives us by a moment. It reads what to watch (`+ one`) and what no longer (`- one`) and, when the pipe closes because this process
 * died, ends what is still on the list.
 */
import { type ChildProcess, spawn } from "node:child_process";

const LISTEN = `
all=
while read -r op one; do
  case $op in
    +) all="$all $one" ;;
    -) rest=; for p in $all; do [ "$p" = "$one" ] || rest="$rest $p"; done; all=$rest ;;
  esac
done
[ -n "$all" ] || exit 0
`;

export class GuardShell {
  readonly #script: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  /** Words without white space. */
  #watched = new Set<string>();
  #closed = false;

  /** `ending`: what the shell does with the list, which is in `$all`, and with the arguments, which are in `$@`. */
  constructor(ending: string, args: readonly string[] = []) {
    this.#script = `${LISTEN}${ending}\nexit 0\n`;
    this.#args = args;
  }

  watch(one: string): void {
    if (this.#watched.has(one)) return;
    this.#watched.add(one);
    if (!this.#child) this.#start();
    else this.#write(`+ ${one}\n`);
  }

  forget(one: string): void {
    if (this.#watched.delete(one)) this.#write(`- ${one}\n`);
  }

  /** Everything has been cleaned up in an orderly way; the script ends with nothing to do. */
  close(): void {
    this.#closed = true;
    for (const one of this.#watched) this.#write(`- ${one}\n`);
    this.#watched.clear();
    this.#child?.stdin?.end();
  }

  #start(): void {
    if (process.platform === "win32" || this.#closed) return;
    const child = spawn("/bin/sh", ["-c", this.#script, "sonde-guard", ...this.#args], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // a signal to our group must not take the guard along
      cwd: "/",
    });
    this.#child = child;
    child.on("error", () => {});
    child.stdin?.on("error", () => {});
    child.on("exit", () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#watched.size > 0) this.#start();
    });
    child.unref();
    (child.stdin as { unref?: () => void } | null)?.unref?.();
    this.#write([...this.#watched].map((one) => `+ ${one}\n`).join(""));
  }

  #write(line: string): void {
    this.#child?.stdin?.write(line);
  }
}
