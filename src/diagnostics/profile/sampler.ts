/** What a sampler is given, and what it gives back. Each knows one way of looking at a running program. */
import type { Told } from "../../advice/advice.ts";
import type { Launch } from "../../session/launch.ts";
import type { Ending } from "../../session/state.ts";
import { deferred, type Waited, wait } from "../../util/wait.ts";
import type { Profile } from "./profile.ts";

export type ProfileKind = "cpu" | "heap";

export interface Taking {
  kind: ProfileKind;
  /** What to run, what to attach to, or a session. The caller ends it. */
  launch: Launch;
  seconds: number;
  /** Ends it early: what there is by then is the profile. */
  signal: AbortSignal;
  stdin?: Buffer | undefined;
  /** For files that are the profile's. */
  folder: string;
  /** Also a snapshot of the whole heap. */
  snapshot?: boolean;
  /** Called when the first sample can be taken. */
  begun(): void;
}

/** How it came to its end: the time was over, it was ended early, or the program ended before. */
export type TakenEnd = { how: "time" | "early" } | ({ how: "program" } & Pick<Ending, "exitCode" | "signal">);

export interface ProfileFile {
  kind: "cpuprofile" | "heapprofile" | "heapsnapshot" | "speedscope" | "folded" | "pprof" | "svg" | "perf";
  path: string;
}

export interface Taken {
  profile: Profile;
  /** By what it was taken: "V8's profiler". */
  means: string;
  /** Between two samples: ns, or bytes. */
  period: number;
  /** How long it was looked. */
  seconds: number;
  end: TakenEnd;
  files: ProfileFile[];
  notes: Told[];
}

/** The samplers' clock: until the time is over, the caller goes away, or the program ends. */
export async function sampled(
  taking: Pick<Taking, "seconds" | "signal" | "begun">,
  ended: Promise<Ending | undefined>,
): Promise<{ seconds: number; end: TakenEnd }> {
  const { seconds, signal } = taking;
  const start = performance.now();
  taking.begun();
  const waited: Waited<Ending | undefined> = await wait(ended, { timeoutMs: seconds * 1000, signal });
  return { seconds: (performance.now() - start) / 1000, end: endOf(waited) };
}

function endOf(waited: Waited<Ending | undefined>): TakenEnd {
  if (!waited.done) return { how: waited.why === "timeout" ? "time" : "early" };
  const { exitCode, signal } = waited.value ?? {};
  return {
    how: "program",
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Resolves when the launch's program has ended. */
export function whenEnded(launch: Launch): Promise<Ending> {
  const { promise, resolve } = deferred<Ending>();
  if (launch.ended) resolve(launch.ended);
  else launch.onEnded.add(resolve);
  return promise;
}
