/** Debug adapters that break the protocol: the scripted one, through the real binary, beside a session that is well. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script, Step } from "../../scripted-adapter/script.ts";
import { SCRIPTED_ADAPTER } from "../../scripted-adapter/start.ts";
import { createSonde, type RunResult, type Sonde } from "../../support/sonde.ts";
import type { Chance } from "./random.ts";
import { row, type Verdict } from "./tally.ts";

/** The daemon's own deadlines: waits that end in one are as long as it says, and not late. */
const DEADLINE_SECS = 1;

const CONFIG = `[timeouts]
dap_initialize_secs = ${DEADLINE_SECS}
dap_launch_secs = ${DEADLINE_SECS}
dap_request_secs = ${DEADLINE_SECS}
[adapters.scripted]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SCRIPTED_ADAPTER)}, "--script", "script.json"]
transport = "stdio"
file_types = [".plan"]
`;

interface Bench {
  sonde: Sonde;
  /** Of a session that nobody touches, where it stands. */
  line: number;
  number: number;
}

async function bench(): Promise<Bench> {
  const sonde = createSonde();
  sonde.config(CONFIG);
  sonde.write("app.plan", Array.from({ length: 20 }, (_, n) => `statement ${n + 1}\n`).join(""));
  use(sonde, {});
  await sonde.ask("start app.plan --name well --break app.plan:2");
  return { sonde, line: 2, number: 0 };
}

function use(sonde: Sonde, script: Script): void {
  writeFileSync(join(sonde.project, "script.json"), JSON.stringify(script));
}

interface Expected {
  /** Of the command that meets the fault. */
  fault: RegExp;
  /** Of the one after it. */
  next: RegExp;
  /** It ends in a deadline of ours. */
  waits?: boolean;
}

const ended: Expected = { fault: /^(ADAPTER_FAILED|SESSION_ENDED) /, next: /^SESSION_ENDED / };
const inTime: Expected = { fault: /^TIMEOUT /, next: /^(ok|TIMEOUT|SESSION_ENDED) ?/, waits: true };
const well: Expected = { fault: /^ok/, next: /^ok/ };

/** A frame as an adapter would send it, damaged. */
const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const event = frame('{"seq":900,"type":"event","event":"output","body":{"output":"hello\\n"}}');

type Make = (random: Chance) => { steps: Step[]; expected: Expected };
const damaged = (bytes: (random: Chance) => string | Buffer, expected = ended): Make => {
  return (random) => {
    const made = bytes(random);
    const step: Step =
      typeof made === "string" ? { bytes: made } : { bytes: made.toString("base64"), encoding: "base64" };
    return { steps: [step], expected };
  };
};
const steps =
  (list: Step[], expected: Expected): Make =>
  () => ({ steps: list, expected });
const stopped: Step = { event: "stopped", body: { reason: "step", threadId: 1, allThreadsStopped: true } };

