import { resolve } from "node:path";
import { expect } from "vitest";
import type { MoveResult } from "../../../src/commands/answers/shapes.ts";
import { type Case, expectFunction, printed, shown, unquoted } from "../rig.ts";

export const running: Case[] = [
  {
    name: "exit code and last output are told",
    run: async (rig) => {
      expect(await rig.start("exit-code", [])).toMatchObject({ state: "exited", how: "exited", exitCode: 3 });
      const output = await rig.output();
      expect(output).toContain("to stdout");
      expect(output).toContain("to stderr");
    },
  },
  {
    name: "the program gets the caller's arguments, folder and environment",
    run: async (rig) => {
      const [program = ""] = rig.adapter.start("args");
      const args = rig
        .starting("args", [], ["--", "one", "two words"])
        .map((word) => (word === program ? resolve(rig.sonde.project, word) : word));
      await rig.move(args, { cwd: rig.sonde.home, env: { FAVOURITE_COLOUR: "teal" } });
      const output = await rig.output();
      expect(output).toContain("args one|two words");
      expect(output).toContain(`cwd ${rig.sonde.home}`);
      expect(output).toContain("colour teal");
    },
  },
  {
    name: "standard input, line by line",
    run: async (rig) => {
      await rig.move([...rig.starting("stdin", ["take"]), "--no-wait"]);
      await rig.sonde.ask("input 5");
      const snapshot = await rig.stops("await --timeout 20");
      expect(unquoted(shown(snapshot, "line").value)).toBe("5");
      await rig.move("continue --no-wait");
      await rig.sonde.ask("input 7 --eof");
      await rig.stops("await --timeout 20");
      await rig.ends();
      expect(await rig.output()).toContain("sum 12");
    },
  },
  {
    name: "standard input from a file",
    run: async (rig) => {
      rig.sonde.write("numbers.txt", "1\n2\n3\n");
      expect(await rig.start("stdin", [], ["--stdin", "numbers.txt"])).toMatchObject({
        state: "exited",
        exitCode: 0,
      });
      expect(await rig.output()).toContain("sum 6");
    },
  },
  {
    name: "an uncaught exception stops, with its type, message and cause",
    run: async (rig) => {
      const { type, message, cause, exitCode } = rig.adapter.uncaught;
      const snapshot = await rig.startStopped("uncaught", []);
      expect(snapshot).toMatchObject({ reason: "exception", exception: { uncaught: true } });
      expect(`${snapshot.exception?.type} ${snapshot.exception?.message}`).toContain(message);
      expect(`${snapshot.exception?.type} ${snapshot.exception?.message}`).toContain(type);
      if (cause !== undefined) expect(snapshot.exception?.causes.join()).toContain(cause);
      rig.expectAt(snapshot, "uncaught", "throw", "parse");
      expect(shown(snapshot, "length").value).toBe("9");
      expect(await rig.ends()).toMatchObject({ exitCode });
    },
  },
  {
    name: "caught exceptions stop only when asked for",
    run: async (rig) => {
      expect(await rig.start("caught", [])).toMatchObject({ state: "exited", exitCode: 0 });
      const snapshot = await rig.startStopped("caught", [], ["--catch", "all"]);
      rig.expectAt(snapshot, "caught", "throw", "risky");
      expect(snapshot.exception?.message).toContain("problem 1");
    },
  },
  {
    name: "two threads stop each, and are told apart",
    run: async (rig) => {
      const seen = new Set<string>();
      let result: MoveResult = await rig.start("threads", [
        `${rig.adapter.file("worker")}:${rig.line("worker", "work-first")}`,
      ]);
      for (let stops = 0; result.state === "stopped" && stops < 5; stops++) {
        expectFunction(result.snapshot, "work");
        seen.add(unquoted(shown(result.snapshot, "name").value));
        if (stops === 0) {
          const { threads } = await rig.sonde.ask<{ threads: { number: number; current: boolean }[] }>(
            "threads",
          );
          expect(threads.length).toBeGreaterThanOrEqual(2);
          expect(new Set(threads.map(({ number }) => number)).size).toBe(threads.length);
          expect(threads.filter(({ current }) => current)).toHaveLength(1);
        }
        result = await rig.move("continue");
      }
      expect([...seen].sort()).toEqual(["alpha", "beta"]);
      expect(result).toMatchObject({ state: "exited", exitCode: 0 });
      expect(await rig.output()).toContain("answers 9 16");
    },
  },
  {
    name: "a breakpoint in a child process",
    run: async (rig) => {
      const place = `${rig.adapter.file("child")}:${rig.line("child", "child-first")}`;
      const snapshot = await rig.startStopped("children", [place]);
      rig.expectAt(snapshot, "child", "child-first", "triple");
      expect(shown(snapshot, "number").value).toBe("14");
      const end = await rig.ends();
      expect(end).toMatchObject({ exitCode: 0 });
      expect(await rig.output()).toContain("child said tripled 42, code 0");
    },
  },
  {
    name: "attach, stop, detach: the process runs on",
    run: async (rig) => {
      const { command, args } = rig.adapter.run("idle");
      const program = rig.sonde.program(command, args);
      await printed(program.stdout, "ready");
      const attached = await rig.move(["attach", String(program.pid), "--break", rig.at("idle", "tick")]);
      if (attached.state !== "stopped") throw new Error(JSON.stringify(attached));
      rig.expectAt(attached.snapshot, "idle", "tick", "tick");
      await rig.sonde.ask("detach");
      expect(program.exitCode).toBeNull();
      expect(program.signalCode).toBeNull();
      await rig.move(["attach", String(program.pid)]);
      await rig.sonde.ask("stop");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(program.exitCode).toBeNull();
      expect(program.signalCode).toBeNull();
    },
  },
  {
    name: "stop leaves nothing but the daemon",
    run: async (rig) => {
      await rig.startStopped("children", [
        `${rig.adapter.file("child")}:${rig.line("child", "child-first")}`,
      ]);
      expect(rig.sonde.processes().length).toBeGreaterThan(1);
      await rig.sonde.ask("stop");
      await expect
        .poll(() => rig.sonde.processes().map(({ command }) => command), { timeout: 5000 })
        .toHaveLength(2);
      expect(await rig.sonde.refusal("next")).toMatchObject({ code: "NO_SESSION", status: 3 });
    },
  },
  {
    name: "stop of a busy program, then start at once",
    run: async (rig) => {
      await rig.move([...rig.starting("endless", []), "--no-wait"]);
      await rig.sonde.ask("stop");
      await rig.startStopped("stats", ["mean-add"]);
    },
  },
];
