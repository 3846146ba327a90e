/** Timing that holds up on a busy machine: the two sides take turns, so that whatever else runs slows both. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs ours and the baseline in turns, the order changing every round. The ratio is the median of the rounds' own ratios:
 * a burst of load that hits one round whole does not move it.
 */
export async function sideBySide({ ours, baseline, rounds, warmUp = 2 }) {
  const times = { ours: [], baseline: [] };
  for (let round = -warmUp; round < rounds; round++) {
    const order = round % 2 === 0 ? ["ours", "baseline"] : ["baseline", "ours"];
    for (const side of order) {
      const ms = await (side === "ours" ? ours() : baseline());
      if (round >= 0) times[side].push(ms);
    }
  }
  return {
    ours: median(times.ours),
    baseline: median(times.baseline),
    ratio: median(times.ours.map((ms, at) => ms / times.baseline[at])),
    rounds,
  };
}

/** Wall time of a whole process, in ms. */
export function timeProcess(file, args, options) {
  const began = performance.now();
  const { status, error, stdout, stderr } = spawnSync(file, args, { encoding: "utf8", ...options });
  const ms = performance.now() - began;
  if (error) throw error;
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return ms;
}

export async function timeCall(call) {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/** Resident memory in MB. */
export function residentMb(pid) {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kb) / 1024;
}

/** Wall time until a process prints its answer, in ms; what it does to clean up afterwards is waited for, not counted. */
export async function timeAnswer(file, args, options) {
  const began = performance.now();
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  let ms;
  child.stdout.on("data", () => {
    ms ??= performance.now() - began;
  });
  const status = await new Promise((done) => child.once("close", done));
  if (status !== 0 || ms === undefined) throw new Error(`${file} ${args.join(" ")} ended with ${status}`);
  return ms;
}
