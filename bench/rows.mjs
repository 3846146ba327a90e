/** The rows of the table: what is measured, against what, and what must hold. */
import { agentLogRows } from "./agent-log.mjs";
import { agentProxyRows } from "./agent-proxy.mjs";
import { agentWatchRows } from "./agent-watch.mjs";
import * as bridge from "./bridge.mjs";
import * as cdp from "./cdp.mjs";
import * as dap from "./dap.mjs";
import { languages } from "./languages.mjs";
import { mcpRows } from "./mcp.mjs";
import { residentMb, sideBySide, timeAnswer, timeCall, timeProcess } from "./measure.mjs";
import { traceRows } from "./traces.mjs";
import { LINE } from "./workshop.mjs";

/** Any file will do: what costs is that Node reads the system's own certificates with it. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const CYCLES = 50;
/** A daemon that has nothing to do gives memory back after half a second. */
const IDLE_MS = 2000;

export async function measure(workshop, say) {
  const { env } = workshop;
  const nodeClient = { ...env, SONDE_FAST: "0" };
  const certificates = { NODE_EXTRA_CA_CERTS: CERTIFICATES };
  say("memory");
  const memory = await memoryOfFreshDaemon(workshop);
  say("trivial command");
  const trivial = await trivialCommand(workshop, env);
  const trivialNode = await trivialCommand(workshop, nodeClient);
  const trivialCertificates = await trivialCommand(workshop, { ...nodeClient, ...certificates }, 11);
  say("start to first stop");
  const start = await firstStop(workshop, env);
  const startNode = await firstStop(workshop, nodeClient, 15);
  say("step to snapshot");
  const { socket, cli } = await stepAndSnapshot(workshop);
  const others = [];
  for (const language of languages(workshop)) {
    say(language.title);
    others.push(...(await languageRows(workshop, language)));
  }
  const traces = await traceRows(workshop, say);
  const mcp = await mcpRows(workshop, say);
  const agentLog = await agentLogRows(say);
  const agentProxy = await agentProxyRows(say);
  const agentWatch = await agentWatchRows(workshop, say);
  return [
    ratio("`sonde status` / `node -e 0`", trivial, 1.3, 1.2),
    ratio("  by the Node client, as without Perl", trivialNode, 1.3, 1.2),
    info("  the same, NODE_EXTRA_CA_CERTS set", trivialCertificates),
    ratio("`sonde start` → first stop / bare CDP", start, 1.3, 1.1),
    info("  by the Node client, as without Perl", startNode),
    { what: "step + snapshot on the socket / bare CDP", unit: "ms", ...socket, kind: "ours", must: 15 },
    info("  `sonde next` / `node -e 0`", cli),
    ...others,
    ...traces,
    ...mcp,
    ...agentLog,
    ...agentProxy,
    ...agentWatch,
    megabytes("daemon memory, idle", memory.idle, 60, 45),
    megabytes("  with one stopped Node session", memory.session, 80, 60),
    megabytes(`  at once after ${CYCLES} sessions`, memory.atOnce, 80),
    megabytes(`  ${IDLE_MS / 1000} s later`, memory.after, 70, 60),
  ];
}

/** Rows say what they hold to their target: the ratio, or our own number. */
function ratio(what, measured, must, aim) {
  return { what, unit: "ms", ...measured, kind: "ratio", must, aim };
}

function megabytes(what, ours, must, aim) {
  return { what, unit: "MB", ours, kind: "ours", must, aim };
}

function info(what, measured) {
  return { what, unit: "ms", ...measured };
}

function trivialCommand({ bin, cwd, sonde }, env, rounds = 41) {
  sonde("status"); // the daemon is there
  return sideBySide({
    ours: () => timeProcess(bin, ["status"], { env, cwd }),
    baseline: () => timeProcess("node", ["-e", "0"], { env, cwd }),
    rounds,
  });
}

function firstStop({ bin, cwd, sonde, app, bareCdp }, env, rounds = 31) {
  return sideBySide({
    ours: () => {
      const ms = timeProcess(bin, ["start", app, "--break", `${app}:${LINE}`], { env, cwd });
      sonde("stop");
      return ms;
    },
    baseline: () => timeProcess("node", [bareCdp, app, String(LINE)], { env, cwd }),
    rounds,
  });
}

async function stepAndSnapshot({ bin, cwd, env, sonde, app, connect }) {
  sonde("start", app, "--break", `${app}:${LINE}`);
  const client = await connect();
  const bare = await bridge.startStopped(app, LINE);
  try {
    const socket = await sideBySide({
      ours: () => timeCall(() => client.call("next", {}, { cwd })),
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

async function languageRows(workshop, language) {
  const { title, missing } = language;
  if (missing !== undefined) return [{ what: `${title}: not measured, ${missing}`, unit: "ms" }];
  return [
    ratio(
      `${title}: \`sonde start\` → first stop / bare adapter`,
      await adapterFirstStop(workshop, language),
      1.2,
      1.1,
    ),
    ratio(`  step + snapshot / bare step, stack, values`, await adapterStep(workshop, language), 1.2, 1.1),
  ];
}

function adapterFirstStop({ bin, env, cwd, sonde, bareDap }, { program, source, line, bare }) {
  return sideBySide({
    ours: async () => {
      const ms = await timeAnswer(bin, ["start", program, "--break", `${source}:${line}`], { env, cwd });
      sonde("stop");
      return ms;
    },
    baseline: () => timeAnswer("node", [bareDap, JSON.stringify(bare), source, String(line)], { env, cwd }),
    rounds: 11,
  });
}

async function adapterStep({ cwd, sonde, connect }, { program, source, line, bare }) {
  sonde("start", program, "--break", `${source}:${line}`);
  sonde("breakpoint", "remove", "--all");
  const client = await connect();
  const started = await dap.startStopped(bare, source, line);
  await started.dap.send("setBreakpoints", { source: { path: source }, breakpoints: [] });
  let { stop } = started;
  try {
    return await sideBySide({
      ours: () => timeCall(() => client.call("next", {}, { cwd })),
      baseline: () =>
        timeCall(async () => {
          stop = { ...stop, ...(await dap.step(started.dap, stop)) };
          await dap.look(started.dap, stop);
        }),
      rounds: 60,
      warmUp: 10,
    });
  } finally {
    client.close();
    await dap.end(started);
    sonde("stop");
  }
}

/** Of a daemon that has done nothing else. */
async function memoryOfFreshDaemon({ sonde, app, cwd, connect }) {
  const { pid } = JSON.parse(sonde("status", "--json")).data.daemon;
  const idle = residentMb(pid);
  const start = { program: app, break: [`${app}:${LINE}`] };
  const client = await connect();
  try {
    await client.call("start", start, { cwd });
    const session = residentMb(pid);
    await client.call("stop", {}, { cwd });
    for (let cycle = 1; cycle < CYCLES; cycle++) {
      await client.call("start", start, { cwd });
      await client.call("stop", {}, { cwd });
    }
    const atOnce = residentMb(pid);
    await new Promise((done) => setTimeout(done, IDLE_MS));
    return { idle, session, atOnce, after: residentMb(pid) };
  } finally {
    client.close();
  }
}
