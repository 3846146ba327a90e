/** Every Python that is there records the same: the ways in are not the same in all of them. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Programs, told } from "./rig.ts";

const PYTHONS = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"].map((version) => {
  try {
    const code = "import sys; print(sys.executable)";
    // Where pyenv keeps them, its shims run only those that are asked for.
    const env = { ...process.env, PYENV_VERSION: version };
    const said = execFileSync(`python${version}`, ["-c", code], { env, encoding: "utf8", stdio: "pipe" });
    return { version, path: said.trim() };
  } catch {
    return { version, path: undefined };
  }
});

const PROGRAM = `import asyncio, sys

def numbers(n):
    for i in range(n):  # @marker for
        yield i  # @marker yield

class Box:
    def put(self, what):
        self.__what = what
        return [what, what]  # @marker put

async def wait(n):
    await asyncio.sleep(0)
    return n  # @marker async

async def both():
    return await asyncio.gather(wait(1), wait(2))

def fail(n):
    try:
        return 1 // n
    except ZeroDivisionError as error:  # @marker except
        raise ValueError("zero") from error

while len(sys.argv) < 3:  # @marker while
    sys.argv.append("x")
list(numbers(2))  # @marker list
Box().put(3)
asyncio.run(both())
fail(0)
`;
const NAMES = ["for", "yield", "put", "async", "except", "while"];

for (const { version, path } of PYTHONS)
  test.skipIf(path === undefined)(
    `Python ${version}${path === undefined ? " (not on this machine)" : ""}`,
    async () => {
      const programs = new Programs(PROGRAM);
      const run = { command: [path ?? "", "app.py"] };
      const record = await programs.record(
        [
          { at: "for", read: ["n"] },
          { at: "yield", read: ["i", "n"] },
          { at: "put", read: ["what", "self.__what", "[what + x for x in (1, 2)]"] },
          { at: "async", read: ["n"] },
          { at: "except", read: ["n"] },
          { at: "while", read: ["len(sys.argv)"] },
        ],
        { run, frames: 2 },
      );
      expect(record.notes).toEqual([]);
      expect(Object.fromEntries(NAMES.map((name, i) => [name, record.counts[i]]))).toEqual({
        for: 3,
        yield: 2,
        put: 1,
        async: 2,
        except: 1,
        while: 3,
      });
      expect(record.points.map(({ point, values }) => `${NAMES[point]} ${values.join(" ")}`)).toEqual([
        "while 1",
        "while 2",
        "while 3",
        "for 2",
        "yield 0 2",
        "for 2",
        "yield 1 2",
        "for 2",
        "put 3 3 [4, 5]",
        "async 1",
        "async 2",
        "except 0",
      ]);
      expect(record.points[4]?.frames.map((one) => [one.function, one.line])).toEqual([
        ["numbers", 5],
        ["<module>", programs.line("list")],
      ]);
      expect(record.end).toEqual({ how: "exited", exitCode: 1, why: "ValueError: zero" });

      const events = await programs.lines({ functions: ["numbers", "wait", "Box.put", "fail"] }, { run });
      const lines = told(events).map((one) => one.replace(/0x\w+/, "0x"));
      expect(lines.filter((one) => /^(call|return|throw) /.test(one))).toEqual([
        "call numbers:3 n=2",
        "return numbers:4 -> None",
        "call Box.put:8 self=<__main__.Box object at 0x> what=3",
        "return Box.put:10 -> [3, 3]",
        "call wait:12 n=1",
        "call wait:12 n=2",
        "return wait:14 -> 1",
        "return wait:14 -> 2",
        "call fail:19 n=0",
        "throw fail:23 -error -> ValueError('zero')",
      ]);
    },
  );
