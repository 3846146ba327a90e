/** What the scripted adapter can be told to do. A step is known by its first key. */
export type Step =
  /** Answers the request that started these steps; with `requestSeq`, under a wrong number. */
  | { respond: unknown; requestSeq?: number }
  /** The same without a body. */
  | { ack: true }
  /** Answers an earlier request that was left open. */
  | { respondTo: string; body?: unknown }
  | { fail: string; to?: string; format?: string; variables?: Record<string, string> }
  | { event: string; body?: unknown }
  /** A reverse request; the answer is in the record. */
  | { request: string; arguments?: unknown }
  /** What a well-behaved adapter would do here. */
  | { default: true }
  | { delay: number }
  /** Goes on when that request arrives (which is answered by its own steps). */
  | { waitFor: string }
  /** All messages of these steps in one write. */
  | { chunk: Step[] }
  | { bytes: string; encoding?: "utf8" | "latin1" | "base64" }
  | { stderr: string }
  /** From now on nothing is answered. */
  | { silence: true }
  | { closeOutput: true }
  | { exit: number }
  | { kill: NodeJS.Signals };

export interface Script {
  capabilities?: Record<string, unknown>;
  /** Length of the program it pretends to debug. */
  lines?: number;
  /** Before any request. */
  start?: Step[];
  /** By command, or `command#n` for its nth time only. */
  on?: Record<string, Step[]>;
  /** Stays when its input ends, as some adapters do. */
  outlivesInput?: boolean;
}

const initialized: Step = { event: "initialized" };
const stopped: Step = {
  event: "stopped",
  body: { reason: "breakpoint", threadId: 1, allThreadsStopped: true },
};
const terminated: Step = { event: "terminated" };

/** Orders and faults seen in real adapters, by name. */
export const scripts = {
  wellBehaved: {},
  silentFromTheStart: { on: { initialize: [{ silence: true }] } },
  neverInitialized: { on: { launch: [{ ack: true }] } },
  slowInitialize: { on: { initialize: [{ delay: 1000 }, { default: true }] } },
  slowReplies: {
    on: Object.fromEntries(["threads", "stackTrace", "scopes", "variables"].map((c) => [c, slow(300)])),
  },
  lateInitialized: { on: { launch: [{ ack: true }, { delay: 300 }, initialized] } },
  initializedBeforeLaunch: {
    on: { initialize: [{ chunk: [{ default: true }, initialized] }], launch: [{ ack: true }] },
  },
  initializedBeforeInitializeResponse: {
    on: { initialize: [initialized, { default: true }], launch: [{ ack: true }] },
  },
  /** lldb-dap, debugpy, gdb: awaiting `launch` before `configurationDone` would deadlock. */
  launchAnsweredAfterConfigurationDone: {
    on: {
      launch: [initialized],
      configurationDone: [{ ack: true }, { respondTo: "launch" }, stopped],
    },
  },
  stoppedBeforeContinueResponse: { on: { continue: [stopped, { respond: { allThreadsContinued: true } }] } },
  stoppedInTheChunkOfTheResponse: {
    on: { continue: [{ chunk: [{ respond: { allThreadsContinued: true } }, stopped] }] },
  },
  stoppedDuringConfigurationDone: { on: { configurationDone: [stopped, { ack: true }] } },
  /** lldb-dap: the real reason comes last. */
  launchFailsAfterConfigurationDone: {
    on: {
      launch: [initialized],
      configurationDone: [
        { fail: "Expected process to be stopped" },
        {
          fail: "",
          to: "launch",
          format: "'{path}' does not exist",
          variables: { path: "/no/such/program" },
        },
      ],
    },
  },
  launchFailsAtOnce: {
    on: { launch: [{ fail: "Failed to launch", format: "could not build: syntax error" }] },
  },
  terminatedTwice: { on: { continue: [{ respond: {} }, terminated, terminated] } },
  exitsWithoutExitedEvent: { on: { continue: [{ respond: {} }, terminated] } },
  crashAtInitialize: { on: { initialize: [{ stderr: "cannot open shared object\n" }, { exit: 127 }] } },
  crashAtLaunch: { on: { launch: [{ stderr: "panic: out of luck\n" }, { exit: 2 }] } },
  crashWhileStepping: { on: { next: [{ stderr: "last words\n" }, { exit: 3 }] } },
  killedWhileStepping: { on: { next: [{ kill: "SIGKILL" }] } },
  killedBetweenRequests: { on: { "next#1": [{ default: true }, { delay: 50 }, { kill: "SIGKILL" }] } },
  closesItsOutput: { on: { next: [{ closeOutput: true }] } },
  breakpointsVerifiedLater: {
    on: {
      setBreakpoints: [{ respond: { breakpoints: [{ id: 1, verified: false, message: "pending" }] } }],
      configurationDone: [
        { ack: true },
        { event: "breakpoint", body: { reason: "changed", breakpoint: { id: 1, verified: true, line: 3 } } },
        stopped,
      ],
    },
  },
  breakpointsMovedLater: {
    on: {
      setBreakpoints: [{ respond: { breakpoints: [{ id: 1, verified: true, line: 3 }] } }],
      configurationDone: [
        { ack: true },
        { event: "breakpoint", body: { reason: "changed", breakpoint: { id: 1, verified: true, line: 5 } } },
        stopped,
      ],
    },
  },
  breakpointsNeverBound: {
    on: {
      setBreakpoints: [
        { respond: { breakpoints: [{ id: 1, verified: false, message: "no code on this line" }] } },
      ],
    },
  },
  fewerBreakpointsThanAsked: { on: { setBreakpoints: [{ respond: { breakpoints: [] } }] } },
  wrongRequestSeq: { on: { threads: [{ respond: { threads: [] }, requestSeq: 9999 }, { default: true }] } },
  duplicateResponse: { on: { threads: [{ default: true }, { default: true }] } },
  emptyBodies: { on: { threads: [{ ack: true }], stackTrace: [{ ack: true }] } },
  nullBodies: { on: { threads: [{ respond: null }], stackTrace: [{ respond: null }] } },
  garbageBytes: { on: { next: [{ bytes: "Segmentation fault (core dumped)\n" }] } },
  garbageFrame: { on: { next: [{ bytes: "Content-Length: 5\r\n\r\nnope!" }] } },
  hugeLength: { on: { next: [{ bytes: "Content-Length: 99999999999\r\n\r\n" }] } },
  unknownEvents: {
    on: { threads: [{ event: "telemetry2", body: [1] }, { event: "", body: null }, { default: true }] },
  },
  unknownReverseRequest: {
    on: { configurationDone: [{ request: "makeCoffee", arguments: {} }, { default: true }] },
  },
  startsChild: {
    on: {
      configurationDone: [
        { ack: true },
        {
          request: "startDebugging",
          arguments: { request: "launch", configuration: { name: "child", program: "/child" } },
        },
      ],
    },
  },
  runsInTerminal: {
    on: {
      launch: [
        { request: "runInTerminal", arguments: { kind: "integrated", cwd: "/tmp", args: ["sleep", "0"] } },
        { default: true },
      ],
    },
  },
  floodsStderr: { on: { initialize: [{ stderr: "x".repeat(200_000) }, { default: true }] } },
  lingers: { outlivesInput: true, on: { disconnect: [{ ack: true }] } },
} satisfies Record<string, Script>;

function slow(ms: number): Step[] {
  return [{ delay: ms }, { default: true }];
}
