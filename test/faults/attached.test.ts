/** A process we only attached to outlives whatever ends the session, and runs on as if we had never been there. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, Beating, sessions, stopped } from "./world.ts";

describe.each(["running", "stopped"])("attached and %s", (state) => {
  test.each([["detach"], ["stop"], ["stop --all"], ["daemon stop"]])(
    "`%s` leaves it running, untouched",
    async (command) => {
      const sonde = borrowSonde();
      const program = new Beating(sonde);
      await program.beats();
      const where = at(sonde, program.file, "beat");
      await stopped(sonde.ask<MoveResult>(["attach", String(program.pid), "--break", where]));
      // With the breakpoint still set in both cases: after we left it must not stop anyone.
      if (state === "running") {
        await sonde.ask("breakpoint disable 1");
        await sonde.ask("continue --no-wait");
        await sonde.ask("breakpoint enable 1");
      }
      const said = await sonde.text(command);
      expect(said).toMatch(/runs on|stopped/);
      await program.lives();
      expect(await sessions(sonde)).toEqual([]);
    },
  );
});

test("the end of the program is told with its exit code, and is not our doing", async () => {
  const sonde = borrowSonde();
  sonde.write("short.js", "process.stdin.once('data', () => process.exit(4));\nconsole.log('ready');\n");
  const child = sonde.program(process.execPath, ["short.js"]);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  await sonde.ask(["attach", String(child.pid)]);
  child.stdin?.write("go\n");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "exited", exitCode: 4 });
});

test("killed while attached: told at once", async () => {
  const sonde = borrowSonde();
  const program = new Beating(sonde);
  await program.beats();
  await sonde.ask(["attach", String(program.pid)]);
  program.child.kill("SIGKILL");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject({ state: "exited" });
  expect(await sonde.refusal("pause")).toMatchObject({ code: "SESSION_ENDED" });
});

test("two sessions share a process, and both leave it alive", async () => {
  const sonde = borrowSonde();
  const program = new Beating(sonde);
  await program.beats();
  await sonde.ask(["attach", String(program.pid)]);
  await sonde.ask(["attach", String(program.pid), "--name", "second"]);
  expect(await sonde.ask<MoveResult>("pause -s second")).toMatchObject({ state: "stopped" });
  expect(await sessions(sonde)).toHaveLength(2);
  await sonde.ask("stop --all");
  await program.lives();
});

test.each([
  ["no such process", 999_999_999, [], /no process 999999999/],
  ["not Node", undefined, ["--adapter", "node"], /not a Node|no Node|sleep/i],
])("attach to %s fails with a reason and leaves no session", async (_what, pid, flags, message) => {
  const sonde = borrowSonde();
  const other = pid ?? sonde.program("sleep", ["60"]).pid;
  const refusal = await sonde.refusal(["attach", String(other), ...flags]);
  expect(refusal).toMatchObject({ code: "ATTACH_FAILED", message: expect.stringMatching(message) });
  expect(await sessions(sonde)).toEqual([]);
});
