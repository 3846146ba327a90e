/** Child sessions on stdio: an adapter process of their own, the parent's breakpoints, and an end of their own. */
import { expect, test } from "vitest";
import { resume } from "../../src/session/running/running.ts";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";

/** Answers `startDebugging` only after its own stop would be due, as debugpy does. */
const startsChild: Script = scripts.startsChild;

test("a child gets an adapter of its own, the parent's breakpoints and the focus", async () => {
  const rig = new Rig(startsChild, { children: scripts.wellBehaved });
  await rig.open();
  // The child's program is /child: a breakpoint there stops only it.
  rig.session.breakpoints.declare({ kind: "line", path: "/child", line: 4, asked: "/child:4" });
  const outcome = await rig.next();
  expect(outcome).toMatchObject({ kind: "stopped", debuggee: { label: "child" } });
  const shot = await rig.look();
  expect(shot).toMatchObject({ frame: { path: "/child", line: 4 }, breakpoints: [{ id: 1, hit: 1 }] });
  expect(rig.peers).toHaveLength(2);
  expect(rig.session.launch.processes.list()).toHaveLength(2);
  expect(rig.peer.received()).toContainEqual(
    expect.objectContaining({ type: "response", command: "startDebugging", success: true }),
  );
});

test("the child's end is its own: its adapter goes, the parent runs on", async () => {
  const rig = new Rig(startsChild, { children: scripts.wellBehaved });
  rig.session.breakpoints.declare({ kind: "line", path: "/child", line: 4, asked: "/child:4" });
  await rig.open();
  await rig.stop();
  const child = rig.peers[1];
  await resume(rig.session);
  await expect.poll(() => child?.process.child.exitCode).toBe(0);
  expect(rig.session.stateName).toBe("running");
  expect(rig.session.live).toHaveLength(1);
  expect(rig.session.launch.processes.list()).toHaveLength(1);
});

test("a child whose adapter cannot be reached is told as undebugged, and the parent is not harmed", async () => {
  const rig = new Rig(startsChild, { children: scripts.crashAtLaunch });
  await rig.open();
  await expect
    .poll(() => rig.session.launch.notes.all.join("\n"))
    .toMatch(/child runs without a debugger: [\s\S]*panic: out of luck/);
  expect(rig.session.stateName).toBe("running");
  await expect.poll(() => rig.session.launch.processes.list().length).toBe(1);
});

test("a child adapter killed while the child is stopped: the parent lives", async () => {
  const rig = new Rig(startsChild, { children: scripts.wellBehaved });
  rig.session.breakpoints.declare({ kind: "line", path: "/child", line: 4, asked: "/child:4" });
  await rig.open();
  await rig.stop();
  rig.peers[1]?.process.child.kill("SIGKILL");
  await expect.poll(() => rig.session.live.length).toBe(1);
  expect(rig.session.stateName).toBe("running");
});

test("the end of the parent ends the children", async () => {
  const rig = new Rig(startsChild, { children: scripts.lingers });
  rig.session.breakpoints.declare({ kind: "line", path: "/child", line: 4, asked: "/child:4" });
  await rig.open();
  await rig.stop();
  await rig.session.launch.end();
  expect(rig.session.launch.processes.list()).toEqual([]);
  expect(rig.peers[1]?.process.child.signalCode ?? rig.peers[1]?.process.child.exitCode).not.toBeNull();
});

test("startDebugging without arguments is refused", async () => {
  const rig = new Rig({ on: { configurationDone: [{ ack: true }, { request: "startDebugging" }] } });
  await rig.open();
  await expect
    .poll(() => rig.peer.received())
    .toContainEqual(expect.objectContaining({ command: "startDebugging", success: false }));
});
