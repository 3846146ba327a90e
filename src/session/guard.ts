/**
 * A shell script that outlives us by a moment: it reads `+pid`/`-pid` lines and, when the pipe closes because this process
 * died, kills what is still on the list. Process groups first, so that grandchildren go too.
 */
import { type ChildProcess, spawn } from "node:child_process";

const SCRIPT = `
pids=
while read -r op pid; do
  case $op in
    +) pids="$pids $pid" ;;
    -) rest=; for p in $pids; do [ "$p" = "$pid" ] || rest="$rest $p"; done; pids=$rest ;;
  esac
done
for p in $pids; do kill -9 -- "-$p" 2>/dev/null; kill -9 "$p" 2>/dev/null; done
exit 0
`;

export class Guard {
  #child: ChildProcess | undefined;
  #pids = new Set<number>();
  #closed = false;

  watch(pid: number): void {
    this.#pids.add(pid);
    if (!this.#child) this.#start();
    else this.#write(`+ ${pid}\n`);
  }

  forget(pid: number): void {
    if (this.#pids.delete(pid)) this.#write(`- ${pid}\n`);
  }

  /** Everything has been cleaned up in an orderly way; the script ends with nothing to do. */
  close(): void {
    this.#closed = true;
    for (const pid of this.#pids) this.#write(`- ${pid}\n`);
    this.#pids.clear();
    this.#child?.stdin?.end();
  }

  #start(): void {
    if (process.platform === "win32" || this.#closed) return;
    const child = spawn("/bin/sh", ["-c", SCRIPT, "sonde-guard"], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // a signal to the daemon's group must not take the guard along
      cwd: "/",
    });
    this.#child = child;
    child.on("error", () => {});
    child.stdin?.on("error", () => {});
    child.on("exit", () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#pids.size > 0) this.#start();
    });
    child.unref();
    (child.stdin as { unref?: () => void } | null)?.unref?.();
    this.#write([...this.#pids].map((pid) => `+ ${pid}\n`).join(""));
  }

  #write(line: string): void {
    this.#child?.stdin?.write(line);
  }
}
