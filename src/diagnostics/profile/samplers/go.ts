/** Go, whose code keeps frame pointers; built with the compiler's optimisation, unlike for the debugger. */
import { resolve } from "node:path";
import { build } from "../../../adapters/delve/build.ts";
import { targetOf } from "../../../adapters/delve/target.ts";
import { onPath } from "../../../adapters/kit/find.ts";
import { advice, option } from "../../../advice/advice.ts";
import type { Launch } from "../../../session/launch.ts";
import type { Taken, Taking } from "../sampler.ts";
import { samplePerf } from "./perf.ts";

export function sampleGo(taking: Taking): Promise<Taken> {
  return samplePerf(taking, {
    graph: "fp",
    heapHint: advice`a program that serves net/http/pprof can be asked: ${option({ url: "http://127.0.0.1:6060" })}`,
    // A function without a frame of its own leaves its caller's pointer in place: one step is missing.
    note: "by frame pointers: the callers of small functions that call nothing may be left out of stacks, so their totals are too low",
    runnable: async (launch: Launch) => {
      const { opening, where } = launch;
      if (opening.request !== "launch") throw new Error("only what is launched comes here");
      const { cwd, env } = opening.plan;
      const target = targetOf(opening.plan);
      if (target.kind === "binary") {
        const program = resolve(cwd, onPath(target.program, where) ?? target.program);
        return { program, args: target.args, cwd, env };
      }
      const built = await build(target.go, target.name, opening.plan, launch.host(), { optimised: true });
      const { program, folder } = built;
      return {
        ...{ program, args: target.go.args, env, remove: () => built.remove() },
        cwd: target.go.verb === "test" ? folder : (target.runsIn ?? folder),
      };
    },
  });
}
