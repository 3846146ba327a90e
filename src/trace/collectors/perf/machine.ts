/** Whether this machine lets us set probes, and how: perf, the kernel's trace files, and the rights to write there. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Where } from "../../../adapters/adapter.ts";
import { askProgram, toolOnPath } from "../../../adapters/kit/find.ts";

const TRACE_FILES = "/sys/kernel/tracing";
const EVENTS = `${TRACE_FILES}/uprobe_events`;

/** Where the trace files are not mounted they are, for these commands alone: nobody else sees it, and nothing is left. */
const MOUNTED = `[ -e ${EVENTS} ] || mount -t tracefs tracefs ${TRACE_FILES} || exit 90`;

/** Our probes of this process; the number in front is what tells a later run that they are nobody's any more. */
export function probeGroup(): string {
  return `sonde_${process.pid}_${randomBytes(4).toString("hex")}`;
}

export interface Machine {
  perf: string;
  /** A shell script, where the trace files can be seen. */
  command(script: string, ...args: string[]): [command: string, args: string[]];
}

export type Found = Machine | { unfit: string };

const known = new Map<string, Promise<Found>>();

/** Asked once for each perf. */
export function machineFor(where: Where): Promise<Found> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return Promise.resolve({ unfit: "kernel probes work only on Linux with x86-64" });
  const perf = toolOnPath("perf", where);
  if (perf === undefined) return Promise.resolve({ unfit: "there is no perf (Debian: linux-perf)" });
  const before = known.get(perf);
  if (before) return before;
  const asked = tried(perf, where);
  known.set(perf, asked);
  // What is missing may be there the next time.
  void asked.then((found) => "unfit" in found && known.delete(perf));
  return asked;
}

async function tried(perf: string, where: Where): Promise<Found> {
  const mounted = existsSync(EVENTS);
  const unshare = toolOnPath("unshare", where);
  if (!mounted && (process.getuid?.() !== 0 || unshare === undefined))
    return { unfit: `${TRACE_FILES} is not mounted, and only root can mount it` };
  const script = (text: string) => `${MOUNTED}\n${text}`;
  const machine: Machine = {
    perf,
    command: (text, ...args) =>
      mounted || unshare === undefined
        ? ["/bin/sh", ["-c", script(text), "sh", ...args]]
        : [unshare, ["-m", "--propagation", "private", "/bin/sh", "-c", script(text), "sh", ...args]],
  };
  // A probe that counts nothing: the kernel's refusal comes here, not in the middle of a run.
  const [command, args] = machine.command(
    `[ -w ${EVENTS} ] || exit 91\n"$1" stat -e dummy true >/dev/null || exit 92`,
    perf,
  );
  const said = await askProgram(command, args, {});
  if (!said.ok) return { unfit: refusal(said.problem ?? "", said.stderr) };
  return machine;
}

function refusal(problem: string, stderr: string): string {
  const words = stderr.trim().split("\n")[0] ?? "";
  if (problem.includes("90")) return `${TRACE_FILES} cannot be mounted: ${words}`;
  if (problem.includes("91"))
    return "kernel probes are not permitted here, or this kernel does not support them";
  return `perf does not work here: ${words || problem}`;
}

/**
 * Sets the probes that its environment holds, records until perf is told to stop, and takes them away again, with those of a Sonde
 * that died before it could. The kernel's numbers for them go to a file, how often each was hit to another, the data to the standard
 * output.
 */
export const RECORD = `
removed() {
  for one in "${TRACE_FILES}/events/$1"/*/id; do
    event=\${one%/id}; echo "-:$1/\${event##*/}" >> ${EVENTS}
  done 2>/dev/null
}
for one in ${TRACE_FILES}/events/sonde_*; do
  left=\${one##*/}; pid=\${left#sonde_}
  [ -d "/proc/\${pid%%_*}" ] || removed "$left"
done
group=$1; ids=$2; shift 2
echo "$SONDE_PROBES" | while IFS= read -r one; do
  echo "$one" >> ${EVENTS} || exit 1
done || { removed "$group"; exit 93; }
for one in "${TRACE_FILES}/events/$group"/*/id; do
  event=\${one%/id}; echo "\${event##*/} $(cat "$one")"
done > "$ids"
"$@"
status=$?
while read -r _ event count; do
  case $event in *_"\${group##*_}") echo "$event $count";; esac
done < ${TRACE_FILES}/uprobe_profile > "$ids.hits"
removed "$group"
exit $status
`;

/** In that group; unlike others' of the same name, as the kernel's own count of hits does not tell the group. */
export function eventName(group: string, name: string): string {
  return `${name}_${group.slice(group.lastIndexOf("_") + 1)}`;
}

/** The kernel's numbers, by the names of the events. */
export function readIds(path: string): Map<string, number> {
  return numbersIn(path);
}

/** By the names of the events; none where that was not to be had. */
export function readHits(path: string): Map<string, number> {
  return existsSync(`${path}.hits`) ? numbersIn(`${path}.hits`) : new Map();
}

function numbersIn(path: string): Map<string, number> {
  const rows = readFileSync(path, "utf8").trim().split("\n");
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const [name, number] = row.split(" ");
      return name === undefined || number === undefined ? [] : [[name, Number(number)]];
    }),
  );
}
