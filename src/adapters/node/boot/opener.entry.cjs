// Opens the inspector of a running process (SIGUSR1), starts the bridge in it through the inspector, and closes it again, in a process
// of its own: whatever becomes of the debugger meanwhile, the port does not stay open.
//
// opener.entry.cjs <pid> <pid as the process sees it> <boot file> <socket>; says {"ok":true} or {"error":"…"}, one line.

const { readdirSync, readFileSync, readlinkSync } = require("node:fs");
const http = require("node:http");
const { inspectorPort, inspectorSockets } = require("./inspector-sockets.cjs");

const OPEN_MS = 5000;
const ANSWER_MS = 5000;
/** Between two looks, at most. */
const LATE_MS = 250;
const LISTEN = "0A";
/** Later, for it waits until we have left. */
const CLOSE = "void setImmediate(process._debugEnd ?? process.getBuiltinModule('node:inspector').close)";

const [pid, ownPid, boot, socket] = process.argv.slice(2);
const born = birthOf(pid);
/** On which its command line lets it open its inspector. The program may choose another one (`process.debugPort`), or hide the line. */
const PORT = inspectorPort(Number(pid));
/** What it listened on before it was asked to is not what we asked for. */
let before = new Set();
process.stdout.on("error", () => {}); // whoever asked is gone
void main();

async function main() {
  before = new Set(listeners(netRows(), ownInodes()).map(({ inode }) => inode));
  const isTaken = isPortTaken(netRows(), ownInodes());
  process.kill(Number(pid), "SIGUSR1");
  const opened = await findInspector(OPEN_MS, isTaken);
  if (opened === undefined) {
    const taken = isPortTaken(netRows(), ownInodes());
    say({
      error: taken
        ? `it cannot: port ${PORT} is in use already`
        : "it did not in 5 s: it may be blocked in native code",
    });
    // A process that is blocked opens its port when it goes on, however late. Nobody wants it then: it is closed again.
    return close(await findInspector(Number.POSITIVE_INFINITY));
  }
  try {
    const answer = await evaluate(opened, startText());
    if (answer === "started") return say({ ok: true });
    say({ error: answer });
    if (!answer.startsWith("not ")) await close(opened);
  } catch (error) {
    say({ error: String(error?.message ?? error) });
    await close(opened);
  }
}

/** Again, until it takes it in or no longer listens. */
async function close(found) {
  while (listensStill(found)) {
    try {
      await evaluate(found, CLOSE);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    }
  }
}

function listensStill({ inode }) {
  try {
    return birthOf(pid) === born && ownInodes().has(inode);
  } catch {
    return false; // the process is gone
  }
}

