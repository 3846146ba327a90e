// The bridge: a thread in the program that carries V8's debugging protocol between the main thread and the debugger's socket, a
// JSON object a line. There is no port, and nobody else can come in: the thread calls, and only a socket of the user's own.

const { Reader } = require("./reading.cjs");
const { ACKNOWLEDGED, GONE, HELD, LEFT, RUNNING, STARTING, STATE } = require("./states.cjs");

module.exports = { bridge };

/** Longer ones are refused: a string in the program may be as long as a string can be. */
const LONGEST = 128 * 1024 * 1024;
const CUT = 1024 * 1024;
/**
 * Newer Nodes now and then do not wake this thread for what the main thread's inspector says, and a stop would go unheard (seen on 26, never
 * on 20). It is delivered as soon as any JavaScript runs here, so a little runs.
 */
const WAKES_BY_ITSELF = Number.parseInt(process.versions.node, 10) <= 20;
const TURN_MS = 20;
/** What V8 said before an exit inside an evaluation has come by then. */
const INSIDE_MS = 50;

/** Told of every line the program prints, and of no use here. */
const UNHEARD = new Set(["Runtime.consoleAPICalled"]);

function bridge({ file, socket: path, shared, hold, about }) {
  const net = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const { Session } = require("node:inspector");
  const session = new Session();
  let socket = net.connect(path);
  const turns = WAKES_BY_ITSELF ? undefined : setInterval(() => {}, TURN_MS);
  let ended = false;
  let server;

  const become = (state) => {
    Atomics.store(shared, STATE, state);
    Atomics.notify(shared, STATE);
  };
  const acknowledge = () => {
    Atomics.store(shared, ACKNOWLEDGED, 1);
    Atomics.notify(shared, ACKNOWLEDGED);
  };
  const end = () => {
    if (ended) return;
    ended = true;
    clearInterval(turns);
    server?.close();
    socket.destroy();
    // A program that is stopped goes on.
    session.disconnect();
    become(GONE);
    acknowledge();
    // The main thread tells this one once more that the session is over. If this one were ending just then, Node would abort the process.
    parentPort.postMessage(LEFT);
  };
  const send = (message, sent) => {
    if (!ended) socket.write(`${bounded(message)}\n`, sent);
  };
  const reader = new Reader((method, params, answered) => session.post(method, params, answered));
  let unanswered = 0;
  let leaving = false;
  let atExit;
  const post = (id, method, params) => {
    unanswered++;
    session.post(method, params, (error, result) => {
      unanswered--;
      // The end of the program is the answer to what it has not done by then.
      if (!leaving) send(error ? refusal(id, error) : { id, result });
    });
  };

  const own = {
    /** Behind everything that was asked before. */
    "Runtime.runIfWaitingForDebugger": (id, method) =>
      session.post(method, (error) => {
        // Answered first: the program may end with its first line.
        send(error ? refusal(id, error) : { id, result: {} });
        if (Atomics.load(shared, STATE) === HELD) become(RUNNING);
      }),
    /** No answer: what is read comes behind the pause. */
    "Sonde.readAtPause": (_id, _method, order) => reader.order(order),
    /** What V8 is asked when the program exits, before it is gone: a profile that nobody has stopped. */
    "Sonde.askAtExit": (id, _method, { method }) => {
      atExit = method;
      send({ id, result: {} });
    },
    /** Another debugger of the same user takes over: it comes to a socket beside the first. */
    "Sonde.listen": (id, _method, { path }) => {
      server = net.createServer((next) => {
        server.close();
        server = undefined;
        const old = socket;
        old.removeAllListeners("close");
        old.end();
        old.destroySoon();
        socket = next;
        start();
      });
      server.on("error", (error) => send(refusal(id, error)));
      server.listen(path, () => {
        require("node:fs").chmodSync(path, 0o600);
        send({ id, result: {} });
      });
    },
  };
  const receive = (text) => {
    const { id, method, params } = JSON.parse(text);
    const handle = Object.hasOwn(own, method) ? own[method] : post;
    handle(id, method, params);
  };
  const start = () => {
    send({ method: "Sonde.hello", params: about });
    onLines(socket, receive);
    socket.on("error", end);
    socket.on("close", end);
  };

  const tellPause = (params) => {
    const isRead = reader.onPaused(params, (read) => send({ method: "Sonde.read", params: read }));
    send({ method: "Debugger.paused", params: isRead ? { ...params, isRead } : params });
  };
  session.on("inspectorNotification", (message) => {
    const { method, params } = message;
    if (UNHEARD.has(method) || reader.isOwn(message)) return;
    if (method === "Debugger.paused") tellPause(params);
    else if (method === "NodeWorker.attachedToWorker" && isBridge(params)) leaveBridge(params);
    else if (!isOfBridge(params)) send(message);
  });
  const url = require("node:url").pathToFileURL(file).href;
  const bridges = new Set();
  const isBridge = ({ sessionId, workerInfo }) => {
    // This one, or that of another debugger of ours.
    const is = workerInfo.url === url || workerInfo.url === file;
    if (is) bridges.add(sessionId);
    return is;
  };
  const leaveBridge = ({ sessionId, waitingForDebugger }) => {
    if (!waitingForDebugger) return session.post("NodeWorker.detach", { sessionId });
    // Detached at once it might wait for ever.
    const message = JSON.stringify({ id: 1, method: "Runtime.runIfWaitingForDebugger" });
    session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
  };
  const isOfBridge = (params) => params?.sessionId !== undefined && bridges.has(params.sessionId);

  session.connectToMainThread();
  // In a process that was attached to, and whether anybody answers or not: the port through which we came.
  const closed = hold ? Promise.resolve() : closeInspector(session);
  const fail = () => void closed.then(end);
  socket.once("error", fail);
  socket.once("connect", () => {
    socket.removeListener("error", fail);
    start();
    // The program may have grown tired of waiting.
    const next = hold ? HELD : RUNNING;
    if (Atomics.compareExchange(shared, STATE, STARTING, next) !== STARTING) return end();
    Atomics.notify(shared, STATE);
  });
  // The main thread exits, and waits until what V8 has said is sent. Behind this answer of V8's there is none to come.
  parentPort.on("message", (message) => {
    if (message === LEFT) return parentPort.close();
    const { exitCode } = message;
    const leave = () => {
      if (leaving) return;
      leaving = true;
      send({ method: "Sonde.exiting", params: { exitCode } }, () => {
        // Node would tell, on the program's stderr, that it waits for a session that is still there.
        session.disconnect();
        acknowledge();
      });
    };
    if (atExit !== undefined)
      session.post(atExit, (_error, result) => {
        if (!leaving) send({ method: "Sonde.atExit", params: { method: atExit, result } });
      });
    session.post("Runtime.getIsolateId", leave);
    // Inside an evaluation of ours V8 takes no other request until it is done.
    if (unanswered > 0) setTimeout(leave, INSIDE_MS);
  });
}

