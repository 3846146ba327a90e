/**
 * `npm run demo`: from a fresh clone to a bug found, as an agent would find it. Every line shown is what the command printed.
 * The session lives in a folder of its own and is gone at the end.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, ROOT, run } from "./prepare.mjs";

install();
run(process.execPath, ["scripts/build.mjs"]);

const folder = join(ROOT, "examples/orders");
const home = mkdtempSync(join(tmpdir(), "sonde-demo-"));

function shell(shown, command, args, expected) {
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, SONDE_HOME: home },
    encoding: "utf8",
  });
  console.log(`\n$ ${shown}\n${stdout}${stderr}`.trimEnd());
  if (status !== 0 || !stdout.includes(expected))
    throw new Error(`expected status 0 and "${expected}", got ${status}`);
}

function sonde(line, expected) {
  const words = line.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ""));
  shell(`sonde ${line}`, join(ROOT, "bin/sonde"), words, expected);
}

function say(text) {
  console.log(`\n# ${text}`);
}

try {
  say("examples/orders/orders.js should print 66.50. It does not:");
  shell("node orders.js", "node", ["orders.js"], "76.50");
  say("One command: start it, stop where pieces are counted, see everything.");
  sonde("start orders.js --break orders.js:23", "pieces = 0");
  say("One step. The changed value is marked, and it is no number.");
  sonde("next", 'pieces = "03"');
  say(
    "The cause: count was never made a number. Check the idea without changing the program, then let it run out.",
  );
  sonde("print 'orders.map(one => typeof one.count)'", "string");
  sonde("continue --remove-break 1 --timeout 10", "exited: code 0");
  say(
    "Found: parse() must return Number(count). To watch and take over in a browser: `sonde ui`. Nothing is left running:",
  );
  sonde("daemon stop", "");
} finally {
  spawnSync(join(ROOT, "bin/sonde"), ["daemon", "stop"], { env: { ...process.env, SONDE_HOME: home } });
  rmSync(home, { recursive: true, force: true });
}
