/** kill -9 of the debugged program: the next answer is true and comes at once. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, nothingLeft, programPid, sessions, startStopped } from "./world.ts";

const KILLED = { state: "exited", how: "exited", signal: "SIGKILL", exitCode: 137 };

test("while it runs: status and the next command say so", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/idle.js");
  await sonde.ask("start idle.js --no-wait");
  process.kill(await programPid(sonde), "SIGKILL");
  expect(await sonde.ask<MoveResult>("await")).toMatchObject(KILLED);
  expect((await sessions(sonde))[0]).toMatchObject({
    state: "terminated",
    ending: "exited: killed by SIGKILL",
  });
  expect(await sonde.refusal("pause")).toMatchObject({
    code: "SESSION_ENDED",
    message: expect.stringContaining("killed by SIGKILL"),
    status: 4,
  });
  await nothingLeft(sonde);
});

test.each(["context", "next", "continue", "print count", "locals", "backtrace", "threads", "eval count"])(
  "while it is stopped: `%s` right after it says so",
  async (command) => {
    const sonde = borrowSonde();
    await startStopped(sonde, "idle.js", "tick");
    process.kill(await programPid(sonde), "SIGKILL");
    const answer = await sonde.json<MoveResult>(command);
    if (answer.ok) {
      // Faster than the news, and then the answer of a living program; or the end itself, as a move's outcome.
      if (answer.data.state === "exited") expect(answer.data).toMatchObject(KILLED);
    } else {
      expect(answer).toMatchObject({
        status: 4,
        error: { code: "SESSION_ENDED", message: "idle has ended (killed by SIGKILL)" },
      });
    }
    expect(await sonde.refusal("next")).toMatchObject({ code: "SESSION_ENDED" });
    await nothingLeft(sonde);
  },
);

test("in the middle of a continue: the continue is its answer", async () => {
  const sonde = borrowSonde();
  await startStopped(sonde, "idle.js", "tick");
  const pid = await programPid(sonde);
  await sonde.ask("breakpoint remove --all");
  const continuing = sonde.ask<MoveResult>("continue --timeout 60");
  await expect.poll(async () => (await sessions(sonde))[0]?.state).toBe("running");
  process.kill(pid, "SIGKILL");
  expect(await continuing).toMatchObject(KILLED);
  expect(await sonde.text("status")).toContain("killed by SIGKILL");
});

test("in the middle of a step, by itself", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "suicide.js",
    'const pid = process.pid;\nprocess.kill(pid, "SIGKILL"); // @marker last\nlet x = 1;\n',
  );
  await sonde.ask(["start", "suicide.js", "--break", at(sonde, "suicide.js", "last")]);
  expect(await sonde.ask<MoveResult>("next")).toMatchObject(KILLED);
  expect(await sonde.text("sessions")).toContain("killed by SIGKILL");
});

test("by the expression that was to be printed or evaluated", async () => {
  const sonde = borrowSonde();
  await startStopped(sonde, "idle.js", "tick");
  expect(await sonde.refusal(["eval", "process.exit(9)"])).toMatchObject({
    code: "SESSION_ENDED",
    message: "idle has ended (exit code 9)",
  });
  await nothingLeft(sonde);
});

test("afterwards it can be restarted, with its breakpoints", async () => {
  const sonde = borrowSonde();
  await startStopped(sonde, "idle.js", "tick");
  process.kill(await programPid(sonde), "SIGKILL");
  await sonde.json("next");
  expect(await sonde.ask<MoveResult>("restart")).toMatchObject({
    state: "stopped",
    snapshot: { breakpoints: [{ id: 1, hit: 1 }] },
  });
});
