/** This very process, which is the daemon: V8's profiler by Node's own module, without a port. */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { deferred } from "../../../util/wait.ts";
import { type CpuProfile, fromCpuProfile } from "../formats/v8.ts";
import { sampled, type Taken, type Taking } from "../sampler.ts";

const MICROSECONDS = 100;

export async function sampleOwn(
  taking: Pick<Taking, "seconds" | "signal" | "folder" | "begun">,
): Promise<Taken> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: MICROSECONDS });
    await session.post("Profiler.start");
    const { seconds, end } = await sampled(taking, deferred<undefined>().promise);
    const { profile } = await session.post("Profiler.stop");
    const path = join(taking.folder, "profile.cpuprofile");
    writeFileSync(path, JSON.stringify(profile), { mode: 0o600 });
    return {
      profile: fromCpuProfile(profile as CpuProfile),
      means: "V8's profiler",
      period: MICROSECONDS * 1000,
      ...{ seconds, end, files: [{ kind: "cpuprofile", path }], notes: [] },
    };
  } finally {
    session.disconnect();
  }
}
