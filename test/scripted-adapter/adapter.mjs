/**
 * A DAP adapter that does what a script tells it to, over real pipes: odd orders, silence, damage, sudden death.
 * What the script does not mention it answers like a small well-behaved debugger. Everything received is recorded.
 *
 *   node adapter.mjs --script <json | file> [--record <file>] [--listen | --unix <path> | --connect <host:port>]
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Debuggee } from "./debuggee.mjs";

const { values: options } = parseArgs({
  options: {
    script: { type: "string", default: "{}" },
    record: { type: "string" },
    listen: { type: "boolean" },
    unix: { type: "string" },
    connect: { type: "string" },
  },
});
/** @type {import("./script.ts").Script} */
const script = JSON.parse(
  options.script.startsWith("{") ? options.script : readFileSync(options.script, "utf8"),
);

/** @type {import("node:stream").Writable} */
let output = process.stdout;
let seq = 0;
let silent = false;
/** Bytes held back so that they leave in one write. */
let held;
/** Requests by command, newest last: `respondTo` answers one that was left open. */
const requests = new Map();
const waiting = [];
const counts = new Map();
const debuggee = new Debuggee(script);

function write(bytes) {
  if (held === undefined) output.write(bytes);
  else held.push(bytes);
}

function send(message) {
  const body = Buffer.from(JSON.stringify({ seq: ++seq, ...message }));
  write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
}

function respond(request, fields) {
  send({ type: "response", request_seq: request.seq, command: request.command, success: true, ...fields });
}

function lastRequest(command) {
  const request = requests.get(command);
  if (request === undefined) throw new Error(`the script answers ${command}, which was never asked`);
  return request;
}

/** Each kind of step by its first key. */
const play = {
  respond: (step, request) =>
    respond(request, {
      body: step.respond,
      ...(step.requestSeq === undefined ? {} : { request_seq: step.requestSeq }),
    }),
  ack: (_step, request) => respond(request, {}),
  respondTo: (step) => respond(lastRequest(step.respondTo), { body: step.body }),
  fail: (step, request) =>
    respond(step.to === undefined ? request : lastRequest(step.to), {
      success: false,
      message: step.fail,
      ...(step.format === undefined
        ? {}
        : { body: { error: { id: 1, format: step.format, variables: step.variables } } }),
    }),
  event: (step) => send({ type: "event", event: step.event, body: step.body }),
  request: (step) => send({ type: "request", command: step.request, arguments: step.arguments }),
  default: (_step, request) => reply(request),
  delay: (step) => delay(step.delay),
  waitFor: (step) => new Promise((resolve) => waiting.push({ command: step.waitFor, resolve })),
  chunk: async (step, request) => {
    held = [];
    await run(step.chunk, request);
    const bytes = Buffer.concat(held);
    held = undefined;
    output.write(bytes);
  },
  bytes: (step) => write(Buffer.from(step.bytes, step.encoding ?? "utf8")),
  stderr: (step) => void process.stderr.write(step.stderr),
  silence: () => {
    silent = true;
  },
  closeOutput: () => void output.end(),
  exit: (step) => flushed().then(() => process.exit(step.exit)),
  kill: (step) =>
    flushed()
      .then(() => process.kill(process.pid, step.kill))
      .then(() => delay(10_000)),
};

async function run(steps, request) {
  for (const step of steps) {
    const [kind] = Object.keys(step);
    if (!(kind in play)) throw new Error(`no such step: ${JSON.stringify(step)}`);
    await play[kind](step, request);
  }
}

function flushed() {
  return Promise.all(
    [output, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
  );
}

function reply(request) {
  const { body, events = [], failure, exit } = debuggee.answer(request);
  if (failure !== undefined) respond(request, { success: false, message: failure });
  else respond(request, body === undefined ? {} : { body });
  for (const [event, eventBody] of events) send({ type: "event", event, body: eventBody });
  if (exit) void flushed().then(() => process.exit(0));
}

function receive(message) {
  if (options.record !== undefined) appendFileSync(options.record, `${JSON.stringify(message)}\n`);
  const { type, command } = message;
  if (type !== "request" || silent) return;
  requests.set(command, message);
  debuggee.note(message);
  const count = (counts.get(command) ?? 0) + 1;
  counts.set(command, count);
  for (const waiter of waiting.filter((one) => one.command === command)) {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.resolve();
  }
  // "next#2" is the second `next`; "next" is any.
  const steps = script.on?.[`${command}#${count}`] ?? script.on?.[command];
  if (steps === undefined) reply(message);
  else void run(steps, message);
}

function read(input) {
  let buffered = Buffer.alloc(0);
  input.on("data", (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const end = buffered.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(buffered.toString("latin1", 0, end))?.[1]);
      const start = end + 4;
      if (buffered.length < start + length) return;
      const message = JSON.parse(buffered.toString("utf8", start, start + length));
      buffered = buffered.subarray(start + length);
      receive(message);
    }
  });
  input.on("error", () => process.exit(0));
  input.on("end", () => script.outlivesInput || process.exit(0));
}

function serve(socket) {
  output = socket;
  read(socket);
  void run(script.start ?? []);
}

if (options.listen || options.unix !== undefined) {
  const server = createServer((socket) => {
    server.close();
    serve(socket);
  });
  server.listen(options.unix ?? { port: 0, host: "127.0.0.1" }, () => {
    const address = server.address();
    process.stdout.write(`listening on ${typeof address === "string" ? address : address.port}\n`);
  });
} else if (options.connect !== undefined) {
  const [host, port] = options.connect.split(":");
  const socket = createConnection({ host, port: Number(port) }, () => serve(socket));
} else {
  read(process.stdin);
  void run(script.start ?? []);
}
