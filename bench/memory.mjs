/**
 * The daemon's memory: resting (as it is when it has had nothing to do for a while), with a session, and after many. Against a bare
 * Node that does nothing.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { residentMb } from "./measure.mjs";
import { LINE } from "./workshop.mjs";

const CYCLES = 50;
/** A daemon that has nothing to do gives memory back after half a second. */
const TIDY_MS = 2000;
/** A minute unless it is set; what is measured here is how much there is then. */
const REST_SECONDS = 5;
const PATIENCE_MS = 60_000;

export async function memoryRows({ sonde, app, cwd, env, connect }, say) {
  say("memory");
  const bare = await bareNode();
  const run = join(env.SONDE_HOME, "run");
  sonde("daemon", "stop");
  writeFileSync(join(env.SONDE_HOME, "config.toml"), `[daemon]\nrest_minutes = ${REST_SECONDS / 60}\n`);
  sonde("status");
  const first = pidIn(run);
  const loaded = residentMb(first);
  const second = await successor(run, first);
  const idle = residentMb(second);
  const start = { program: app, break: [`${app}:${LINE}`] };
  const client = await connect();
  try {
    await client.call("start", start, { cwd });
    const session = residentMb(second);
    await client.call("stop", {}, { cwd });
    for (let cycle = 1; cycle < CYCLES; cycle++) {
      await client.call("start", start, { cwd });
      await client.call("stop", {}, { cwd });
    }
    const atOnce = residentMb(second);
    await new Promise((done) => setTimeout(done, TIDY_MS));
    const tidied = residentMb(second);
    const after = residentMb(await successor(run, second));
    return [
      {
        ...megabytes("daemon memory, idle / `node` that does nothing", idle, 45),
        baseline: bare,
        ratio: idle / bare,
      },
      megabytes("  after its first command", loaded, 80),
      megabytes("  with one stopped Node session", session, 80, 60),
      megabytes(`  at once after ${CYCLES} sessions`, atOnce, 80),
      megabytes(`  ${TIDY_MS / 1000} s later`, tidied, 70, 60),
      megabytes("  idle again", after, idle + 10),
    ];
  } finally {
    client.close();
    sonde("daemon", "stop");
    writeFileSync(join(env.SONDE_HOME, "config.toml"), "");
  }
}

function megabytes(what, ours, must, aim) {
  return { what, unit: "MB", ours, kind: "ours", must, aim };
}

function pidIn(run) {
  return JSON.parse(readFileSync(join(run, "daemon.json"), "utf8")).pid;
}

/** The daemon that takes the place of this one. */
function successor(run, pid) {
  mkdirSync(run, { recursive: true });
  return new Promise((done, fail) => {
    const end = (act) => {
      clearTimeout(timer);
      watcher.close();
      act();
    };
    const look = () => {
      const now = pidIn(run);
      if (now !== pid) end(() => done(now));
    };
    const timer = setTimeout(() => end(() => fail(new Error("the daemon did not rest"))), PATIENCE_MS);
    const watcher = watch(run, look);
    look();
  });
}

async function bareNode() {
  const child = spawn("node", ["-e", "setInterval(() => {}, 1e6); console.log()"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((done) => child.stdout.once("data", done));
  const mb = residentMb(child.pid);
  child.kill();
  return mb;
}
