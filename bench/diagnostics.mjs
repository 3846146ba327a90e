/** Sonde's own logs, reports and profiles: how long until the answer, and what it costs the daemon. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { residentMb, sideBySide, timeProcess } from "./measure.mjs";

const LINES = 1_000_000;
const PIECE = 10_000;

/** About a second of work, so that both sides are more than a start. */
const BUSY = `function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
console.log(fibonacci(35));
`;

export async function diagnosticsRows(workshop, say) {
  say("logs");
  const logs = await ofLogs(workshop);
  say("report");
  const report = await ofReport(workshop);
  say("profile");
  return [...logs, ...report, ...(await ofProfile(workshop))];
}

/** Each line is one that a daemon could have written; the file is the newest there is. */
async function ofLogs({ bin, cwd, env, sonde }) {
  sonde("status");
  const day = new Date().toISOString().slice(0, 10);
  const folder = join(env.SONDE_HOME, "state/logs");
  const file = join(folder, `sonde-${day}.1.log`);
  mkdirSync(folder, { recursive: true });
  const out = openSync(file, "w", 0o600);
  for (let line = 0; line < LINES; line += PIECE) {
    const lines = Array.from({ length: PIECE }, (_, at) =>
      JSON.stringify({
        time: `${day}T00:00:00.000Z`,
        level: "info",
        pid: 1,
        kind: "daemon",
        message: `entry ${line + at} of ${LINES}`,
      }),
    );
    writeSync(out, `${lines.join("\n")}\n`);
  }
  closeSync(out);
  const pid = daemonPid(env);
  const before = residentMb(pid);
  const last = sonde("logs", "--json");
  const growth = residentMb(pid) - before;
  if (!last.includes(`entry ${LINES - 1} of`)) throw new Error(`not the end of the log: ${last.slice(-200)}`);
  const time = await sideBySide({
    ours: () => timeProcess(bin, ["logs"], { env, cwd }),
    baseline: () => timeProcess("tail", ["-n", "50", file], { env, cwd }),
    rounds: 15,
  });
  if (!existsSync(file)) throw new Error("the log was removed while it was measured");
  rmSync(file);
  return [
    {
      what: "`sonde logs` of a million lines / `tail -n 50`",
      unit: "ms",
      ...time,
      kind: "ours",
      must: 500,
      aim: 100,
    },
    {
      what: "  growth of the daemon by the first answer",
      unit: "MB",
      ours: growth,
      kind: "ours",
      must: 32,
      aim: 16,
    },
  ];
}

async function ofReport({ bin, cwd, env, sonde, app }) {
  sonde("start", app, "--stop-on-entry");
  const file = join(cwd, "report.tar.gz");
  const pid = daemonPid(env);
  const before = residentMb(pid);
  try {
    const write = () => {
      rmSync(file, { force: true });
      return timeProcess(bin, ["report", "--yes", "--output", file], { env, cwd });
    };
    const first = write();
    const growth = residentMb(pid) - before;
    const time = await sideBySide({
      ours: write,
      baseline: () =>
        timeProcess("tar", ["-czf", `${file}.tar`, "-C", env.SONDE_HOME, "state"], { env, cwd }),
      rounds: 7,
    });
    return [
      { what: "`sonde report --yes` / `tar -cz` of its files", unit: "ms", ...time },
      { what: "  the first", unit: "ms", ours: first },
      { what: "  growth of the daemon by it", unit: "MB", ours: growth, kind: "ours", must: 64, aim: 32 },
    ];
  } finally {
    sonde("stop");
  }
}

async function ofProfile({ bin, cwd, env }) {
  const program = join(cwd, "busy.js");
  writeFileSync(program, BUSY);
  const time = await sideBySide({
    ours: () => timeProcess(bin, ["profile", "cpu", program], { env, cwd }),
    baseline: () =>
      timeProcess("node", ["--cpu-prof", "--cpu-prof-dir", join(cwd, "profiles"), program], { env, cwd }),
    rounds: 5,
    warmUp: 1,
  });
  return [{ what: "`sonde profile cpu` of a second's work / `node --cpu-prof`", unit: "ms", ...time }];
}

function daemonPid({ SONDE_HOME }) {
  return JSON.parse(readFileSync(join(SONDE_HOME, "run/daemon.json"), "utf8")).pid;
}
