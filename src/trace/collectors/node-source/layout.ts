/** The files of a run: what the program's side reads, and where it is loaded from. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KIT_SOURCE } from "../../../adapters/node/debug/kit-source.ts";
import { realPath } from "../../../adapters/node/debug/script-url.ts";
import type { Lines, Plan } from "../../plan.ts";
import { checkedPoints } from "./expressions.ts";

/** The plan with paths as Node knows the files and expressions that can be put into code, as it was written for the program. */
export function layOut(plan: Plan, folder: string): Plan {
  const points = checkedPoints(plan).map((point) => ({ ...point, path: realPath(point.path) }));
  const lines = plan.lines && {
    ...plan.lines,
    under: plan.lines.under.map(realPath),
    ...packagesOf(plan.lines),
    ...towardOf(plan.lines),
  };
  const calls = plan.calls && { under: plan.calls.under.map(realPath) };
  const { frames, valueChars } = plan;
  writeFileSync(join(folder, "plan.json"), JSON.stringify({ points, lines, calls, frames, valueChars }));
  writeFileSync(join(folder, "kit.cjs"), `module.exports = ${KIT_SOURCE};\n`);
  return {
    ...plan,
    points,
    ...(lines === undefined ? {} : { lines }),
    ...(calls === undefined ? {} : { calls }),
  };
}

/** Names stay names. */
function packagesOf({ packages }: Lines): Pick<Lines, "packages"> {
  return packages === undefined
    ? {}
    : { packages: packages.map((one) => (one.startsWith("/") ? realPath(one) : one)) };
}

function towardOf({ toward }: Lines): Pick<Lines, "toward"> {
  return toward === undefined ? {} : { toward: { ...toward, path: realPath(toward.path) } };
}
