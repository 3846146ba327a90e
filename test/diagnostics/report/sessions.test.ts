/** Which sessions a report tells of: the one that is meant, all of them, and those that have been stopped. */
import { expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { unpacked } from "./unpacked.ts";

interface Report {
  file: string;
}

const APP = "const token = 1;\nconsole.log(token);\n";

test("what was said to the debugger of a session that was stopped is still in a report, of the last three", async () => {
  const sonde = createSonde();
  sonde.write("app.js", APP);
  for (const name of ["one", "two", "three", "four"]) {
    await sonde.text(`start app.js --break app.js:2 --name ${name}`, {
      env: { DEPLOY_KEY: `k3y-of-${name}-9` },
    });
    await sonde.text(`stop -s ${name}`);
  }
  const { file } = await sonde.ask<Report>("report --yes");
  const { files, text } = unpacked(file);
  expect([...files.keys()].filter((name) => name.startsWith("stopped/"))).toEqual([
    "stopped/1-four/protocol.log",
    "stopped/2-three/protocol.log",
    "stopped/3-two/protocol.log",
  ]);
  const protocol = text("stopped/1-four/protocol.log");
  expect(protocol).toContain('"command":"setBreakpoints"');
  expect(protocol).not.toContain("k3y-of-four-9");
});

test("--all-sessions adds the others, each in its own folder", async () => {
  const sonde = createSonde();
  sonde.write("app.js", APP);
  for (const name of ["one", "two"]) await sonde.text(`start app.js --break app.js:2 --name ${name}`);
  const ofOne = unpacked((await sonde.ask<Report>("report --yes")).file);
  expect([...ofOne.files.keys()].filter((name) => name.startsWith("sessions/"))).toEqual([]);
  const { file } = await sonde.ask<Report>("report --yes --all-sessions -s two");
  const { files, text } = unpacked(file);
  expect(JSON.parse(text("session/session.json"))).toMatchObject({ name: "two" });
  expect(JSON.parse(text("sessions/one/session.json"))).toMatchObject({ name: "one" });
  for (const part of ["breakpoints.json", "snapshot.json", "protocol.log"])
    expect([...files.keys()]).toContain(`sessions/one/${part}`);
});
