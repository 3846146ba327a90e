/**
 * Between LLDB and its server, for processes that were attached to. When LLDB dies its server ends at once and leaves its
 * breakpoints in the program's code, which kills the program at the first it meets. This takes them out and lets go of it.
 *
 * node relay.cjs <lldb-server> gdbserver … --fd=<n>
 */
"use strict";
const { spawn } = require("node:child_process");
const { closeSync, openSync, readSync, writeSync } = require("node:fs");
const { Socket } = require("node:net");

const [server, ...args] = process.argv.slice(2);
const at = args.findIndex((word) => word.startsWith("--fd="));
const lldb = new Socket({ fd: Number(args[at].slice("--fd=".length)) });
const child = spawn(server, args.with(at, "--fd=3"), {
  stdio: ["ignore", "ignore", "ignore", "pipe"],
  detached: true, // what ends us must not end it before it has let go
});
const link = child.stdio[3];

/** Breakpoints and watchpoints as they were asked for: `0,55d5,1`; with the bytes that were there, of those in code. */
const inserted = new Map();
let pid;
let running = false;
let left = false;
let onPacket = () => {};

for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
lldb.on("error", () => {});
link.on("error", () => {});

const fromLldb = packets((payload) => {
  const point = /^([zZ])([0-4]),([0-9a-f]+),([0-9a-f]+)/.exec(payload);
  if (point) {
    const [, how, kind, address, size] = point;
    const key = `${kind},${address},${size}`;
    if (how === "z") inserted.delete(key);
    else inserted.set(key, kind === "0" ? codeAt(address, Number.parseInt(size, 16)) : undefined);
  } else if (payload.startsWith("vAttach;")) pid = Number.parseInt(payload.slice("vAttach;".length), 16);
  else if (/^(vCont;|[cCsS](?![a-z]))/.test(payload)) running = true;
  else if (/^D(;|$)/.test(payload)) left = true;
});
const fromServer = packets((payload) => {
  if (/^[TSWX][0-9a-f]{2}/.test(payload)) running = false;
  if (/^[WX]/.test(payload)) left = true;
  onPacket(payload);
});

lldb.on("data", (chunk) => {
  fromLldb(chunk);
  link.write(chunk);
});
link.on("data", (chunk) => {
  fromServer(chunk);
  lldb.write(chunk);
});
lldb.once("close", () => void leave());
child.once("exit", () => {
  if (!left) restoreCode();
  process.exit(0);
});

/** LLDB is gone. What it would have done on leaving, one request after another. */
async function leave() {
  if (!left) {
    if (running) await ask("\x03", /^[TSWX]/);
    for (const key of inserted.keys()) await ask(packet(`z${key}`), /^(OK|E)/);
    left = true;
    await ask(packet(pid === undefined ? "D" : `D;${pid.toString(16)}`), /^(OK|E)/);
  }
  link.end();
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

function codeAt(address, size) {
  const bytes = Buffer.alloc(size);
  return onMemory("r", (file) => readSync(file, bytes, 0, size, BigInt(`0x${address}`))) ? bytes : undefined;
}

/** The server was killed: nobody else can. A program that stood at a breakpoint has died of it by now. */
function restoreCode() {
  for (const [key, bytes] of inserted) {
    const address = BigInt(`0x${key.split(",")[1]}`);
    if (bytes) onMemory("r+", (file) => writeAt(file, bytes, address));
  }
}

/** `writeSync` takes no position beyond what a number holds exactly, and code lies below that. */
function writeAt(file, bytes, address) {
  return writeSync(file, bytes, 0, bytes.length, Number(address));
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