/** It waits for those who are connected to it; the opener leaves as soon as it has its answer. */
function closeInspector(session) {
  const expression = "(process._debugEnd ?? process.getBuiltinModule('node:inspector').close)()";
  return new Promise((resolve) => session.post("Runtime.evaluate", { expression, silent: true }, resolve));
}

function bounded(message) {
  const text = JSON.stringify(message);
  if (text.length <= LONGEST) return text;
  if (message.id !== undefined)
    return JSON.stringify({
      id: message.id,
      error: { message: `it is longer than ${LONGEST / 1024 / 1024} MB` },
    });
  // An event is told all the same: a program that throws such a text has stopped.
  const cut = (_key, value) =>
    typeof value === "string" && value.length > CUT ? `${value.slice(0, CUT)}\u2026` : value;
  return JSON.stringify(message, cut);
}

function refusal(id, { code, message }) {
  const [, number, text] = /^Inspector error (-?\d+): (.*)$/s.exec(message) ?? [];
  return { id, error: { code: Number(number ?? code), message: text ?? message } };
}

function onLines(socket, receive) {
  const { StringDecoder } = require("node:string_decoder");
  const decoder = new StringDecoder("utf8");
  let parts = [];
  socket.on("data", (chunk) => {
    const lines = decoder.write(chunk).split("\n");
    parts.push(lines[0]);
    for (let at = 1; at < lines.length; at++) {
      receive(parts.join(""));
      parts = [lines[at]];
    }
  });
}
