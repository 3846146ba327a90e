/** How a profile ends, and what cannot be profiled. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { borrowSonde, createSonde } from "../../support/sonde.ts";
import { type ProfileData, started } from "./support.ts";

test.each([
  ["node", "busy.js"],
  ["python3", "busy.py"],
])("Ctrl-C ends it early and keeps what there is: %s", async (command, file) => {
  await using sonde = borrowSonde();
  sonde.fixture(`profile/${file}`);
  const client = sonde.spawn(["profile", "cpu", "--seconds", "50", "--follow", "--", command, file, "60000"]);
  let said = "";
  client.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    // Not before there is something to keep.
    if (/sampling: 1 s/.test(said)) client.kill("SIGINT");
  });
  await once(client, "close");
  expect(said).toContain("ended early");
  expect(said).toMatch(/\n *\d+\.\d % +\d+\.\d % {2}hot {2}busy/);
  const kept = await sonde.ask<ProfileData>("profile show");
  expect(kept.end).toEqual({ how: "early" });
});

test("a program that ends at once has a profile of what ran, or a plain answer", async () => {
  await using sonde = borrowSonde();
  sonde.write("a.py", "x = 1\n");
  sonde.write("a.js", "let x = 1;\n");
  for (const line of ["python3 a.py", "node a.js", "/bin/true"]) {
    const profile = await sonde.ask<ProfileData>(`profile cpu --seconds 20 -- ${line}`);
    expect([line, profile.end]).toEqual([line, { how: "program", exitCode: 0 }]);
  }
});

test("one that waits is said to be idle", async () => {
  await using sonde = borrowSonde();
  sonde.write("a.py", "import time\nprint('begun', flush=True)\ntime.sleep(60)\n");
  const pid = await started(sonde, "python3", ["a.py"]);
  const profile = await sonde.ask<ProfileData>(`profile cpu --pid ${pid} --seconds 0.5`);
  expect(profile.idle).toBeGreaterThan(profile.busy);
});

test("one that is killed is not a success of ours", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "a.py",
    "import os, signal, time\nwhile time.monotonic() < until: pass\nos.kill(os.getpid(), signal.SIGKILL)\n".replace(
      "while",
      "until = time.monotonic() + 1.5\nwhile",
    ),
  );
  const profile = await sonde.ask<ProfileData>("profile cpu -- python3 a.py");
  expect(profile.end).toEqual({ how: "program", signal: "SIGKILL" });
  sonde.write("a.js", "require('node:child_process').execSync(`kill -9 ${process.pid}`)\n");
  expect(await sonde.refusal("profile cpu -- node a.js")).toMatchObject({ code: "UNSUPPORTED" });
});

test("bad input", async () => {
  await using sonde = borrowSonde();
  for (const [words, code] of [
    ["profile cpu --pid 99999999", "ATTACH_FAILED"],
    ["profile cpu --seconds 0 -- node a.js", "BAD_ARGUMENT"],
    ["profile cpu --seconds 1e9 -- node a.js", "BAD_ARGUMENT"],
    ["profile cpu --pid 1 -- node a.js", "BAD_ARGUMENT"],
    ["profile cpu --seconds 1 -- node nothing.js", "BAD_ARGUMENT"],
    ["profile cpu --url nonsense", "BAD_ARGUMENT"],
    ["profile cpu --url file:///etc/passwd", "BAD_ARGUMENT"],
    ["profile cpu --url http://127.0.0.1:9 --seconds 1", "REQUEST_FAILED"],
    ["profile cpu --agent nobody", "NO_SESSION"],
  ] as const)
    expect([words, (await sonde.refusal(words)).code]).toEqual([words, code]);
  const text = await sonde.text("profile list");
  expect(text).not.toContain("nothing.js");
});

test("profile work: the daemon itself, without a port", async () => {
  await using sonde = createSonde();
  const profile = await sonde.ask<ProfileData>("profile work --seconds 0.5");
  expect(profile.title).toMatch(/^the daemon \(pid \d+\)$/);
  expect(profile.samples + profile.idleSamples).toBeGreaterThan(50);
  expect(await sonde.text("profile list")).toMatch(/^p1 .* cpu .* the daemon/);
});

test("a program that fails: what it printed last is part of the answer", async () => {
  await using sonde = borrowSonde();
  sonde.write("app.js", 'console.log("before");\nrequire("./nosuch");\n');
  const text = await sonde.text("profile cpu -- node app.js");
  expect(text).toContain("exit code 1");
  expect(text).toMatch(/\n *(err )?\| .*Cannot find module '\.\/nosuch'/);
  sonde.write("well.js", 'console.log("fine");\n');
  expect(await sonde.text("profile cpu -- node well.js")).not.toContain("fine");
});
