/** Node: V8's own profiler, by way of the debugger's session. Each worker and child process that the session reaches is a part of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SondeError } from "../../../errors.ts";
import type { Debuggee } from "../../../session/debuggee.ts";
import { Session, sessionOf } from "../../../session/session.ts";
import { plural } from "../../../util/text.ts";
import { wait } from "../../../util/wait.ts";
import { type CpuProfile, fromCpuProfile, fromHeapProfile, type HeapProfile } from "../formats/v8.ts";
import { merged, type Profile } from "../profile.ts";
import { type ProfileFile, sampled, type Taken, type Taking, whenEnded } from "../sampler.ts";
import { type MapPlaces, placing } from "./v8-places.ts";

const CPU_MICROSECONDS = 100;
/** One allocation in so many bytes is looked at: V8's own choice. */
const HEAP_BYTES = 32 * 1024;
/** A program that is busy in native code does not hear that it is to stop. */
const STOP_MS = 10_000;
/** Between the end of a process and that of our conversation about it: its last words are on their way. */
const LAST_MS = 500;

interface Part {
  debuggee: Debuggee;
  told?: { profile: unknown; maps: MapPlaces };
  problem?: string;
  /** No longer listens. */
  off?(): void;
}

export async function sampleV8(taking: Taking): Promise<Taken> {
  const { launch, kind } = taking;
  const found = sessionOf(launch);
  const session = found ?? new Session(launch, { breakpoints: [], catches: [] });
  // The debugger would have the compiler keep variables: not what the program does by itself.
  if (!found && launch.opening.request === "launch") launch.opening.plan.env.SONDE_NODE_UNCHANGED = "1";
  const parts: Part[] = [];
  const enter = async (debuggee: Debuggee) => {
    const part: Part = { debuggee };
    parts.push(part);
    await start(part, kind, found === undefined).catch((error: unknown) => {
      part.problem = error instanceof Error ? error.message : String(error);
      if (debuggee === session.main) throw error;
    });
  };
  session.beforeRun.add(enter);
  const ended = whenEnded(launch);
  try {
    if (found) for (const debuggee of found.live) await enter(debuggee);
    else await session.open(launch.opening.request === "attach" ? undefined : taking.signal);
    if (!found) feed(session, taking.stdin);
    const { seconds, end } = await sampled(taking, ended);
    if (end.how === "program")
      await Promise.all(parts.map(({ debuggee }) => wait(debuggee.client.closed, { timeoutMs: LAST_MS })));
    await Promise.all(parts.map((part) => stop(part, kind)));
    for (const debuggee of session.debuggees)
      if (!found && !parts.some((part) => part.debuggee === debuggee))
        parts.push({ debuggee, problem: "it ended before it could be sampled" });
    const files = taking.snapshot ? await snapshot(taking, session, end.how === "program") : [];
    return {
      ...(await put(taking, parts)),
      seconds: secondsOf(parts) ?? seconds,
      end,
      files: [...files, ...written(taking, parts)],
    };
  } finally {
    session.beforeRun.delete(enter);
    for (const part of parts) part.off?.();
  }
}

/** By V8's own clock, of the one that was looked at longest. */
function secondsOf(parts: readonly Part[]): number | undefined {
  const spans = parts.flatMap(({ told }) => {
    const { startTime, endTime } = (told?.profile ?? {}) as Partial<CpuProfile>;
    return startTime === undefined || endTime === undefined ? [] : [(endTime - startTime) / 1e6];
  });
  return spans.length === 0 ? undefined : Math.max(...spans);
}

/** Not awaited: a program that reads nothing must not hold it up. */
function feed(session: Session, bytes: Buffer | undefined): void {
  const route = session.opening.request === "attach" ? undefined : session.main?.stdin;
  if (route === undefined) return;
  const fed = bytes === undefined ? Promise.resolve() : route.write(bytes);
  void fed.then(() => route.end()).catch(() => {});
}

