/** What several looks at a program's threads come to. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toGroup } from "../../src/session/stack/autopsy.ts";
import type { Frame } from "../../src/session/stack/frames.ts";
import { movement } from "../../src/session/threads/movement.ts";
import { groupStacks, type ThreadStack } from "../../src/session/threads/thread-stacks.ts";
import { waitCycle } from "../../src/session/threads/wait-cycle.ts";

/** `spin:7 main:15 -libc_start:0`: innermost first, a minus for what is not the user's. */
function stack(text: string): Frame[] {
  return text.split(" ").map((word, index) => {
    const [, library, name = "", line = "0"] = /^(-?)(\w+):(\d+)$/.exec(word) ?? [];
    const user = library === "";
    return {
      index,
      adapterId: index,
      name,
      line: Number(line),
      column: 1,
      user,
      label: false,
      ...(user ? { path: "/app" } : {}),
    };
  });
}

describe("movement", () => {
  test("the same stack every time", () => {
    const same = stack("-futex:0 take:4 main:9");
    expect(movement([same, same, same])).toEqual({
      moved: false,
      places: [{ function: "take", path: "/app", line: 4, times: 3 }],
      within: { function: "take", path: "/app" },
    });
  });

  test("a loop that calls: it never leaves the function around the call", () => {
    const looks = [stack("spin:7 main:15 module:18"), stack("main:14 module:18"), stack("main:15 module:18")];
    const { moved, places, within } = movement(looks);
    expect({ moved, within }).toEqual({ moved: true, within: { function: "main", path: "/app" } });
    expect(places.map(({ line, times }) => [line, times])).toEqual([
      [7, 1],
      [14, 1],
      [15, 1],
    ]);
  });

  test("from one call to another: only the caller stayed", () => {
    expect(movement([stack("read:3 step:8 main:2"), stack("write:5 step:9 main:2")]).within?.function).toBe(
      "step",
    );
    expect(movement([stack("read:3 step:8 main:2"), stack("write:5 other:9 main:2")]).within?.function).toBe(
      "main",
    );
  });

  test("a thread that was not there at first has moved", () => {
    expect(movement([undefined, stack("run:3")])).toMatchObject({ moved: true });
  });
});

describe("groups", () => {
  const thread = (number: number, text: string): ThreadStack => ({
    // Only what groups are made by is here.
    thread: { number, threadId: number, name: `t${number}` } as ThreadStack["thread"],
    frames: stack(text),
    total: 1,
  });

  test("equal stacks together, the user's first, then the largest", () => {
    const all = [
      thread(1, "-idle:0"),
      thread(2, "main:3"),
      thread(3, "work:9"),
      thread(4, "work:9"),
      thread(5, "-idle:0"),
    ];
    expect(groupStacks(all).map((group) => group.map((one) => one.thread.number))).toEqual([
      [3, 4],
      [2],
      [1, 5],
    ]);
  });

  test("apart if something else tells them apart", () => {
    const all = [thread(1, "work:9"), thread(2, "work:9")];
    expect(groupStacks(all, (one) => String(one.thread.number))).toHaveLength(2);
  });
});

describe("who waits for whom", () => {
  const waiting = (links: Record<number, number[]>) =>
    Object.entries(links).map(([number, heldBy]) => ({ number: Number(number), name: `t${number}`, heldBy }));

  test.each([
    ["nobody", { 1: [], 2: [] }, undefined],
    ["a queue before one that runs", { 1: [2], 2: [3], 3: [] }, undefined],
    ["two for each other", { 1: [], 2: [3], 3: [2] }, [2, 3]],
    ["three in a ring, one before it", { 1: [2], 2: [3], 3: [4], 4: [2] }, [2, 3, 4]],
    ["one for itself", { 1: [1] }, [1]],
    ["for one who is not known", { 1: [9] }, undefined],
  ])("%s", (_, links, expected) => {
    expect(waitCycle(waiting(links as Record<number, number[]>))?.map((one) => one.number)).toEqual(expected);
  });
});

test("threads of one stack are shown with the text of the line, unless that is blank or there is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "sonde-group-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "app.txt");
  writeFileSync(path, "first\n  second  \n\n");
  const sourceAt = (line: number, file = path) => {
    const frames = stack(`f:${line}`).map((frame) => ({ ...frame, path: file }));
    const group = toGroup([
      { thread: { number: 1, name: "one" } as ThreadStack["thread"], frames, total: 1 },
    ]);
    expect(group).toMatchObject({ threads: [{ id: 1, name: "one" }], frames: [{ line }], moreFrames: 0 });
    return "source" in group ? group.source : "left out";
  };
  expect(sourceAt(2)).toBe("second");
  expect([sourceAt(3), sourceAt(9), sourceAt(1, join(folder, "missing.txt"))]).toEqual(
    Array(3).fill("left out"),
  );
});
