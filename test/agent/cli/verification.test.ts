/** The steps by which a person would check the bridge, one after the other, with the real binary and plain shell tools. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { agentsFolder, startAgent } from "./agents.ts";

describe("Verification, Phase 1.5", () => {
  test("start two instances; each gets a unique session directory; `current` points to the latest; kill one, verify cleanup", async () => {
    await using sonde = createSonde();
    const root = agentsFolder(sonde);
    const one = await startAgent(sonde, { name: "one" });
    const two = await startAgent(sonde, { name: "two" });
    expect(one.id).not.toBe(two.id);
    for (const { id } of [one, two])
      for (const name of ["events.jsonl", "commands.jsonl", "session.json"])
        expect(existsSync(join(root, "sessions", id, name))).toBe(true);
    expect(readlinkSync(join(root, "current"))).toBe(join("sessions", two.id));

    one.process.kill("SIGKILL");
    await new Promise((gone) => one.process.once("exit", gone));
    // Cleaned up means: listed as ended, out of the index, and kept to be replayed.
    expect(await sonde.text("agent sessions --all")).toMatch(new RegExp(`${one.id}  its process died`));
    const index = JSON.parse(readFileSync(join(root, "index.json"), "utf8")) as {
      sessions: { id: string }[];
    };
    expect(index.sessions.map(({ id }) => id)).toEqual([two.id]);
    expect(await sonde.text("agent replay one")).toContain("session_start");
  });
});

describe("Verification, Phase 2", () => {
  test("echo a pause into current/commands.jsonl; the agent pauses (`paused` in events.jsonl); send resume, it continues", async () => {
    await using sonde = createSonde();
    const current = join(agentsFolder(sonde), "current");
    const agent = await startAgent(sonde);
    const type = (line: string) =>
      execFileSync("sh", ["-c", `echo '${line}' >> ${current}/commands.jsonl`], { stdio: "ignore" });
    const events = () => readFileSync(join(current, "events.jsonl"), "utf8");

    type('{"type":"pause","id":"test1","data":{}}');
    await expect.poll(events).toContain('"commandId":"test1"');
    agent.model("go on");
    await expect.poll(events).toContain('"type":"paused"');
    expect(events()).not.toContain('"type":"resumed"');

    type('{"type":"resume","id":"test2","data":{}}');
    expect(await agent.decision()).toMatchObject({ do: "send" });
    expect(events()).toContain('"type":"resumed"');
  });
});

describe("Verification, Phase 3", () => {
  test("sessions lists it; watch streams events; pause and resume control it; inspect all returns its state", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    expect(await sonde.text("agent sessions")).toContain(agent.id);
    const watching = sonde.run("agent watch --from start");

    expect(await sonde.text("agent pause")).toContain("will be held");
    agent.model("look around");
    expect(await sonde.text("agent wait")).toContain("held: before call 1 to the model");
    const all = await sonde.ask<{ data: Record<string, unknown> }>("agent inspect all");
    expect(JSON.stringify(all)).toContain("look around");
    expect(await sonde.text("agent resume")).toContain("let go: s1");
    expect(await agent.decision()).toMatchObject({ do: "send" });

    agent.end();
    const { stdout } = await watching;
    for (const one of ["api_request", "paused", "resumed", "session_end"]) expect(stdout).toContain(one);
  });
});
