import { describe, expect, test } from "vitest";
import { peel } from "../../src/engine/launch/peel.ts";

const around = { env: { A: "1", HOME: "/h" }, cwd: "/work", named: false };

function peeled(line: string[], named = false) {
  return peel(line, { ...around, named });
}

describe("what is set is kept", () => {
  test("assignments and env", () => {
    const env = { A: "2", HOME: "/h", B: "x=y" };
    expect(peeled(["A=2", "B=x=y", "node", "a.js"])).toMatchObject({
      command: ["node", "a.js"],
      env,
      left: [],
    });
    expect(peeled(["env", "A=2", "B=x=y", "node", "C=3"])).toMatchObject({ command: ["node", "C=3"], env });
    expect(peeled(["/usr/bin/env", "-u", "HOME", "A=2", "-uB", "node"]).env).toEqual({ A: "2" });
    expect(peeled(["env", "-i", "B=1", "--", "node"]).env).toEqual({ B: "1" });
    expect(peeled(["env", "-C", "sub", "--unset=A", "node"])).toMatchObject({
      cwd: "/work/sub",
      env: { HOME: "/h" },
    });
    expect(peeled(["env", "-S", "node --flag 'a b'"]).command).toEqual(["node", "--flag", "a b"]);
    expect(() => peeled(["env", "--argv0=x", "node"])).toThrow(/env --argv0 is not supported/);
  });

  test("a name that only looks like one is not touched", () => {
    expect(peeled(["node", "A=1"]).command).toEqual(["node", "A=1"]);
    expect(peeled(["./time", "x"])).toMatchObject({ command: ["./time", "x"], left: [] });
  });
});

describe("what only wraps is left out, and named", () => {
  test.each([
    [["time", "-p", "node", "-p", "1"], ["node", "-p", "1"], ["time -p"]],
    [["nice", "-n", "5", "node"], ["node"], ["nice -n 5"]],
    [["nohup", "timeout", "-s", "KILL", "5", "node"], ["node"], ["nohup", "timeout -s KILL 5"]],
    [["stdbuf", "-oL", "-e", "0", "python", "x.py"], ["python", "x.py"], ["stdbuf -oL -e 0"]],
    [["exec", "-a", "name", "X=1", "node"], ["node"], ["exec -a name"]],
    [["bash", "-c", "python 'a b.py' --x"], ["python", "a b.py", "--x"], ["bash -c"]],
    [
      ["sh", "-ec", "exec node a.js"],
      ["node", "a.js"],
      ["sh -ec", "exec"],
    ],
  ])("%j", (line, command, left) => {
    expect(peeled(line)).toMatchObject({ command, left });
  });
});

describe("refused", () => {
  test.each([
    [["sudo", "node", "a.js"], /sudo starts the program as another user/],
    [["bash", "-c", "cd x && node a.js"], /bash -c runs a shell/],
    [["sh", "-c", "node $FILE"], /sh -c runs a shell/],
    [["docker", "run", "x"], /docker runs the program on another machine/],
    [["gdb", "./a.out"], /two debuggers/],
    [["env", "A=1"], /names no program/],
    [["timeout", "5"], /names no program/],
  ])("%j", (line, why) => {
    expect(() => peeled(line)).toThrow(why);
  });

  test("a named adapter may find its programs behind a shell, but not behind sudo", () => {
    expect(peeled(["bash", "-c", "cd x && node a.js"], true).command[0]).toBe("bash");
    expect(() => peeled(["sudo", "node"], true)).toThrow(/another user/);
  });

  test("a shell script is the shell's, not refused here", () => {
    expect(peeled(["bash", "run.sh", "-c"]).command).toEqual(["bash", "run.sh", "-c"]);
  });
});