/** What is started closes the port, whatever becomes of us. */
function startText() {
  return `(() => {
    if (process.pid !== ${Number(ownPid)}) return "not this process but " + process.pid + " answers there";
    try {
      const load = typeof require === "function" ? require : process.getBuiltinModule("node:module").createRequire("/");
      load(${JSON.stringify(boot)}).attach(${JSON.stringify(socket)});
      return "started";
    } catch (error) {
      return "it cannot take the debugger in: " + (error?.message ?? error);
    }
  })()`;
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Nothing announces the new port, so look for it, ever less often. */
async function findInspector(forMs, wasTaken = false) {
  const deadline = Date.now() + forMs;
  for (let pause = 2; Date.now() < deadline; pause = Math.min(pause * 2, LATE_MS)) {
    try {
      if (birthOf(pid) !== born) process.exit(); // another one has its number
      const rows = netRows();
      const inodes = ownInodes();
      for (const one of opened(rows, inodes)) {
        const found = await askFor(one);
        if (found !== undefined) return found;
      }
      // It tries once for each signal, and fails where another debugger has the port open for a moment, as we do.
      const isTaken = isPortTaken(rows, inodes);
      if (wasTaken && !isTaken && forMs === OPEN_MS) process.kill(Number(pid), "SIGUSR1");
      wasTaken = isTaken;
    } catch {
      process.exit(); // the process is gone
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return undefined;
}

/** When the process with this number was started, in the system's words. */
function birthOf(number) {
  const stat = readFileSync(`/proc/${number}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function ownInodes() {
  const inodes = new Set();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed since it was listed.
    }
  }
  return inodes;
}

/** Who listens, of all processes that the process shares its network with. */
function netRows() {
  const rows = ["tcp", "tcp6"].flatMap((table) => {
    try {
      return readFileSync(`/proc/${pid}/net/${table}`, "utf8").split("\n").slice(1);
    } catch {
      return []; // no IPv6
    }
  });
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
    if (state !== LISTEN) return [];
    const [address, port] = local.split(":");
    const isV4 = address.length === 8;
    return [{ host: isV4 ? hostOf(address) : "::1", port: Number.parseInt(port, 16), inode }];
  });
}

function isPortTaken(rows, inodes) {
  return rows.some(({ port, inode }) => port === PORT && (before.has(inode) || !inodes.has(inode)));
}

function listeners(rows, inodes) {
  return rows.filter(({ inode }) => inodes.has(inode));
}

/** The inspector's, whatever its port. Where the system does not tell which that is: what listens only since the signal. */
function opened(rows, inodes) {
  const fresh = listeners(rows, inodes).filter(({ inode }) => !before.has(inode));
  if (fresh.length === 0) return [];
  const known = inspectorSockets(Number(pid));
  return known === undefined ? fresh : fresh.filter(({ inode }) => known.has(inode));
}

/** Printed as a little-endian word; "any" is reached by the loopback. */
function hostOf(hex) {
  const bytes = [...Buffer.from(hex, "hex").reverse()];
  return bytes.every((byte) => byte === 0) ? "127.0.0.1" : bytes.join(".");
}

function askFor({ host, port, inode }) {
  return new Promise((resolve) => {
    const none = () => resolve(undefined);
    const asked = http.get(
      { host, port, path: "/json/list", agent: false, signal: AbortSignal.timeout(1000) },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("error", none).on("close", none);
        response.on("data", (chunk) => {
          text += chunk;
          if (text.length > 1e6) asked.destroy();
        });
        response.on("end", () => {
          try {
            const [{ webSocketDebuggerUrl }] = JSON.parse(text);
            const { pathname } = new URL(webSocketDebuggerUrl);
            resolve({ host, port, inode, path: pathname });
          } catch {
            before.add(inode); // the program's own, and not to be asked again
            none();
          }
        });
      },
    );
    asked.on("error", none);
  });
}

/** What the expression returned. One frame there, one back: no more is needed. */
function evaluate({ host, port, path }, expression) {
  const key = require("node:crypto").randomBytes(16).toString("base64");
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": key,
  };
  return new Promise((resolve, reject) => {
    const upgrade = http.request({ host, port, path, agent: false, headers });
    const timer = setTimeout(() => {
      reject(new Error("its inspector is not responding: it may be blocked in native code"));
      upgrade.destroy();
    }, ANSWER_MS);
    upgrade.on("error", reject);
    upgrade.on("response", () => reject(new Error("its inspector refuses the connection")));
    upgrade.on("upgrade", (_response, stream, head) => {
      const params = { expression, includeCommandLineAPI: true, returnByValue: true, silent: true };
      stream.write(frame(JSON.stringify({ id: 1, method: "Runtime.evaluate", params })));
      let bytes = head;
      stream.on("data", (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        const text = payload(bytes);
        if (text === undefined) return;
        clearTimeout(timer);
        const { result, error } = JSON.parse(text);
        resolve(String(result?.result?.value ?? result?.exceptionDetails?.text ?? error?.message));
        stream.end();
      });
      stream.on("error", () => {});
      stream.on("close", () => {
        clearTimeout(timer);
        reject(new Error("it has ended"));
      });
    });
    upgrade.end();
  });
}

/** A text frame of a client, masked with zeros. */
function frame(text) {
  const bytes = Buffer.from(text);
  const length = Buffer.from([0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([length, bytes]);
}

/** Of the first frame, once it is there as a whole; an end of the connection is told in another way. */
function payload(bytes) {
  if (bytes.length < 2 || (bytes[0] & 0xf) !== 1) return undefined;
  const short = bytes[1] & 0x7f;
  const from = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  return bytes.length < from + length ? undefined : bytes.toString("utf8", from, from + length);
}
