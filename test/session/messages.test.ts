/** Bodies that are empty, null or of the wrong type, numbers that match nothing, events nobody knows. */
import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/session/values/evaluate.ts";
import { type Script, type Step, scripts } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";

describe("a stop is shown as far as it can be", () => {
  test.each([
    ["wrongRequestSeq", scripts.wrongRequestSeq],
    ["duplicateResponse", scripts.duplicateResponse],
    ["unknownEvents", scripts.unknownEvents],
    ["slowReplies", scripts.slowReplies],
  ] satisfies [string, Script][])("%s: whole", async (_name, script) => {
    const rig = new Rig(script);
    const shot = await rig.stopped();
    expect(shot).toMatchObject({
      thread: { name: "main" },
      stack: [{ function: "main", line: 3 }],
      source: [{ line: 1 }, { line: 2 }, { line: 3, text: "statement 3" }, { line: 4 }, { line: 5 }],
      values: [{ name: "line", value: "3", type: "int" }],
    });
  });

  const bad: [string, Step[]][] = [
    ["no body", [{ ack: true }]],
    ["a null body", [{ respond: null }]],
    ["a list as body", [{ respond: [] }]],
    ["nulls", [{ respond: { threads: null, stackFrames: null, scopes: null, variables: null } }]],
    [
      "lists of nulls",
      [{ respond: { threads: [null], stackFrames: [null], scopes: [null], variables: [null] } }],
    ],
    [
      "objects without fields",
      [{ respond: { threads: [{}], stackFrames: [{}], scopes: [{}], variables: [{}] } }],
    ],
    ["a refusal", [{ fail: "cannot" }]],
  ];
  test.each(
    bad.flatMap(([name, steps]) =>
      ["threads", "scopes", "variables"].map((command) => [command, name, steps] as const),
    ),
  )("%s answered with %s: the rest is there", async (command, name, steps) => {
    const rig = new Rig({ on: { [command]: [...steps] } });
    await rig.open(3);
    const shot = await rig.stop();
    expect(shot).toMatchObject({ reason: "breakpoint", stack: [{ function: "main", line: 3 }] });
    if (name === "a refusal" && command !== "threads")
      expect(shot.notes).toEqual([`the debug adapter refused "${command}": cannot`]);
  });

  test.each(bad)("stackTrace answered with %s: the stop is told, without a place", async (name, steps) => {
    const rig = new Rig({ on: { stackTrace: [...steps] } });
    await rig.open(3);
    expect(await rig.next()).toMatchObject({ kind: "stopped" });
    const shot = await rig.look();
    expect(shot).toMatchObject({ reason: "breakpoint", source: [] });
    expect(shot.notes).toEqual(
      name === "a refusal" ? ['the debug adapter refused "stackTrace": cannot'] : [],
    );
    // The session goes on.
    expect(await rig.continue()).toMatchObject({ kind: "ended" });
  });
});

test.each([
  ["emptyBodies", scripts.emptyBodies],
  ["nullBodies", scripts.nullBodies],
] satisfies [string, Script][])("%s: the stop is told, and the session goes on", async (_name, script) => {
  const rig = new Rig(script);
  await rig.open(3);
  expect(await rig.stop()).toMatchObject({ reason: "breakpoint", stack: [], thread: { name: "main" } });
  expect(await rig.continue()).toMatchObject({ kind: "ended", ending: { exitCode: 0 } });
});

describe("evaluate", () => {
  test.each([
    ["no body", [{ ack: true }]],
    ["a null body", [{ respond: null }]],
    ["a result that is no text", [{ respond: { result: { a: 1 }, variablesReference: "7" } }]],
  ] satisfies [string, Step[]][])("answered with %s gives text, not a crash", async (_name, steps) => {
    const rig = new Rig({ on: { evaluate: [...steps] } });
    await rig.stopped();
    const value = await evaluate(rig.session, "x", { context: "watch", chars: 100 });
    expect(value).toMatchObject({ name: "x", value: expect.any(String) });
  });
});

describe("events", () => {
  test.each([
    ["no body", undefined],
    ["a null body", null],
    ["an empty body", {}],
    [
      "fields of other types",
      { reason: 7, threadId: "one", hitBreakpointIds: null, allThreadsStopped: "yes" },
    ],
  ])("a stop with %s is a stop", async (_name, body) => {
    const rig = new Rig({ on: { configurationDone: [{ ack: true }, { event: "stopped", body }] } });
    await rig.open(3);
    expect(await rig.next()).toMatchObject({ kind: "stopped", stop: { reason: expect.any(String) } });
    expect(await rig.look()).toMatchObject({ session: "scripted" });
  });

  test("of every kind without a body do no harm", async () => {
    const kinds = [
      "initialized",
      "continued",
      "thread",
      "output",
      "breakpoint",
      "module",
      "process",
      "capabilities",
      "invalidated",
      "memory",
      "progressStart",
      "loadedSource",
    ];
    const rig = new Rig({
      on: {
        configurationDone: [
          { ack: true },
          ...kinds.flatMap((event): Step[] => [{ event }, { event, body: null }]),
          { event: "stopped", body: { reason: "entry", threadId: 1 } },
        ],
      },
    });
    await rig.open(3);
    expect(await rig.stop()).toMatchObject({ reason: "entry" });
    expect(rig.session.output.read().events).toEqual([]);
    expect(rig.logged.filter((line) => /listener/.test(line) && /failed/.test(line))).toEqual([]);
  });

  test("output that is no text is left out, telemetry too", async () => {
    const rig = new Rig({
      on: {
        configurationDone: [
          { ack: true },
          { event: "output", body: { output: 7 } },
          { event: "output", body: { output: null, category: "stdout" } },
          { event: "output", body: { output: "secret", category: "telemetry" } },
          { event: "output", body: { output: "words\n", category: "stdout" } },
          { event: "stopped", body: { reason: "entry", threadId: 1 } },
        ],
      },
    });
    await rig.open(3);
    await rig.stop();
    expect(rig.session.output.read().events.map(({ text }) => text)).toEqual(["words\n"]);
  });
});
