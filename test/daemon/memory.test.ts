/** What commands took is given back when there is nothing to do: recordings, what was compiled, what lies between the two. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { daemonPid, PATIENCE } from "../faults/world.ts";
import { createSonde } from "../support/sonde.ts";

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The promise, of an idle daemon against a fresh one. */
const KEPT_MB = 15;

const PROGRAMS = {
  "sum.js": "let sum = 0;\nfor (let i = 0; i < 20000; i++) {\n  sum += i;\n}\n",
  "less.js": "let sum = 0;\nfor (let i = 0; i < 200; i++) {\n  sum += i;\n}\n",
  "boom.js": "function deep(n) {\n  if (n === 0) throw new Error('no');\n  deep(n - 1);\n}\ndeep(9);\n",
  "one.test.js":
    "const { test } = require('node:test');\ntest('one', () => {\n  const a = { x: 1 };\n  require('node:assert').deepStrictEqual(a, { x: 2 });\n});\n",
  "sum.py": "total = 0\nfor i in range(20000):\n    total += i\nprint(total)\n",
  "boom.py": "def deep(n):\n    if n == 0:\n        raise ValueError('no')\n    deep(n - 1)\n\ndeep(9)\n",
  "sum.c":
    '#include <stdio.h>\nint main(int count, char **words) {\n  long total = 0;\n  for (int i = 0; i < 5000 + count; i++) {\n    total += i;\n  }\n  printf("%ld\\n", total);\n  return 0;\n}\n',
  "boom.c": "int main(void) {\n  int *none = 0;\n  return *none;\n}\n",
};

const COMMANDS = [
  ["trace", "--at", "sum.js:3=sum", "--", "node", "sum.js"],
  ["diff", "--a", "node sum.js", "--b", "node less.js"],
  ["probe", "sum.js:3", "--", "node", "sum.js"],
  ["crash", "--", "node", "boom.js"],
  ["test", "--", "node", "--test", "one.test.js"],
  ["trace", "--at", "sum.py:3=total", "--", "python3", "sum.py"],
  ["diff", "--a", "python3 sum.py", "--b", "python3 boom.py"],
  ["crash", "--", "python3", "boom.py"],
  ["trace", "--at", "sum.c:5=total", "--", "./sum"],
  ["diff", "--a", "./sum", "--b", "./sum 2", "--at", "sum.c:5=total"],
  ["probe", "sum.c:5", "--", "./sum"],
  ["crash", "--", "./boom"],
];

test("after one-shot commands of every kind the daemon is as small as it was", {
  timeout: 180_000,
}, async () => {
  const sonde = createSonde();
  for (const [name, text] of Object.entries(PROGRAMS)) sonde.write(name, text);
  for (const name of ["sum", "boom"])
    execFileSync("gcc", ["-g", "-O0", "-o", name, `${name}.c`], { cwd: sonde.project });
  await sonde.ask("status");
  const pid = await daemonPid(sonde);
  const fresh = residentMb(pid);
  for (const command of COMMANDS) await sonde.ask(command, { timeoutMs: 60_000 });
  expect(await daemonPid(sonde)).toBe(pid);
  await expect.poll(() => residentMb(pid) - fresh, PATIENCE).toBeLessThan(KEPT_MB);
});
