/**
 * Takes leave of a process that dlv has attached to, in place of a daemon that was killed (keeper.ts). dlv's own way, when its connection
 * breaks, leaves the signals behind by which it has halted the program, and these kill it (leave.ts).
 *
 * node keeper.entry.cjs <pid> <"halted" if it was, before dlv came>; descriptors: 3 the connection, 4 and 5 what dlv prints.
 */
"use strict";
const { Socket } = require("node:net");
const { encode } = require("../../dap/framing.ts");
const { statOf } = require("../../util/process-facts.ts");
const { Traps } = require("../native/traps.ts");
const { inTime, leaveAttached, STOP_MS } = require("./settle.ts");

const HEADER = /Content-Length: (\d+)\r\n\r\n/;
/** Beyond those of the daemon. */
let seq = 1_000_000_000;
const pid = Number(process.argv[2]);
const isHalted = process.argv[3] === "halted";
const dlv = new Socket({ fd: 3 });
/** Who waits for which message. */
const waiting = new Set();

// Nobody reads what dlv prints, but it would die of writing to nobody.
for (const fd of [4, 5]) new Socket({ fd, writable: false }).on("error", () => {}).resume();
dlv.on("error", () => {});
dlv.on("data", decoder(told));
dlv.once("close", ended);

void leaveAttached(
  {
    pids: [pid],
    // dlv answers when it stands still, also if it did so before.
    standstill: () => ask("pause", { threadId: 1 }),
    step: async () => {
      const stopped = when(({ event }) => event === "stopped" || event === "terminated");
      const { success } = await ask("stepIn", { threadId: -1, granularity: "instruction" });
      if (success) await stopped;
    },
  },
  () => inTime(() => ask("disconnect", { terminateDebuggee: false })),
  isHalted,
)
  .catch(() => {}) // whatever it was, nobody but this process is left to take leave
  .then(() => {
    dlv.end();
    // A dlv that hangs does not close its side.
    setTimeout(ended, STOP_MS);
  });

function told(message) {
  for (const one of waiting) if (one.isMeant(message)) settled(one, message);
}

function settled(one, message) {
  waiting.delete(one);
  one.resolve(message);
}

function when(isMeant) {
  return new Promise((resolve) => waiting.add({ isMeant, resolve }));
}

function ask(command, args) {
  const own = ++seq;
  const answer = when(({ type, request_seq }) => type === "response" && request_seq === own);
  dlv.write(encode({ seq: own, type: "request", command, arguments: args }));
  return answer;
}

/** Also if dlv was killed meanwhile: then what it left in the code is taken out here. */
function ended() {
  Traps.of(pid, { isLaunched: true })?.takeOut();
  if (!isHalted && statOf(pid)?.state === "T") process.kill(pid, "SIGCONT");
  process.exit(0);
}

/** The daemon may have read the beginning of a message: what comes before the first whole one is left out. */
function decoder(tell) {
  let rest = "";
  return (chunk) => {
    rest += chunk.toString("latin1");
    for (;;) {
      const header = HEADER.exec(rest);
      if (header === null) return;
      const start = header.index + header[0].length;
      const end = start + Number(header[1]);
      if (rest.length < end) return;
      tell(JSON.parse(rest.slice(start, end)));
      rest = rest.slice(end);
    }
  };
}
