/** Words as long as anybody likes, to the daemon that answers everybody: refused with the bound, and nothing else waits for it. */
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const MEGABYTE = 1024 * 1024;

/** One request on the socket, as the specification has it: no build, no environment. */
function ask(sonde: Sonde, request: object): Promise<Record<string, unknown>> {
  const socket = connect(join(sonde.home, "run", "daemon.sock"));
  return new Promise((done, fail) => {
    socket.on("error", fail);
    createInterface({ input: socket }).on("line", (line) => {
      const message = JSON.parse(line) as Record<string, unknown>;
      if (!("ok" in message) && !("exit" in message)) return;
      socket.destroy();
      done(message);
    });
    socket.write(`${JSON.stringify({ id: 1, cwd: sonde.project, ...request })}\n`);
  });
}

test("the documented request is answered", async () => {
  const sonde = borrowSonde();
  await sonde.text("sessions");
  expect(await ask(sonde, { command: "sessions", args: {} })).toMatchObject({
    ok: true,
    data: { sessions: [] },
  });
  expect(await ask(sonde, { argv: ["sessions"], env: {} })).toMatchObject({ exit: 0 });
});

test("long words are refused by their length, on every way in", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stats.js");
  await sonde.text("start stats.js --stop-on-entry");
  const refused = (most: number) => ({
    ok: false,
    error: { code: "BAD_ARGUMENT", message: expect.stringContaining(`the limit is ${most} characters`) },
  });
  const long = (length: number) => "a".repeat(length);
  for (const shape of ["a", " ", ":1", "(", "'", "a.b[", "--a "]) {
    const word = shape.repeat(100_000 / shape.length);
    for (const [command, args] of [
      ["complete", { text: word }],
      ["set", { target: word }],
      ["print", { expression: word }],
      ["trace", { at: [word], command: ["node", "x.js"] }],
      ["breakpoint add", { location: word }],
    ] as const)
      expect(await ask(sonde, { command, args })).toMatchObject(refused(32_768));
  }
  expect(await ask(sonde, { command: "print", args: { expression: long(2 * MEGABYTE) } })).toMatchObject(
    refused(32_768),
  );
  expect(await ask(sonde, { argv: [long(2 * MEGABYTE)], env: {} })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("the limit is 1048576 characters"),
  });
  expect(await ask(sonde, { command: long(9 * MEGABYTE), args: {} })).toMatchObject({
    ok: false,
    error: { message: "a line is longer than 8388608 bytes" },
  });
  const complete = await sonde.refusal(["complete", "--", long(2000)]);
  expect(complete).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "complete <text>: at most 1000 characters",
  });
});

test("an unknown word is shown by its beginning, and compared with nothing", async () => {
  const sonde = borrowSonde();
  const { code, message, hint } = await sonde.refusal([`x${"y".repeat(120_000)}`]);
  expect({ code, hint }).toEqual({ code: "UNKNOWN_COMMAND", hint: "`sonde help` lists them" });
  expect(message.length).toBeLessThan(130);
});

test("objects inside each other end somewhere", async () => {
  const sonde = borrowSonde();
  await sonde.text("sessions");
  let deep: unknown = 1;
  for (let at = 0; at < 1000; at++) deep = [deep];
  expect(await ask(sonde, { command: "print", args: { expression: deep } })).toMatchObject({
    ok: false,
    error: { code: "BAD_ARGUMENT", message: expect.stringContaining("the limit is 64 levels") },
  });
});

test("a pattern that would search for ever is cut off", async () => {
  const sonde = borrowSonde();
  sonde.write("a.js", `console.log("${"a".repeat(40)}!"); debugger;`);
  await sonde.text("start a.js");
  expect(await sonde.refusal(["output", "--grep", "^(a+)+$"])).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "--grep: this pattern needs more than 1 s",
  });
  expect(await sonde.text("output --grep a!")).toContain("aaa!");
});

test("names that every object has are no names of ours", async () => {
  const sonde = borrowSonde();
  sonde.write("a.js", "debugger;");
  for (const word of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(await sonde.refusal([word])).toMatchObject({ message: `no command \`${word}\`` });
    expect(await sonde.refusal(["start", "a.js", "--adapter", word])).toMatchObject({
      message: `no adapter called ${word}`,
    });
    const typed = await ask(sonde, { command: "sessions", args: JSON.parse(`{"${word}": 1}`) });
    expect(typed).toMatchObject({ ok: false, error: { message: `sessions takes no argument \`${word}\`` } });
  }
});

test("what could mislead a reader stands escaped in JSON, and is the same data", async () => {
  const sonde = borrowSonde();
  const text = "a\u202eb\u2028c\u2066d\u200be\u009bf\udb40\udc41";
  sonde.write("a.js", `const text = ${JSON.stringify(text)};\ndebugger;\n`);
  await sonde.text("start a.js");
  const { stdout } = await sonde.run(["print", "text", "--json"]);
  expect(stdout).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/);
  expect(JSON.parse(stdout).data.value).toContain("b");
  const refused = await sonde.run([`\u202egnp`, "--json"]);
  expect(refused.stdout).toContain("no command `\\u202egnp`");
});
