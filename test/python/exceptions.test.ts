/** What stops for an exception, what does not, and what is told of it. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { at, ends, pythonSonde, stops, value } from "./programs.ts";

test.each([
  ["sys.exit(3)", 3],
  ["sys.exit()", 0],
  ["sys.exit('no good')", 1],
  ["raise SystemExit(5)", 5],
  ["import os; os._exit(6)", 6],
])("`%s` is an end, not an exception", async (line, exitCode) => {
  const sonde = borrowSonde();
  sonde.write("app.py", `import sys\ndef main():\n    ${line}\nmain()\n`);
  expect(await ends(sonde, "start app.py")).toMatchObject({ how: "exited", exitCode });
});

test("an exception whose name only ends like that of an end is one", async () => {
  const sonde = borrowSonde();
  sonde.write("app.py", "class NotSystemExit(Exception): pass\nraise NotSystemExit('stay')\n");
  const snapshot = await stops(sonde, "start app.py");
  expect(snapshot.exception).toMatchObject({ message: "stay", uncaught: true });
});

test("a chain of causes, nearest first; implicit ones too", async () => {
  const sonde = borrowSonde();
  const chain = [
    "class Odd(Exception): pass",
    "def a(): raise KeyError('first')",
    "def b():\n    try: a()\n    except KeyError as e: raise Odd('second\\nline') from e",
    "def c():\n    depth = 3\n    try: b()\n    except Odd: raise ValueError('third')",
    "c()",
  ];
  sonde.write("app.py", `${chain.join("\n")}\n`);
  const snapshot = await stops(sonde, "start app.py");
  expect(snapshot.exception).toMatchObject({ type: "ValueError", message: "third", uncaught: true });
  expect(snapshot.exception?.causes).toEqual(["Odd: second\nline", "KeyError: 'first'"]);
  expect(value(snapshot, "depth")).toBe("3");
  expect(await ends(sonde)).toMatchObject({ exitCode: 1 });
});

test("by type: others pass, and it is said what a type is", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "def attempt(error):\n    try: raise error\n    except Exception as e: return e\nready = 1\nattempt(KeyError('k'))\nattempt(ValueError('v'))\nprint('end')\n",
  );
  await stops(sonde, "start app.py --break app.py:4");
  await sonde.ask(["catch", "all", "ValueError"]);
  expect(await sonde.refusal(["catch", "all", "1 + 1"])).toMatchObject({
    message: expect.stringContaining("exception types"),
  });
  const snapshot = await stops(sonde, "continue");
  expect(snapshot.exception).toMatchObject({ type: "ValueError", message: "v" });
  expect(await ends(sonde)).toMatchObject({ exitCode: 0 });
});

test("uncaught in a thread, and in a module's own code", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    "import threading\ndef work():\n    part = 4\n    raise OSError('in thread')\nt = threading.Thread(target=work, name='worker')\nt.start()\nt.join()\nlast = 5\n1 / 0\n",
  );
  const first = await stops(sonde, "start app.py");
  expect(first.exception).toMatchObject({ type: "OSError" });
  expect(value(first, "part")).toBe("4");
  expect(first.thread.name).toBe("worker");
  const second = await stops(sonde, "continue");
  expect(second.exception).toMatchObject({ type: "ZeroDivisionError" });
  expect(value(second, "last")).toBe("5");
  const { scopes } = await sonde.ask<{ scopes: { name: string }[] }>("scopes");
  expect(scopes.map(({ name }) => name)).toEqual(["Locals"]);
});

test("the frame of the uncaught one is the user's, with its values", async () => {
  const sonde = pythonSonde();
  const snapshot = await stops(sonde, "start uncaught.py");
  expect(snapshot.frame?.line).toBe(Number(at(sonde, "uncaught.py", "throw").split(":")[1]));
  expect(snapshot.values.map(({ name }) => name)).not.toContain("special variables");
  expect(snapshot.values.map(({ name }) => name)).not.toContain("json");
});

test("one without words of its own is its type", async () => {
  const sonde = borrowSonde();
  sonde.write("wordless.py", "def f(x):\n    assert x > 1\nf(0)\n");
  const { exception } = await stops(sonde, "start wordless.py");
  expect(exception).toMatchObject({ type: "AssertionError", message: "" });
  expect((await sonde.text("context")).split("\n")[1]).toBe("  AssertionError");
  expect((await sonde.text("crash wordless.py")).split("\n")[1]).toBe("  AssertionError");
});

test("a frame that raises again what it caught stands once, at the line that called", async () => {
  const sonde = borrowSonde();
  const lines = [
    "def inner(x):\n    raise ValueError(x)",
    "def outer(x):\n    try:\n        return inner(x + 1)\n    except ValueError as error:\n        noted = 3\n        raise error",
    "def again(n):\n    return outer(n) if n == 0 else again(n - 1)",
    "again(2)",
  ];
  sonde.write("app.py", `${lines.join("\n")}\n`);
  const { stack } = await stops(sonde, "start app.py");
  expect(stack.map(({ function: name, line }) => `${name} ${line}`)).toEqual([
    ...["inner 2", "outer 5", "again 10", "again 10", "again 10", "<module> 11"],
  ]);
});
