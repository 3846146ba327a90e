/**
 * Python without a debugger: a recorder comes into the program as it starts (sitecustomize), sees the lines asked for by
 * `sys.monitoring` or a trace function, and sends what it reads over a socket.
 */
import { SondeError } from "../../../errors.ts";
import type { Collector, Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { check } from "./check.ts";
import { programOf, unfitProgram, valueLimits } from "./program.ts";
import { Recorder } from "./recorder.ts";
import { runProgram } from "./running.ts";

export const collector: Collector = {
  name: "python-source",
  counts: true,
  unfit: async (_plan, { opening }) =>
    opening.request === "attach" ? "it cannot attach: it must start the program" : unfitProgram(opening.plan),
  collect,
};

async function collect(plan: Plan, run: Run): Promise<RunEnd> {
  const { launch, sink } = run;
  if (launch.opening.request === "attach")
    throw new SondeError("INTERNAL", "python-source cannot attach: it must start the program");
  const program = await programOf(launch.opening.plan);
  const reachable = await check(plan, program, run);
  if (reachable === undefined) return { how: "stopped" };
  const recorder = await Recorder.laidOut(plan, await valueLimits(program.python, launch.where), run);
  const { whole } = recorder;
  try {
    const end = await runProgram(program, recorder.hook, run, (pid) => {
      whole.mainPid = pid;
    });
    await recorder.drained();
    for (const index of reachable)
      if (whole.loaded.has(index)) sink.bind(index, { state: "bound", line: plan.points[index]?.line ?? 0 });
    return whole.why === undefined || end.how !== "exited" ? end : { ...end, why: whole.why };
  } finally {
    recorder.close();
  }
}
