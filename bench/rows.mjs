/** The rows of the table: what is measured, against what, and what must hold. */
import { agentLogRows } from "./agent-log.mjs";
import { agentProxyRows } from "./agent-proxy.mjs";
import { agentWatchRows } from "./agent-watch.mjs";
import * as bridge from "./bridge.mjs";
import * as cdp from "./cdp.mjs";
import * as dap from "./dap.mjs";
import { diagnosticsRows } from "./diagnostics.mjs";
import { languages } from "./languages.mjs";
import { mcpRows } from "./mcp.mjs";
import { sideBySide, timeAnswer, timeCall, timeProcess } from "./measure.mjs";
import { memoryRows } from "./memory.mjs";
import { coldRows, traceRows } from "./traces.mjs";
import { LINE } from "./workshop.mjs";

/** Any file will do: what costs is that Node reads the system's own certificates with it. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** Each gives rows. `adapters`: it needs debuggers that are programs of their own. Memory comes first: of a daemon that has done nothing. */
export const PARTS = {
  memory: { rows: memoryRows },
  command: { rows: commandRows },
  start: { rows: startRows },
  step: { rows: stepRows },
  languages: { rows: allLanguageRows, adapters: true },
  trace: { rows: traceRows, adapters: true },
  cold: { rows: coldRows, adapters: true },
  mcp: { rows: mcpRows },
  agent: { rows: agentRows },
  diagnostics: { rows: diagnosticsRows },
};

export async function measure(workshop, only, say) {
  const rows = [];
  for (const [name, part] of Object.entries(PARTS))
    if (only?.includes(name) ?? true) rows.push(...(await part.rows(workshop, say)));
  return rows;
}

/** As where there is no Perl. */
function withNodeClient({ env }) {
  return { ...env, SONDE_FAST: "0" };
}

async function commandRows(workshop, say) {
  say("trivial command");
  const node = withNodeClient(workshop);
  const certificates = { ...node, NODE_EXTRA_CA_CERTS: CERTIFICATES };
  return [
    ratio("`sonde status` / `node -e 0`", await trivialCommand(workshop, workshop.env), 1.3, 1.2),
    ratio("  by the Node client, as without Perl", await trivialCommand(workshop, node), 1.3, 1.2),
    info("  the same, NODE_EXTRA_CA_CERTS set", await trivialCommand(workshop, certificates, 11)),
  ];
}

async function startRows(workshop, say) {
  say("start to first stop");
  return [
    ratio("`sonde start` → first stop / bare CDP", await firstStop(workshop, workshop.env), 1.3, 1.1),
    info("  by the Node client, as without Perl", await firstStop(workshop, withNodeClient(workshop), 15)),
  ];
}

async function stepRows(workshop, say) {
  say("step to snapshot");
  const { socket, cli } = await stepAndSnapshot(workshop, ({ app, boot }) =>
    bridge.startStopped(app, LINE, boot),
  );
  const { socket: inspector } = await stepAndSnapshot(workshop, ({ app }) => cdp.startStopped(app, LINE));
  return [
    ratio("step + snapshot on the socket / bare CDP on the inspector's port", inspector, 1.3, 1.1),
    info("  the same / bare CDP through Sonde's own thread in the program", socket),
    info("  `sonde next` / `node -e 0`", cli),
  ];
}

async function allLanguageRows(workshop, say) {
  const rows = [];
  for (const language of languages(workshop)) {
    say(language.title);
    rows.push(...(await languageRows(workshop, language)));
  }
  return rows;
}

async function agentRows(workshop, say) {
  return [
    ...(await agentLogRows(say)),
    ...(await agentProxyRows(say)),
    ...(await agentWatchRows(workshop, say)),
  ];
}

/** Rows say what they hold to their target: the ratio, or our own number. */
function ratio(what, measured, must, aim) {
  return { what, unit: "ms", ...measured, kind: "ratio", must, aim };
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

/** `startBare`: how the baseline reaches its program, by the port that any other client uses or the way that we go. */
async function stepAndSnapshot(workshop, startBare) {
  const { bin, cwd, env, sonde, app, connect } = workshop;
  sonde("start", app, "--break", `${app}:${LINE}`);
  const client = await connect();
  const bare = await startBare(workshop);
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
