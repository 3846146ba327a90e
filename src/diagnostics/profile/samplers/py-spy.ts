/** Python by py-spy, which reads the stacks from outside: nothing comes into the program, and native code does not keep it waiting. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FoundAdapter } from "../../../adapters/adapter.ts";
import { SondeError } from "../../../errors.ts";
import { temporaryFolder } from "../../../util/left-folders.ts";
import { wait } from "../../../util/wait.ts";
import { fromFolded } from "../formats/folded.ts";
import type { Profile } from "../profile.ts";
import { sampled, type Taken, type Taking } from "../sampler.ts";

const HERTZ = 100;
const PERIOD_NS = 1e9 / HERTZ;
const END_MS = 3000;
/** It ends when it is told to: its own limit is only in case that we are gone. */
const SLACK_SECONDS = 60;

export async function samplePySpy(
  { path, version }: FoundAdapter,
  pid: number,
  taking: Taking,
): Promise<Taken> {
  const { launch, seconds } = taking;
  const folder = temporaryFolder("profile");
  try {
    const output = join(folder, "stacks");
    const words = [
      ...[
        "record",
        "--pid",
        String(pid),
        "--rate",
        String(HERTZ),
        "--duration",
        String(Math.ceil(seconds) + SLACK_SECONDS),
      ],
      ...["--format", "raw", "--function", "--full-filenames", "--output", output],
    ];
    const child = spawn(path, words, {
      cwd: "/",
      env: launch.where.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let said = "";
    const begins = new Promise<boolean>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          if (/Sampling process/.test(said)) done(true);
        });
      child.once("close", () => done(false));
    });
    const closed = once(child, "close").catch((error: unknown) => {
      said += String(error);
    });
    if (child.pid !== undefined) {
      const own = child.pid;
      launch.processes.own(own, "py-spy", "adapter");
      void closed.then(() => launch.processes.release(own));
    }
    if (!(await begins)) throw refused(pid, said);
    const { seconds: passed, end } = await sampled(
      taking,
      closed.then(() => undefined),
    );
    child.kill("SIGINT");
    if (!(await wait(closed, { timeoutMs: END_MS })).done) child.kill("SIGKILL");
    const errors = Number(/Errors: (\d+)/i.exec(said)?.[1] ?? 0);
    return {
      profile: existsSync(output)
        ? timed(readFileSync(output, "utf8"))
        : { unit: "ns", frames: [], samples: [] },
      means: `py-spy ${version}, from outside: threads that run, or are ready to`,
      period: PERIOD_NS,
      ...{ seconds: passed, end, files: [] },
      notes: [
        "native code counts for the Python function that called it",
        ...(errors > 0 ? [`${errors} stacks could not be read`] : []),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** It counts how often. */
function timed(text: string): Profile {
  const read = fromFolded(text) ?? { unit: "ns", frames: [], samples: [] };
  return {
    ...read,
    unit: "ns",
    samples: read.samples.map(({ stack, count }) => ({ stack, count, weight: count * PERIOD_NS })),
  };
}

function refused(pid: number, said: string): SondeError {
  const words = said
    .trim()
    .split("\n")
    .filter((line) => /error|failed|permission|denied/i.test(line));
  return new SondeError(
    "PERMISSION",
    `py-spy could not read process ${pid}: ${words[0] ?? (said.trim() || "it gave no reason")}`,
  );
}
