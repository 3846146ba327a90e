// Which sockets of a running Node are its inspector's, seen from outside: a port of the program's own must not hear from us. The
// inspector has a thread with an event loop of its own, so its sockets are those that this thread waits for.

const { readdirSync, readFileSync, readlinkSync } = require("node:fs");

/** The names that newer ones give their threads; in older ones all threads have the program's. */
const INSPECTOR = "InspectorIo";
const NAMED = new Set([INSPECTOR, "SignalInspector", "DelayedTaskSche", "node-V8Worker"]);
/** Of the words that begin like these, the first kind opens it at once. */
const OPENS = /^--inspect(?:-brk|-wait)?(?:=|$)/;
const CHOOSES = /^--(?:inspect|debug)-port(?:=|$)/;
/** The next word is theirs. */
const TAKES_WORD =
  /^(?:-r|-C|--(?:(?:inspect|debug)-port|require|import|(?:experimental-)?loader|conditions|env-file(?:-if-exists)?|title|watch-path|test-(?:reporter|reporter-destination|name-pattern|concurrency|timeout)|unhandled-rejections|disable-warning|stack-trace-limit))$/;
const DEFAULT_PORT = 9229;

/** Inodes; undefined where the system does not show what threads wait for. */
function inspectorSockets(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((tid) => ({ tid, ...waiting(pid, tid) }));
  const others = threads.filter(({ tid }) => tid !== String(pid));
  const isNamed = others.some(({ name }) => NAMED.has(name));
  const able = isNamed ? others.filter(({ name }) => name === INSPECTOR) : others;
  if (able.length === 0) return new Set();
  if (able.every(({ hidden }) => hidden)) return undefined;
  const epolls = able.filter(({ epoll }) => epoll !== undefined);
  const found = isNamed ? epolls : withUsualStack(pid, epolls);
  return new Set(found.flatMap(({ epoll }) => watched(pid, epoll)));
}

/** The name of a thread, and the epoll it waits in; `stack` is an address on its stack. */
function waiting(pid, tid) {
  try {
    const name = readFileSync(`/proc/${pid}/task/${tid}/comm`, "utf8").trim();
    let words;
    try {
      words = readFileSync(`/proc/${pid}/task/${tid}/syscall`, "utf8").trim().split(" ");
    } catch {
      return { name, hidden: true };
    }
    const fd = Number(words[1]);
    if (words.length < 4 || !isEpoll(pid, fd)) return { name };
    return { name, epoll: fd, stack: BigInt(words.at(-2)) };
  } catch {
    return { name: "" }; // it has ended since it was listed
  }
}

function isEpoll(pid, fd) {
  try {
    return Number.isSafeInteger(fd) && readlinkSync(`/proc/${pid}/fd/${fd}`) === "anon_inode:[eventpoll]";
  } catch {
    return false;
  }
}

/**
 * Workers, which may have servers of the program's own, get stacks of a size of their own. The scheduler of V8's tasks, always the first
 * thread to be started, has one of the usual size, as the inspector's has.
 */
function withUsualStack(pid, threads) {
  const ranges = readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) /.exec(line) ?? [];
      return from === undefined ? [] : [[BigInt(`0x${from}`), BigInt(`0x${to}`)]];
    });
  const sized = threads.map((thread) => {
    const [from, to] = ranges.find(([start, end]) => start <= thread.stack && thread.stack < end) ?? [0n, 0n];
    return { ...thread, size: to - from };
  });
  const [first, ...rest] = sized.sort((left, right) => Number(left.tid) - Number(right.tid));
  return rest.filter(({ size }) => size === first.size);
}

/** The sockets in an epoll. */
function watched(pid, epoll) {
  try {
    const rows = readFileSync(`/proc/${pid}/fdinfo/${epoll}`, "utf8").matchAll(/^tfd:\s*(\d+)/gm);
    return [...rows].flatMap(([, fd]) => socketOf(pid, fd));
  } catch {
    return []; // closed meanwhile
  }
}

function socketOf(pid, fd) {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? [];
  } catch {
    return []; // closed meanwhile
  }
}

/** Of those that the process listens on, what its command line lets the inspector open at once. */
function declaredSockets(pid, listening) {
  const words = optionsOf(pid);
  const port = words.some((word) => OPENS.test(word)) ? portIn(words) : undefined;
  return new Set(listening.filter((one) => one.port === port).map(({ inode }) => inode));
}

/** Node's own options, each with its value after a "=". NODE_OPTIONS's come first: later ones win. */
function optionsOf(pid) {
  const [, ...line] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
  let options = "";
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    options = environment.find((one) => one.startsWith("NODE_OPTIONS="))?.slice("NODE_OPTIONS=".length) ?? "";
  } catch {
    // Another user's.
  }
  return [...optionsIn(options.split(" ")), ...optionsIn(line, true)];
}

/** What follows the script's name is the program's. */
function optionsIn(words, endsAtScript = false) {
  const options = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (TAKES_WORD.test(word)) options.push(`${word}=${words[++at]}`);
    else if (word.startsWith("-")) options.push(word);
    else if (endsAtScript) break;
  }
  return options;
}

function portIn(options) {
  const given = options
    .filter((word) => OPENS.test(word) || CHOOSES.test(word))
    .map((word) => /=(?:.*:)?(\d+)$/.exec(word)?.[1]);
  return Number(given.findLast((port) => port !== undefined) ?? DEFAULT_PORT);
}

/** On which its command line lets it open its inspector; 0: on any. */
const inspectorPort = (pid) => portIn(optionsOf(pid));

module.exports = { inspectorSockets, declaredSockets, inspectorPort };
