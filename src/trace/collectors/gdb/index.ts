/**
 * Records inside gdb, which resumes a program several times faster than LLDB does. It takes only plans whose record is sure to be
 * the one that LLDB would give: variables of plain types. gdb itself says so beforehand.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMachineCode } from "../../../adapters/kit/files.ts";
import { askProgram } from "../../../adapters/kit/find.ts";
import { majorOf } from "../../../adapters/lldb/find.ts";
import { knownProgram } from "../../../adapters/native/runnable.ts";
import type { Launch } from "../../../session/launch.ts";
import { temporaryFolder } from "../../../util/left-folders.ts";
import type { Collector } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import { environmentFor, findGdb, OPTIONS } from "./find.ts";
import { guidedPoints } from "./guided.ts";
import { GdbRun } from "./run.ts";
import { scriptCommand } from "./script.ts";

/** From here on LLDB names functions without symbols in a way that can be followed. */
const NAMES_BY_ADDRESS_SINCE = 22;
/** Of looking at a program's symbols. */
const CHECK_MS = 20_000;

export const collector: Collector = {
  name: "gdb",
  price: "about 0.6 ms",
  async unfit(plan, launch) {
    if (process.platform !== "linux") return "it works only on Linux";
    if (launch.opening.request !== "launch") return "it records only programs that it starts";
    if (Object.keys(launch.opening.plan.extra).length > 0) return "the launch has arguments for LLDB";
    if (plan.lines !== undefined) return "it records at lines, not whole functions";
    if (plan.frames > 0 && majorOf(launch.found.version) < NAMES_BY_ADDRESS_SINCE)
      return `LLDB ${launch.found.version} numbers frames in its own way`;
    const found = await findGdb(launch.where);
    if ("reason" in found) return found.reason;
    const program = knownProgram(launch.opening, launch.where);
    if (program === undefined) return "the program has yet to be built";
    // A program that is yet to be compiled has no types yet.
    if (!existsSync(program)) await launch.prepare();
    return isMachineCode(program)
      ? checked(found.path, program, plan, launch)
      : "it is not an executable file";
  },
  async collect(plan, run) {
    const { launch } = run;
    const found = await findGdb(launch.where);
    const program = knownProgram(launch.opening, launch.where);
    if ("reason" in found || program === undefined) throw new Error("gdb cannot be used for this");
    if (!existsSync(program)) await launch.prepare(run.signal);
    const guided = guidedPoints(program, plan);
    if ("unfit" in guided) throw new Error(guided.unfit);
    return new GdbRun(plan, run, { gdb: found.path, program, guided }).toItsEnd();
  },
};

/** gdb knows the types of everything in the program, and where its lines are. */
async function checked(
  path: string,
  program: string,
  plan: Plan,
  launch: Launch,
): Promise<string | undefined> {
  const folder = temporaryFolder("check");
  try {
    const file = join(folder, "plan.json");
    const guided = guidedPoints(program, plan);
    if ("unfit" in guided) return guided.unfit;
    writeFileSync(file, JSON.stringify(guided));
    const { env } = environmentFor(launch.where.env);
    const words = [...OPTIONS, ...scriptCommand("check", file), program];
    const said = await askProgram(path, words, { env, cwd: folder, timeoutMs: CHECK_MS });
    const answer = /^sonde:(.*)$/m.exec(said.stdout)?.[1];
    if (answer === undefined) return said.problem ?? "gdb could not read the program";
    return answer === "fit" ? undefined : answer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
