/** C, C++ and Rust, whose stacks are found by the unwind tables that every binary has. */
import { runnableOf } from "../../../adapters/native/runnable.ts";
import type { Launch } from "../../../session/launch.ts";
import type { Taken, Taking } from "../sampler.ts";
import { STACK_BYTES } from "./perf/recorder.ts";
import { samplePerf } from "./perf.ts";

export function sampleNative(taking: Taking): Promise<Taken> {
  return samplePerf(taking, {
    graph: `dwarf,${STACK_BYTES}`,
    heapHint: "valgrind's massif and heaptrack measure it",
    runnable: async (launch: Launch) => {
      const { request, plan } = launch.opening;
      if (request !== "launch") throw new Error("only what is launched comes here");
      return runnableOf(plan, launch.host());
    },
  });
}
