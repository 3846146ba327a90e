/** Whatever else can be profiled: an agent's own process, a program that serves its profiles; and by whom: the library. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, createSonde } from "../../support/sonde.ts";
import type { ProfileData } from "./support.ts";

test("an agent that is run by sonde: its own process", async () => {
  await using sonde = createSonde();
  sonde.fixture("profile/busy.js");
  const agent = sonde.spawn(["agent", "run", "--name", "mine", "--", "node", "busy.js", "60000"]);
  if (!agent.stdout) throw new Error("no output");
  await once(agent.stdout, "data");
  const profile = await sonde.ask<ProfileData>("profile cpu --agent mine --seconds 0.7");
  expect(profile.top[0]?.name).toBe("hot");
  expect(profile.title).toMatch(/^agent \w+ \(pid \d+\)$/);
  agent.kill("SIGTERM");
  await once(agent, "close");
});

test("a Go program that serves its profiles: time and memory", async () => {
  await using sonde = borrowSonde();
  sonde.fixture("profile/served.go");
  execFileSync("go", ["build", "-o", "served", "served.go"], { cwd: sonde.project, stdio: "pipe" });
  const program = sonde.program(join(sonde.project, "served"), []);
  const [said] = (await once(program.stdout ?? program, "data")) as [Buffer];
  const url = `http://${String(said).trim()}`;
  const cpu = await sonde.ask<ProfileData>(["profile", "cpu", "--seconds", "1", "--url", url]);
  expect(cpu.top.find(({ name }) => name === "main.hot")?.totalShare).toBeGreaterThan(0.8);
  const heap = await sonde.ask<ProfileData>(["profile", "heap", "--url", url]);
  expect(heap.top[0]?.name).toBe("main.keep");
  expect(heap.unit).toBe("bytes");
  expect(await sonde.refusal(["profile", "cpu", "--url", `${url}/nothing/`])).toMatchObject({
    code: "REQUEST_FAILED",
  });
});
