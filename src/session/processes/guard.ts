/**
 * A shell script that outlives us by a moment: it reads what to watch (`+ pid`, `+ mark`) and what no longer (`- pid`, `- mark`)
 * and, when the pipe closes because this process died, kills what is still on the list. Process groups first, so that
 * grandchildren go too (dash's `kill` takes `--` only after `-s`); then whatever is in a launch's control group or carries its mark,
 * twice, for what was being started meanwhile.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { MARK_VARIABLE } from "./launch-mark.ts";

const SCRIPT = `
all=
while read -r op one; do
  case $op in
    +) all="$all $one" ;;
    -) rest=; for p in $all; do [ "$p" = "$one" ] || rest="$rest $p"; done; all=$rest ;;
  esac
done
for g in $all; do case $g in */*) echo 1 2>/dev/null >"$g/cgroup.kill" ;; esac; done
for p in $all; do case $p in *-*) ;; *) kill -s KILL -- "-$p" 2>/dev/null; kill -9 "$p" 2>/dev/null ;; esac; done
for round in 1 2; do
  for m in $all; do case $m in
    */*) for p in $(cat "$m/cgroup.procs" 2>/dev/null); do kill -9 "$p" 2>/dev/null; done ;;
    *-*)
    for f in $(grep -lzxF "${MARK_VARIABLE}=$m" /proc/[0-9]*/environ 2>/dev/null); do
      p=\${f#/proc/}; kill -9 "\${p%/environ}" 2>/dev/null
    done ;;
  esac; done
done
for g in $all; do case $g in */*)
  for try in 1 2 3 4 5 6 7 8 9; do rmdir "$g" 2>/dev/null && break; [ -d "$g" ] || break; sleep 0.1; done ;;
esac; done
exit 0
`;

export class Guard {
  #child: ChildProcess | undefined;
  /** Pids, marks (which have a hyphen in them) and control groups (which have a slash). */
  #watched = new Set<string>();
  #closed = false;

  watch(pid: number): void {
    this.#add(String(pid));
  }

  forget(pid: number): void {
    this.#remove(String(pid));
  }

  /** See launch-mark.ts. */
  watchMark(mark: string): void {
    this.#add(mark);
  }

  forgetMark(mark: string): void {
    this.#remove(mark);
  }

  /** See launch-group.ts. */
  watchGroup(folder: string): void {
    this.#add(folder);
  }

  forgetGroup(folder: string): void {
    this.#remove(folder);
  }

  #add(one: string): void {
    if (this.#watched.has(one)) return;
    this.#watched.add(one);
    if (!this.#child) this.#start();
    else this.#write(`+ ${one}\n`);
  }

  #remove(one: string): void {
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
