/** An agent's log: events written and read in a second, against the same lines made and parsed with nothing around them. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { median } from "./measure.mjs";

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), "../src/agent/store");
const EVENTS = 50_000;
const ROUNDS = 7;
/** What happens in one turn of the event loop, at most. */
const BATCH = 100;

export async function agentLogRows(say = () => {}) {
  say("agent log");
  const folder = mkdtempSync(join(tmpdir(), "sonde-bench-log-"));
  try {
    const store = await loadStore(folder);
    const rounds = [];
    for (let round = -1; round < ROUNDS; round++) {
      const measured = await oneRound(store, folder);
      if (round >= 0) rounds.push(measured);
    }
    const middle = (name) => median(rounds.map((one) => one[name]));
    return [
      rate(
        "agent events written / bare JSON lines",
        middle("written"),
        middle("bareWritten"),
        50_000,
        100_000,
      ),
      rate("agent events read / bare JSON lines", middle("read"), middle("bareRead"), 200_000, 400_000),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rate(what, ours, baseline, must, aim) {
  return { what, unit: "events/s", ours, baseline, ratio: ours / baseline, kind: "least", must, aim };
}

export async function loadStore(folder) {
  const { build } = await import("esbuild");
  const outfile = join(folder, "store.mjs");
  const contents = ["sessions", "log", "reader"].map((name) => `export * from "${SOURCES}/${name}.ts";`);
  await build({
    stdin: { contents: contents.join("\n"), resolveDir: SOURCES },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

async function oneRound({ createSession, EventLog, readEvents }, folder) {
  const session = createSession(folder, { cwd: "/", route: "library", version: "0" });
  const log = EventLog.open(session);
  const written = await perSecond(async () => {
    for (let at = 0; at < EVENTS; at++) {
      log.append("tool_call_start", dataOf(at));
      if (at % BATCH === 0) await new Promise(setImmediate);
    }
    log.close();
  });
  const bare = join(folder, "bare.jsonl");
  rmSync(bare, { force: true });
  const bareWritten = await perSecond(() => writeBare(bare));
  let count = 0;
  const read = await perSecond(async () => {
    for await (const batch of readEvents(session.events)) count += batch.length;
  });
  if (count !== EVENTS) throw new Error(`${count} of ${EVENTS} events were read`);
  const bareRead = await perSecond(() => {
    for (const line of readFileSync(session.events, "utf8").split("\n")) if (line !== "") JSON.parse(line);
  });
  return { written, bareWritten, read, bareRead };
}

async function writeBare(path) {
  let lines = "";
  for (let at = 0; at < EVENTS; at++) {
    const event = { type: "tool_call_start", timestamp: new Date().toISOString(), sessionId: "s", seq: at };
    lines += `${JSON.stringify({ ...event, data: dataOf(at) })}\n`;
    if (at % BATCH !== 0) continue;
    appendFileSync(path, lines);
    lines = "";
    await new Promise(setImmediate);
  }
  appendFileSync(path, lines);
}

/** As an agent's call of a shell would be. */
function dataOf(at) {
  return {
    toolId: `toolu_${at}`,
    name: "Bash",
    input:
      '{"command":"grep -rn createSession src --include=*.ts | head -20","description":"Find the callers"}',
    agent: "main",
    req: at,
    source: "proxy",
  };
}

async function perSecond(work) {
  const began = performance.now();
  await work();
  return (EVENTS * 1000) / (performance.now() - began);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await agentLogRows(), null, 2));
