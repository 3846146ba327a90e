/**
 * Between LLDB and its server, for processes that were attached to. A breakpoint is a changed instruction, which kills a program
 * whose debugger has died. So they are in the code only while the program runs: at a stop this takes them out, and puts them
 * back before it goes on. When LLDB dies this takes leave of the program in its place; when the server dies, it mends the code.
 *
 * node relay.entry.cjs <lldb-server> gdbserver … --fd=<n>
 */
"use strict";
const { spawn } = require("node:child_process");
const { closeSync, openSync, readFileSync, readSync, writeSync } = require("node:fs");
const { Socket } = require("node:net");

const [server, ...args] = process.argv.slice(2);
const at = args.findIndex((word) => word.startsWith("--fd="));
const lldb = new Socket({ fd: Number(args[at].slice("--fd=".length)) });
const child = spawn(server, args.with(at, "--fd=3"), {
  stdio: ["ignore", "ignore", "ignore", "pipe"],
  detached: true, // what ends us must not end it before it has let go
});
const link = child.stdio[3];

/**
 * Breakpoints and watchpoints as they were asked for: `0,55d5,1`; of those in code with the address, the bytes that were there
 * (`code`) and those that the server put in their place (`trap`).
 */
const inserted = new Map();
let pid;
/** Whom LLDB speaks of: after a fork also of the child, whose breakpoints are not the program's. */
let subject;
/** What was asked for and is not answered yet. */
let asked;
let running = false;
let left = false;
/** By its user, before we came: then it is left so. */
let wasHalted = false;
let onPacket = () => {};

for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
lldb.on("error", () => {});
link.on("error", () => {});

const fromLldb = packets((payload) => {
  const point = /^([zZ])([0-4]),([0-9a-f]+),([0-9a-f]+)/.exec(payload);
  if (point && subject === pid) pointed(...point.slice(1));
  else if (payload.startsWith("vAttach;")) {
    subject = pid = Number.parseInt(payload.slice("vAttach;".length), 16);
    wasHalted = isHalted();
  } else if (/^Hgp[1-9a-f]/.test(payload)) subject = Number.parseInt(payload.slice("Hgp".length), 16);
  else if (/^(vCont;|[cCsS](?![a-z]))/.test(payload)) {
    swapAll("code", "trap");
    running = true;
  } else if (/^D(;|$)/.test(payload))
    left ||= payload === "D" || Number.parseInt(payload.slice(2), 16) === pid;
});
const fromServer = packets((payload) => {
  if (asked !== undefined && /^(OK|E)/.test(payload)) answered(payload === "OK");
  // Memory comes as bytes, which may look like anything; but only what runs can stop or end.
  if (running && /^[TSWX][0-9a-f]{2}/.test(payload)) {
    running = false;
    swapAll("trap", "code");
    if (/^[WX]/.test(payload)) left = true;
  }
  onPacket(payload);
});

function pointed(how, kind, address, size) {
  const key = `${kind},${address},${size}`;
  if (how === "z") inserted.delete(key);
  else {
    const place = Number.parseInt(address, 16);
    inserted.set(key, kind === "0" ? { place, code: bytesAt(place, Number.parseInt(size, 16)) } : undefined);
    asked = key;
  }
}

function answered(done) {
  const one = inserted.get(asked);
  if (!done) inserted.delete(asked);
  else if (one?.code) {
    one.trap = bytesAt(one.place, one.code.length);
    if (!running) swap(one, "trap", "code");
  }
  asked = undefined;
}

function leaveTaking() {
  return pid === undefined ? "D" : `D;${pid.toString(16)}`;
}

lldb.on("data", (chunk) => {
  fromLldb(chunk);
  link.write(chunk);
});
link.on("data", (chunk) => {
  fromServer(chunk);
  lldb.write(chunk);
});
lldb.once("close", () => void leave());
// The link breaks a moment before the system lets go of what the server traced.
link.once("close", mend);
child.once("exit", () => {
  mend();
  if (!wasHalted) letRun();
  process.exit(0);
});

/** Nobody else can, once the server was killed. */
function mend() {
  if (!left) swapAll("trap", "code");
}

/** LLDB is gone. What it would have done on leaving, one request after another. */
async function leave() {
  if (!left) {
    if (running) await ask("\x03", /^[TSWX]/);
    for (const key of inserted.keys()) await ask(packet(`z${key}`), /^(OK|E)/);
    left = true;
    await ask(packet(leaveTaking()), /^(OK|E)/);
  }
  link.end();
}

function isHalted() {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // it has ended meanwhile
  }
}

/**
 * The server halts a program by a signal to its threads. Where one of them met a breakpoint at that moment, that was the stop, and the signal is still on its
 * way: nobody would continue the program. This signal takes the other one back.
 */
function letRun() {
  if (pid === undefined) return;
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended meanwhile.
  }
}

function ask(bytes, answer) {
  return new Promise((resolve) => {
    onPacket = (payload) => answer.test(payload) && resolve();
    child.once("exit", resolve);
    link.write(Buffer.from(bytes, "latin1"));
  });
}

function packet(payload) {
  const sum = [...payload].reduce((total, letter) => total + letter.charCodeAt(0), 0) & 0xff;
  return `$${payload}#${sum.toString(16).padStart(2, "0")}`;
}

/** Calls back with every whole packet's payload. `$` and `#` are never inside one. */
function packets(each) {
  let rest = "";
  return (chunk) => {
    rest += chunk.toString("latin1");
    for (let end = rest.indexOf("#"); end >= 0; end = rest.indexOf("#")) {
      const start = rest.lastIndexOf("$", end);
      if (start >= 0) each(rest.slice(start + 1, end));
      rest = rest.slice(end + 1);
    }
  };
}

function swapAll(from, to) {
  for (const one of inserted.values()) swap(one, from, to);
}

/** Only what is known to be there is overwritten: a library may have gone, and another be in its place. */
function swap(one, from, to) {
  if (one?.code && one.trap && bytesAt(one.place, one.trap.length)?.equals(one[from]))
    onMemory("r+", (file) => writeSync(file, one[to], 0, one[to].length, one.place));
}

function bytesAt(place, size) {
  const bytes = Buffer.alloc(size);
  return onMemory("r", (file) => readSync(file, bytes, 0, size, place)) ? bytes : undefined;
}

function onMemory(mode, use) {
  let file;
  try {
    file = openSync(`/proc/${pid}/mem`, mode);
    use(file);
    return true;
  } catch {
    return false; // gone, or not ours to touch
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
