import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { connectInspector } from "../../src/adapters/node/process/connection.ts";
import { FrameReader } from "../../src/adapters/node/process/web-socket-frames.ts";
import { cleanUp, project } from "./session.ts";

let child: ChildProcess | undefined;

afterEach(async () => {
  child?.kill("SIGKILL");
  await cleanUp();
});

function serverFrame(payload: Buffer, first: number): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  if (length < 65_536) return Buffer.concat([Buffer.from([first, 126, length >> 8, length & 255]), payload]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([Buffer.from([first, 127]), size, payload]);
}

test("frames are read whole, however the bytes are cut and the messages split", () => {
  const message = fc.record({
    text: fc.oneof(
      fc.string(),
      fc.constantFrom(125, 126, 127, 65_535, 65_536, 70_000).map((n) => "x".repeat(n)),
    ),
    parts: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 1, max: 9000 }), (messages, size) => {
      const bytes = Buffer.concat(
        messages.flatMap(({ text, parts }) => {
          const payload = Buffer.from(text);
          const cut = Math.ceil(payload.length / parts);
          return Array.from({ length: parts }, (_, i) =>
            serverFrame(
              payload.subarray(i * cut, (i + 1) * cut),
              (i === parts - 1 ? 0x80 : 0) | (i === 0 ? 1 : 0),
            ),
          );
        }),
      );
      const reader = new FrameReader();
      const seen: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        for (const { payload } of reader.push(bytes.subarray(at, at + size))) seen.push(payload.toString());
      }
      expect(seen).toEqual(messages.map(({ text }) => Buffer.from(text).toString()));
    }),
    { numRuns: 60 },
  );
});

async function inspected(code: string) {
  const program = join(project({ "app.js": code }), "app.js");
  const started = spawn("node", ["--inspect-brk=127.0.0.1:0", program], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  child = started;
  const url = await new Promise<string>((resolve) => {
    started.stderr.on("data", (chunk) => {
      const found = /ws:\S+/.exec(String(chunk))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  return connectInspector(url, () => {});
}

function median(times: number[]): number {
  return times.sort((left, right) => left - right)[times.length >> 1] ?? 0;
}

test("a step and an evaluation are not held up by Nagle's algorithm", async () => {
  const { cdp, close } = await inspected("for (let i = 0; ; i++) {\n  globalThis.x = i;\n}\n");
  await Promise.all([cdp.send("Runtime.enable"), cdp.send("Debugger.enable", {})]);
  let onPaused = () => {};
  cdp.on("Debugger.paused", () => onPaused());
  const timed = async (act: () => Promise<unknown>) => {
    const started = performance.now();
    await act();
    return performance.now() - started;
  };
  const moved = (act: () => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      onPaused = resolve;
      void act();
    });
  await moved(() => cdp.send("Runtime.runIfWaitingForDebugger"));
  const steps: number[] = [];
  const evaluations: number[] = [];
  for (let i = 0; i < 40; i++) {
    steps.push(await timed(() => moved(() => cdp.send("Debugger.stepOver", {}))));
    evaluations.push(await timed(() => cdp.send("Runtime.evaluate", { expression: `x + ${i}` })));
  }
  expect(median(steps)).toBeLessThan(15);
  expect(median(evaluations)).toBeLessThan(15);
  close();
});

test("messages of every size arrive whole between acknowledgements", async () => {
  const { cdp, close } = await inspected("setInterval(() => {}, 1000)");
  await cdp.send("Runtime.enable");
  for (const size of [1, 100, 125, 126, 3900, 4000, 4050, 4090, 4096, 5000, 65_535, 65_536, 3_000_000]) {
    const expression = `"${"ä".repeat(size)}".length`;
    const { result } = await cdp.send("Runtime.evaluate", { expression });
    expect(result.value).toBe(size);
  }
  const { result } = await cdp.send("Runtime.evaluate", {
    expression: '"→".repeat(5e6)',
    returnByValue: true,
  });
  expect(String(result.value)).toHaveLength(5e6);
  close();
});

test("everything asked is refused when the inspector goes away, and after", async () => {
  const { cdp } = await inspected("setInterval(() => {}, 1000)");
  const asked = cdp.send("Runtime.evaluate", { expression: "new Promise(() => {})", awaitPromise: true });
  child?.kill("SIGKILL");
  await expect(asked).rejects.toThrow();
  await cdp.closed;
  await expect(cdp.send("Runtime.enable")).rejects.toThrow();
});
