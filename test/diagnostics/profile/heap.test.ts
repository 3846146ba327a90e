/** profile heap: who holds the memory. */
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binary, borrowSonde, createSonde } from "../../support/sonde.ts";
import { fileOf, type ProfileData } from "./support.ts";

const NODE = `
function keep(n) { const all = []; for (let i = 0; i < n; i++) all.push({ i, text: "secret-" + i }); return all; }
function drop(n) { let last; for (let i = 0; i < n; i++) last = { i }; return last; }
globalThis.held = keep(200_000);
drop(200_000);
setTimeout(() => {}, 60_000);
`;

const PYTHON = `
import time
def keep(n):
    return ["x%d" % i for i in range(n)]
def drop(n):
    return len(["y%d" % i for i in range(n)])
held = keep(100000)
drop(100000)
`;

test("Node: what is in use, and a snapshot only if it is asked for", async () => {
  await using sonde = borrowSonde();
  sonde.write("held.js", NODE);
  const plain = await sonde.ask<ProfileData>("profile heap --seconds 1 -- node held.js");
  expect(plain.top[0]).toMatchObject({ name: "keep", line: 2 });
  expect(plain.top[0]?.selfShare).toBeGreaterThan(0.8);
  expect(plain.unit).toBe("bytes");
  expect(plain.files.map(({ kind }) => kind)).not.toContain("heapsnapshot");
  const whole = await sonde.ask<ProfileData>("profile heap --seconds 1 --snapshot -- node held.js");
  const snapshot = fileOf(whole, "heapsnapshot");
  expect(statSync(snapshot).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(snapshot, "utf8"))).toHaveProperty("snapshot.meta.node_fields");
  expect(await sonde.text(`profile show ${whole.id}`)).toContain("holds every string of the program");
});

test("a snapshot for which there is no room is an error, and no part of it is left", async () => {
  await using sonde = createSonde();
  sonde.write("held.js", NODE);
  // A daemon keeps the limits of the command that starts it: here no file can be larger than 4 MB.
  await once(sonde.program("/bin/sh", ["-c", 'ulimit -f 8192; exec "$0" status', binary()]), "close");
  expect(await sonde.refusal("profile heap --seconds 1 --snapshot -- node held.js")).toMatchObject({
    message: expect.stringMatching(/the snapshot could not be written: EFBIG/),
  });
  expect(readdirSync(join(sonde.home, "state", "profiles"))).toEqual([".last-number"]);
  const plain = await sonde.ask<ProfileData>("profile heap --seconds 1 -- node held.js");
  expect(plain.top[0]?.name).toBe("keep");
});

test("Python: what was allocated and is in use at the end", async () => {
  await using sonde = borrowSonde();
  sonde.write("held.py", PYTHON);
  const profile = await sonde.ask<ProfileData>("profile heap -- python3 held.py");
  const names = profile.top.map(({ name }) => name);
  expect(names[0]).toMatch(/^keep/);
  expect(profile.top.find(({ name }) => name.startsWith("drop"))?.selfShare ?? 0).toBeLessThan(0.1);
  expect(profile.end).toEqual({ how: "program", exitCode: 0 });
});

test("machine code: refused, with what measures it instead", async () => {
  await using sonde = borrowSonde();
  expect(await sonde.refusal("profile heap -- /bin/true")).toMatchObject({
    code: "UNSUPPORTED",
    hint: expect.stringContaining("massif"),
  });
});