async function start(part: Part, kind: Taking["kind"], skipPauses: boolean): Promise<void> {
  const { client } = part.debuggee;
  part.off = client.onAny((event, body) => {
    if (event === "sonde/profile") part.told = body as Part["told"] & object;
  });
  const interval = kind === "cpu" ? CPU_MICROSECONDS : HEAP_BYTES;
  await client.requestRaw("sonde/profile", { do: "start", kind, interval, skipPauses });
}

async function stop(part: Part, kind: Taking["kind"]): Promise<void> {
  const { client, ended } = part.debuggee;
  if (part.told || part.problem !== undefined) return;
  if (ended || client.isClosed) {
    part.problem = "it was terminated or killed, and its profile was lost";
    return;
  }
  try {
    const told = await client.requestRaw("sonde/profile", { do: "stop", kind }, { timeoutMs: STOP_MS });
    part.told = told as Part["told"] & object;
  } catch (error) {
    // It may have ended at this very moment: then what it said last is there.
    if (!part.told) part.problem = error instanceof Error ? error.message : String(error);
  }
}

async function put(
  { kind, launch }: Taking,
  parts: readonly Part[],
): Promise<Omit<Taken, "seconds" | "end" | "files">> {
  const told = parts.flatMap((part) => (part.told ? [{ ...part, told: part.told }] : []));
  const lost = parts.filter((part) => !part.told);
  if (told.length === 0)
    throw new SondeError(
      "UNSUPPORTED",
      `there is no profile of ${launch.name}: ${lost[0]?.problem ?? "none of its processes could be reached"}`,
      {
        hint: "the profile of a process is lost if it is killed: end the profile before the program",
      },
    );
  const read = await Promise.all(
    told.map(async ({ debuggee, told: { profile, maps } }): Promise<{ profile: Profile; root?: string }> => {
      const place = await placing(maps, profile, (message) => launch.log(message));
      const one =
        kind === "cpu"
          ? fromCpuProfile(profile as CpuProfile, place)
          : fromHeapProfile(profile as HeapProfile, place);
      return told.length === 1 ? { profile: one } : { profile: one, root: debuggee.label };
    }),
  );
  const notes = [
    ...(told.length > 1
      ? [
          `${plural(told.length, "thread or process", "threads and processes")}: ${told.map(({ debuggee }) => debuggee.label).join(", ")}`,
        ]
      : []),
    ...(kind === "cpu"
      ? [
          "times are wall-clock times: time spent waiting for a processor is charged to the function that was running, or to idle; `console.log` costs more under the inspector than without it",
        ]
      : []),
    ...launch.notes.of("undebugged"),
    ...lost.map(({ debuggee, problem }) => `left out: ${debuggee.label} (${problem})`),
  ];
  return {
    profile: merged(kind === "cpu" ? "ns" : "bytes", read),
    means:
      kind === "cpu"
        ? "V8's profiler"
        : "V8's sampling of allocations: what was allocated meanwhile and is still in use",
    period: kind === "cpu" ? CPU_MICROSECONDS * 1000 : HEAP_BYTES,
    notes,
  };
}

/** V8's own file, as its tools read it. */
function written({ kind, folder }: Taking, parts: readonly Part[]): ProfileFile[] {
  const type = kind === "cpu" ? "cpuprofile" : "heapprofile";
  return parts.flatMap(({ told }, at): ProfileFile[] => {
    if (!told) return [];
    const path = join(folder, at === 0 ? `profile.${type}` : `profile-${at + 1}.${type}`);
    writeFileSync(path, JSON.stringify(told.profile), { mode: 0o600 });
    return [{ kind: type, path }];
  });
}

async function snapshot({ folder }: Taking, { main }: Session, isOver: boolean): Promise<ProfileFile[]> {
  if (isOver || !main)
    throw new SondeError("SESSION_ENDED", "the program ended before a snapshot of its heap could be taken", {
      hint: "sample for a shorter time",
    });
  const path = join(folder, "heap.heapsnapshot");
  await main.client.requestRaw(
    "sonde/profile",
    { do: "snapshot", kind: "heap", file: path },
    { timeoutMs: 120_000 },
  );
  return [{ kind: "heapsnapshot", path }];
}
