/**
 * If this process is killed, the agent is asked to end, with all that descends from it, and killed a second later; files that were
 * kept for it are removed. What it left to itself (a server that its user wanted) has other parents by then, and stays.
 *
 * The agent is in our process group, which is the terminal's: there is no group of its own to be ended.
 */
import { GuardShell } from "../../util/guard-shell.ts";

/**
 * A process is written as number/birth: a number may be used again within that second. Without /proc there is no birth to know.
 */
const ENDING = `
PATH=$PATH:/usr/bin:/bin
facts() {
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
  set -- "$1" \${line##*) }
  [ "$2" = Z ] || echo "$1 $3 \${21}"
}
everybody() {
  if [ -r /proc/self/stat ]; then
    for f in /proc/[0-9]*; do facts "\${f#/proc/}"; done
  else
    ps -A -o pid= -o ppid= | while read -r p parent; do echo "$p $parent -"; done
  fi
}
descend() {
  known=$(everybody)
  new=1
  while [ -n "$new" ]; do
    new=
    set -- $known
    while [ $# -ge 3 ]; do
      case " $tree " in
        *" $1/"*) ;;
        *" $2/"*) tree="$tree $1/$3"; new=1 ;;
      esac
      shift 3
    done
  done
}
lives() {
  case $1 in
    */-) kill -0 "\${1%/*}" 2>/dev/null ;;
    *) set -- "$1" $(facts "\${1%/*}"); [ "$1" = "$2/$4" ] ;;
  esac
}
signal() {
  for one in $tree; do lives "$one" && kill -s "$1" "\${one%/*}" 2>/dev/null; done
}
tree=
for p in $all; do
  case $p in *[!0-9]*) continue ;; esac
  born=-
  [ -r /proc/self/stat ] && born=$(facts "$p") && born=\${born##* }
  tree="$tree $p/$born"
done
descend
signal TERM
rm -rf -- "$@"
for try in 1 2 3 4 5 6 7 8 9 10; do
  left=
  for one in $tree; do lives "$one" && left="$left $one"; done
  [ -n "$left" ] || exit 0
  sleep 0.1
done
tree=$left
descend
signal KILL
`;

/** Keeps the list from being empty while there is no agent yet: files there are. */
const FILES = "files";

export class AgentGuard {
  readonly #shell: GuardShell;

  /** `paths`: files and folders that must not stay. */
  constructor(paths: readonly string[]) {
    this.#shell = new GuardShell(ENDING, paths);
    this.#shell.watch(FILES);
  }

  watch(pid: number): void {
    this.#shell.watch(String(pid));
  }

  forget(pid: number): void {
    this.#shell.forget(String(pid));
  }

  /** The files have been removed. */
  close(): void {
    this.#shell.close();
  }
}
