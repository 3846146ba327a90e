/**
 * Kills what a session started, if this process dies (util/guard-shell.ts). Process groups first, so that grandchildren go too (dash's
 * `kill` takes `--` only after `-s`); then whatever is in a launch's control group or carries its mark, twice, for what was being
 * started meanwhile.
 */
import { GuardShell } from "../../util/guard-shell.ts";
import { MARK_VARIABLE } from "./launch-mark.ts";

const ENDING = `
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
`;

export class Guard {
  /** Of pids, marks (which have a hyphen in them) and control groups (which have a slash). */
  readonly #shell = new GuardShell(ENDING);

  watch(pid: number): void {
    this.#shell.watch(String(pid));
  }

  forget(pid: number): void {
    this.#shell.forget(String(pid));
  }

  /** See launch-mark.ts. */
  watchMark(mark: string): void {
    this.#shell.watch(mark);
  }

  forgetMark(mark: string): void {
    this.#shell.forget(mark);
  }

  /** See launch-group.ts. */
  watchGroup(folder: string): void {
    this.#shell.watch(folder);
  }

  forgetGroup(folder: string): void {
    this.#shell.forget(folder);
  }

  /** Everything has been cleaned up in an orderly way; the script ends with nothing to do. */
  close(): void {
    this.#shell.close();
  }
}