/** What the adapter does when it is asked for a step. */
const FAULTS: Record<string, Make> = {
  "frame: text instead of a header": damaged(
    (random) => `${random.pick(["Segmentation fault", "panic: oops", "\0\0\0", "<html>"])}\r\n\r\n`,
  ),
  "frame: no length": damaged(() => "Content-Type: json\r\n\r\n{}"),
  "frame: negative, huge or no number as length": damaged(
    (random) => `Content-Length: ${random.pick(["-5", "99999999999", "1e9", "ten", "0x10", ""])}\r\n\r\n{}`,
  ),
  "frame: length too short": damaged(
    (random) => `Content-Length: ${1 + random.below(5)}\r\n\r\n{"seq":1,"type":"event","event":"x"}`,
  ),
  "frame: JSON that is none": damaged((random) => frame(random.pick(["nope!", "{", '{"a":}', "\ufffd"]))),
  "frame: JSON that is no message": damaged(
    (random) => frame(random.pick(["null", "[]", "1", '"x"', '{"type":7}', "{}"])),
    { fault: /^(ok|TIMEOUT|ADAPTER_FAILED|SESSION_ENDED)/, next: /^(ok|TIMEOUT|SESSION_ENDED)/, waits: true },
  ),
  "frame: invalid UTF-8": damaged((random) => {
    const body = Buffer.from(event.split("\r\n\r\n")[1] ?? "");
    body[body.indexOf("hello") + random.below(5)] = 0xff;
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
  }, inTime),
  "frame: the first half, then the end": (random) => ({
    steps: [{ bytes: event.slice(0, 1 + random.below(event.length - 1)) }, { exit: 0 }],
    expected: ended,
  }),
  "frame: cut anywhere, the rest later": (random) => {
    const at = 1 + random.below(event.length - 1);
    return {
      steps: [
        { bytes: event.slice(0, at) },
        { delay: 5 + random.below(20) },
        { bytes: event.slice(at) },
        { default: true },
      ],
      expected: well,
    };
  },
  "frame: one byte at a time": () => ({
    steps: [...[...event].flatMap((char): Step[] => [{ bytes: char }, { delay: 0 }]), { default: true }],
    expected: well,
  }),
  "frame: a thousand in one write": steps(
    [{ chunk: [...Array.from({ length: 1000 }, (): Step => ({ bytes: event })), { default: true }] }],
    well,
  ),
  "frame: other headers beside it": steps(
    [{ bytes: event.replace("\r\n", "\r\nX-More: yes\r\n") }, { default: true }],
    well,
  ),
  "message: answer to a request never made": steps(
    [{ respond: {}, requestSeq: 9999 }, { default: true }],
    well,
  ),
  "message: answered twice": steps([{ default: true }, { ack: true }], well),
  "message: answer after its deadline": steps([{ delay: DEADLINE_SECS * 1000 + 300 }, { default: true }], {
    fault: /^(TIMEOUT|ok)/,
    next: /^(ok|NOT_STOPPED|TIMEOUT)/,
    waits: true,
  }),
  "message: stop before the answer": steps([stopped, { ack: true }], well),
  "message: unknown events": steps(
    [{ event: "coffee", body: [1] }, { event: "", body: null }, { default: true }],
    well,
  ),
  "message: unknown reverse request": steps(
    [{ request: "makeCoffee", arguments: {} }, { default: true }],
    well,
  ),
  "message: refusal without a reason": steps([{ fail: "" }], {
    fault: /^(REQUEST_FAILED|ADAPTER_FAILED) /,
    next: /^ok/,
  }),
  "message: ended twice": steps([{ ack: true }, { event: "terminated" }, { event: "terminated" }], {
    fault: /^ok.*exited|^ok.*"how"|^SESSION_ENDED|^ok/,
    next: /^SESSION_ENDED/,
  }),
  "adapter: says nothing more": steps([{ silence: true }], inTime),
  "adapter: killed in a request": steps([{ stderr: "last words\n" }, { kill: "SIGKILL" }], {
    fault: /^(ADAPTER_FAILED|SESSION_ENDED) .*(SIGKILL|last words)/,
    next: /^SESSION_ENDED .*(SIGKILL|last words)/,
  }),
  "adapter: exits in a request": steps([{ stderr: "last words\n" }, { exit: 3 }], {
    fault: /^(ADAPTER_FAILED|SESSION_ENDED) .*code 3/,
    next: /^SESSION_ENDED .*code 3/,
  }),
  "adapter: closes its output": steps([{ closeOutput: true }], ended),
  "adapter: floods its stderr": steps([{ stderr: "x".repeat(500_000) }, { default: true }], well),
};

/** What it does when a session begins: the answer to `start`. */
const OPENINGS: Record<string, { script: Script; expected: RegExp; waits?: boolean }> = {
  "opening: never answers": {
    script: { on: { initialize: [{ silence: true }] } },
    expected: /^TIMEOUT .*initialize/,
    waits: true,
  },
  "opening: never says initialized": {
    script: { on: { launch: [{ ack: true }] } },
    expected: /^(TIMEOUT|ADAPTER_FAILED) .*initialized/,
    waits: true,
  },
  "opening: dies at initialize": {
    script: { on: { initialize: [{ stderr: "cannot open shared object\n" }, { exit: 127 }] } },
    expected: /^(ADAPTER_FAILED|LAUNCH_FAILED) .*(127|shared object)/,
  },
  "opening: dies at launch": {
    script: { on: { launch: [{ stderr: "panic: out of luck\n" }, { exit: 2 }] } },
    expected: /^(ADAPTER_FAILED|LAUNCH_FAILED) .*(code 2|out of luck)/,
  },
  "opening: refuses to launch": {
    script: { on: { launch: [{ fail: "Failed", format: "could not build: syntax error" }] } },
    expected: /^LAUNCH_FAILED .*syntax error/,
  },
  "opening: initialized before launch": {
    script: {
      on: { initialize: [{ chunk: [{ default: true }, { event: "initialized" }] }], launch: [{ ack: true }] },
    },
    expected: /^ok/,
  },
  "opening: slow to initialize": {
    script: { on: { initialize: [{ delay: 400 }, { default: true }] } },
    expected: /^ok/,
    waits: true,
  },
  "opening: breakpoint moves later": {
    script: {
      on: {
        setBreakpoints: [{ respond: { breakpoints: [{ id: 1, verified: true, line: 3 }] } }],
        configurationDone: [
          { ack: true },
          {
            event: "breakpoint",
            body: { reason: "changed", breakpoint: { id: 1, verified: true, line: 5 } },
          },
          {
            event: "stopped",
            body: { reason: "breakpoint", threadId: 1, allThreadsStopped: true, hitBreakpointIds: [1] },
          },
        ],
      },
    },
    expected: /^ok.*"hit":1/,
  },
  "opening: breakpoint never binds": {
    script: {
      on: {
        setBreakpoints: [
          { respond: { breakpoints: [{ id: 1, verified: false, message: "no code on this line" }] } },
        ],
        configurationDone: [{ ack: true }, { event: "terminated" }],
      },
    },
    expected: /^ok.*no code on this line|^BAD_LOCATION/,
  },
};

