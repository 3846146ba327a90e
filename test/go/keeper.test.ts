/** Who takes leave of a process in place of a killed daemon comes to an end, also if dlv does not answer. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";

const KEEPER = join(resolve(import.meta.dirname, "../.."), "dist/adapters/delve/keeper.entry.cjs");

/** As dlv tells them; what it does not answer, it never does. */
async function keptBy(answered: readonly string[]): Promise<{ asked: string[]; code: number | null }> {
  const program = spawn("sleep", ["600"], { stdio: "ignore" });
  const keeper = spawn(process.execPath, [KEEPER, String(program.pid), ""], {
    stdio: ["ignore", "ignore", "inherit", "pipe", "pipe", "pipe"],
  });
  const asked: string[] = [];
  const connection = keeper.stdio[3] as Duplex;
  connection.on("error", () => {});
  connection.on("data", (chunk: Buffer) => {
    for (const [, seq, command = ""] of String(chunk).matchAll(
      /"seq":(\d+),"type":"request","command":"(\w+)"/g,
    )) {
      asked.push(command);
      if (!answered.includes(command)) continue;
      const text = JSON.stringify({
        seq: 1,
        type: "response",
        request_seq: Number(seq),
        command,
        success: true,
      });
      connection.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    }
  });
  try {
    const [code] = (await once(keeper, "exit")) as [number | null];
    expect(program.exitCode ?? program.signalCode).toBeNull();
    return { asked, code };
  } finally {
    keeper.kill("SIGKILL");
    program.kill("SIGKILL");
  }
}

test.each([[[]], [["pause"]], [["pause", "disconnect"]]])(
  "dlv answers %j alone",
  { timeout: 60_000 },
  async (answered) => {
    expect(await keptBy(answered)).toEqual({ asked: ["pause", "disconnect"], code: 0 });
  },
);
