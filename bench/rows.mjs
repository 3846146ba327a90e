/** The rows of the table: what is measured, against what, and what must hold. */
import * as cdp from "./cdp.mjs";
import { residentMb, sideBySide, timeCall, timeProcess } from "./measure.mjs";
import { LINE } from "./workshop.mjs";

/** Any file will do: what costs is that Node reads the system's own certificates with it. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const CYCLES = 50;

export async function measure(workshop, say) {
  const memory = await memoryOfFreshDaemon(workshop, say);
  say("trivial command");
  const trivial = await trivialCommand(workshop, workshop.env);
  const withCertificates = await trivialCommand(workshop, { ...workshop.env, NODE_EXTRA_CA_CERTS: CERTIFICATES }, 11);
  say("start to first stop");
  const start = await firstStop(workshop);
  say("step to snapshot");
  const steps = await stepAndSnapshot(workshop);
  const ratio = (row, must, aim) => ({ unit: "ms", ...row, kind: "ratio", measured: row.ratio, must, aim });
  const info = (row) => ({ unit: "ms", ...row });
  const mb = (what, ours, must, aim) => ({ what, unit: "MB", kind: "value", ours, measured: ours, must, aim });
  return [
    ratio({ what: "trivial command (`status` / `node -e 0`)", ...trivial }, 1.3, 1.2),
    info({ what: "  with NODE_EXTRA_CA_CERTS set", ...withCertificates }),
    ratio({ what: "start → first stop (CLI / bare CDP)", ...start }, 1.3, 1.1),
    { what: "step + snapshot (socket / bare CDP)", unit: "ms", kind: "value", ...steps.socket, measured: steps.socket.ours, must: 15 },
    info({ what: "  `sonde next` (CLI / `node -e 0`)", ...steps.cli }),
    mb("daemon memory, idle", memory.idle, 60, 45),
    mb("  one stopped Node session", memory.session, 80, 60),
    mb(`  after ${CYCLES} sessions, idle`, memory.after, 80, 60),
  ];
}

function trivialCommand({ bin, cwd, sonde }, env, rounds = 41) {
  sonde("status"); // the daemon is there
  return sideBySide({
    ours: () => timeProcess(bin, ["status"], { env, cwd }),
    baseline: () => timeProcess("node", ["-e", "0"], { env, cwd }),
    rounds,
  });
}

function firstStop({ bin, cwd, env, sonde, app, bareCdp }) {
  return sideBySide({
    ours: () => {
      const ms = timeProcess(bin, ["start", app, "--break", `${app}:${LINE}`], { env, cwd });
      sonde("stop");
      return ms;
    },
    baseline: () => timeProcess("node", [bareCdp, app, String(LINE)], { env, cwd }),
    rounds: 31,
  });
}

async function stepAndSnapshot({ bin, cwd, env, sonde, app, connect }) {
  sonde("start", app, "--break", `${app}:${LINE}`);
  const client = await connect();
  const bare = await cdp.startStopped(app, LINE, env);
  try {
    const socket = await sideBySide({
      ours: () => timeCall(() => client.call("next", {}, { cwd, env })),
      baseline: () => timeCall(async () => cdp.readValues(bare.cdp, await cdp.step(bare.cdp))),
      rounds: 200,
      warmUp: 30,
    });
    const cli = await sideBySide({
      ours: () => timeProcess(bin, ["next"], { env, cwd }),
      baseline: () => timeProcess("node", ["-e", "0"], { env, cwd }),
      rounds: 15,
    });
    return { socket, cli };
  } finally {
    client.close();
    await cdp.end(bare);
    sonde("stop");
  }
}

/** Of a daemon that has done nothing else. */
async function memoryOfFreshDaemon({ sonde, app, cwd, env, connect }, say) {
  say("memory");
  const { pid } = JSON.parse(sonde("status", "--json")).data.daemon;
  const idle = residentMb(pid);
  const start = { program: app, break: [`${app}:${LINE}`] };
  const client = await connect();
  try {
    await client.call("start", start, { cwd, env });
    const session = residentMb(pid);
    await client.call("stop", {}, { cwd, env });
    for (let cycle = 1; cycle < CYCLES; cycle++) {
      await client.call("start", start, { cwd, env });
      await client.call("stop", {}, { cwd, env });
    }
    return { idle, session, after: residentMb(pid) };
  } finally {
    client.close();
  }
}