const options = { adapter: "scripted", runs: 5, timeoutMs: 30_000 };
const SHORT = /killed in a request|text instead|cut anywhere|says nothing|answered twice/;

for (const [name, make] of Object.entries(FAULTS)) {
  let made: Bench | undefined;
  row(name, { ...options, short: SHORT.test(name) ? 1 : 0 }, async (verdict, random) => {
    made ??= await bench();
    await meetFault(made, make(random), verdict);
  });
}

for (const [name, { script, expected, waits = false }] of Object.entries(OPENINGS)) {
  let made: Bench | undefined;
  row(name, { ...options, runs: 3 }, async (verdict) => {
    made ??= await bench();
    use(made.sonde, script);
    const session = `s${++made.number}`;
    const reply = await told(made.sonde, ["start", "app.plan", "--name", session, "--break", "app.plan:3"]);
    verdict.holds(expected.test(reply.text), () => `start: ${reply.text.slice(0, 300)}`);
    if (!waits) verdict.answeredIn(reply.ms - STARTS_MS, "`start`");
    await finish(made, verdict);
  });
}

/** What the start of the scripted adapter, a Node program, takes. */
const STARTS_MS = 300;

async function meetFault(
  made: Bench,
  { steps: list, expected }: ReturnType<Make>,
  verdict: Verdict,
): Promise<void> {
  const { sonde } = made;
  use(sonde, { on: { "next#1": list } });
  const session = `s${++made.number}`;
  await sonde.ask(["start", "app.plan", "--name", session, "--break", "app.plan:3"]);
  const plain = await sonde.run("sessions");
  for (const [words, right] of [
    [["next", "--timeout", "10"], expected.fault],
    [["context"], expected.next],
  ] as const) {
    const reply = await told(sonde, [...words, "-s", session]);
    verdict.holds(right.test(reply.text), () => `\`${words[0]}\`: ${reply.text.slice(0, 300)}`);
    if (!expected.waits) verdict.answeredIn(reply.ms - plain.ms, `\`${words[0]}\``);
  }
  await finish(made, verdict);
}

/** All but the well one is ended; that one goes on to its next line; nothing else is left. */
async function finish(made: Bench, verdict: Verdict): Promise<void> {
  const { sonde } = made;
  const { sessions } = await sonde.ask<{ sessions: { name: string; state: string }[] }>("sessions");
  for (const { name } of sessions.filter((one) => one.name !== "well")) await sonde.run(["stop", "-s", name]);
  made.line = made.line === 19 ? 19 : made.line + 1;
  if (made.line < 19) {
    const reply = await told(sonde, ["next", "-s", "well"]);
    verdict.holds(
      reply.text.includes(`"value":"${made.line}"`),
      () => `the other session: ${reply.text.slice(0, 300)}`,
    );
  }
  const deadline = performance.now() + 5000;
  const left = () => sonde.processes().filter(({ command }) => command.includes("adapter.mjs"));
  while (left().length > 1 && performance.now() < deadline) await sonde.run("sessions");
  verdict.left(
    left()
      .slice(1)
      .map(({ command }) => command),
  );
}

async function told(sonde: Sonde, words: string[]): Promise<{ text: string; ms: number }> {
  const result: RunResult = await sonde.run([...words, "--json"], { timeoutMs: 30_000 });
  try {
    const answer = JSON.parse(result.stdout);
    const text = answer.ok ? `ok ${result.stdout}` : `${answer.error.code} ${answer.error.message}`;
    return { text, ms: result.ms };
  } catch {
    return { text: `no answer: ${result.status} ${result.stdout}${result.stderr}`, ms: result.ms };
  }
}
