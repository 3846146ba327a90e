/**
 * A stand-in for gdb, for machines whose gdb cannot call functions of another process: it hands the code that is to be injected to
 * a program that runs it by itself when it is told to. Everything before and after that is real.
 */
import type { ChildProcess } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sonde } from "../support/sonde.ts";

const GDB = `#!/usr/bin/python3
import os, re, signal, sys
pid = int(sys.argv[sys.argv.index("--pid") + 1])
[call] = [word for word in sys.argv if "DoAttach" in word]
code = re.search(r'DoAttach\\(0, "(.*)", 0\\)', call).group(1)
with open(os.path.join(os.path.dirname(__file__), "code"), "w") as file:
    file.write(code)
os.kill(pid, signal.SIGUSR1)
`;

const PROGRAM = `import os, signal, subprocess, sys, time
def inject(*_):
    exec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "code")).read(), {})
signal.signal(signal.SIGUSR1, inject)
n = 0
while n < 1200:
    n += 1
    print(n, flush=True)  # @marker print
    time.sleep(0.05)
`;

/** A program that counts, and the PATH with which it can be attached to. */
export async function injectable(
  sonde: Sonde,
): Promise<{ child: ChildProcess; pid: number; env: { PATH: string } }> {
  chmodSync(sonde.write("bin/gdb", GDB), 0o755);
  sonde.write("counting.py", PROGRAM);
  const child = sonde.program("python3", ["counting.py"]);
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said, { timeout: 15_000 }).toContain("3\n");
  return { child, pid: child.pid ?? 0, env: { PATH: `${join(sonde.project, "bin")}:${process.env.PATH}` } };
}
