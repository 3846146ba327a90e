/**
 * An agent's proxy: what it adds to the first byte of an answer, how many bytes of a stream it passes in a second, and whether its memory grows with the
 * number of calls. Provider, proxy and client are processes of their own; the baseline is the same client at the provider itself.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, residentMb, sideBySide } from "./measure.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCES = join(HERE, "../src/agent");
/** Of one stream; longer than what is recorded of an answer, as only a flood is. */
const FLOOD_BYTES = 256 * 2 ** 20;
/** As long as a long answer. */
const ANSWER_BYTES = 2 * 2 ** 20;
const CALLS = 10_000;
const WARM_CALLS = 2_000;

export async function agentProxyRows(say = () => {}) {
  say("agent proxy");
  const folder = mkdtempSync(join(tmpdir(), "sonde-bench-proxy-"));
  const provider = await start([join(HERE, "agent-provider.mjs")]);
  const proxies = [];
  try {
    const file = await bundleProxy(folder);
    const open = async () => {
      proxies.push(await start([file, mkdtempSync(join(folder, "run-")), provider.url]));
      return proxies.at(-1);
    };
    const proxy = await open();
    const first = await firstByte(proxy.url, provider.url);
    const flood = await passed(proxy.url, provider.url, { bytes: FLOOD_BYTES, eventBytes: 20, rounds: 3 });
    const answers = await passed(proxy.url, provider.url, {
      bytes: ANSWER_BYTES,
      eventBytes: 20,
      rounds: 15,
    });
    const memory = await growth(await open());
    return [
      { what: "first byte through the agent proxy / direct", unit: "ms", ...first },
      {
        what: "  added",
        unit: "ms",
        ours: first.ours - first.baseline,
        kind: "ours",
        must: 5,
        aim: 2,
      },
      {
        what: "stream through the agent proxy / direct",
        unit: "MB/s",
        ...flood,
        kind: "least",
        must: 200,
        aim: 400,
      },
      { what: "  an answer of 2 MB, in events of 100 bytes", unit: "MB/s", ...answers },
      { what: `agent proxy memory after ${WARM_CALLS} calls`, unit: "MB", ours: memory.warm },
      {
        what: `  more after ${CALLS}`,
        unit: "MB",
        ours: memory.after - memory.warm,
        kind: "ours",
        must: 20,
      },
    ];
  } finally {
    agent.destroy();
    for (const { stop } of proxies) stop();
    provider.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleProxy(folder) {
  const { build } = await import("esbuild");
  const outfile = join(folder, "proxy.mjs");
  const contents = `
    import { createCore } from "./core/bridge.ts";
    import { startProxy } from "./proxy/index.ts";
    import { sessionFolder } from "./store/layout.ts";
    import { EventLog } from "./store/log.ts";
    const [, , root, anthropic] = process.argv;
    const log = EventLog.open(sessionFolder(root, "bench"), {});
    const bridge = createCore({ log, sessionId: "bench" });
    const { url } = await startProxy({ bridge, log, upstreams: { anthropic } });
    console.log(JSON.stringify({ url }));`;
  await build({
    stdin: { contents, resolveDir: SOURCES, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}

/** A process that prints where it listens. */
function start(args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (status) => reject(new Error(`${args[0]} ended with ${status}`)));
    child.stdout.once("data", (line) =>
      resolve({ ...JSON.parse(line), pid: child.pid, stop: () => child.kill("SIGKILL") }),
    );
  });
}

const agent = new http.Agent({ keepAlive: true });
/** As a conversation that has gone on for a while: 50 KB. */
const BODY = JSON.stringify({
  model: "bench",
  stream: true,
  max_tokens: 1000,
  messages: Array.from({ length: 40 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at} ${"word ".repeat(250)}`,
  })),
  tools: [{ name: "bash", input_schema: { type: "object" } }],
});
let calls = 0;

/** Milliseconds to the first byte of the body and to its end, and the bytes. Each body is another, so that none is a retry. */
function call(url, headers = {}) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/messages`, { method: "POST", agent, headers }, (response) => {
      let first;
      let bytes = 0;
      response.on("data", (chunk) => {
        first ??= performance.now() - began;
        bytes += chunk.length;
      });
      response.once("end", () => resolve({ first, ms: performance.now() - began, bytes }));
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end(BODY.replace('"0 word', `"${++calls} word`));
  });
}

function firstByte(ours, baseline) {
  return sideBySide({
    ours: async () => (await call(ours)).first,
    baseline: async () => (await call(baseline)).first,
    rounds: 200,
    warmUp: 30,
  });
}

/** Megabytes in a second. */
async function passed(ours, baseline, { bytes, eventBytes, rounds }) {
  const headers = { "x-bytes": String(bytes), "x-event-bytes": String(eventBytes) };
  const rate = async (url) => {
    const { ms, bytes: got } = await call(url, headers);
    return got / 1e6 / (ms / 1000);
  };
  const rates = { ours: [], baseline: [] };
  for (let round = -1; round < rounds; round++) {
    const [a, b] = [await rate(ours), await rate(baseline)];
    if (round >= 0) rates.ours.push(a) && rates.baseline.push(b);
  }
  const [one, other] = [median(rates.ours), median(rates.baseline)];
  return { ours: one, baseline: other, ratio: one / other };
}

async function growth({ url, pid }) {
  let warm = 0;
  for (let done = 0; done < CALLS; done += 4) {
    await Promise.all(Array.from({ length: 4 }, () => call(url)));
    if (done === WARM_CALLS) warm = residentMb(pid);
  }
  return { warm, after: residentMb(pid) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await agentProxyRows((what) => process.stderr.write(`… ${what}\n`)), null, 2));
}
