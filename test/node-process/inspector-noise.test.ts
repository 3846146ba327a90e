import { expect, test } from "vitest";
import { InspectorNoise } from "../../src/adapters/node/process/inspector-noise.ts";

const NOISY = [
  "Debugger attached.\n",
  "one\n",
  "Debugger is what I am\n",
  "I say: Debugger attached.\n",
  "no line breakWaiting for the debugger to disconnect...\n",
  "Waiting for the debugger to disconnect...\n",
  "Debugger attached.\n",
].join("");
const CLEAN = "one\nDebugger is what I am\nI say: Debugger attached.\nno line break";

test("takes the inspector's lines out, however the text is cut", () => {
  for (let size = 1; size <= NOISY.length; size++) {
    let out = "";
    const noise = new InspectorNoise((text) => {
      out += text;
    });
    for (let at = 0; at < NOISY.length; at += size) noise.push(NOISY.slice(at, at + size));
    noise.flush();
    expect(out, `in pieces of ${size}`).toBe(CLEAN);
  }
});

test("hands other text on at once, and what may be noise after a moment", async () => {
  const out: string[] = [];
  const noise = new InspectorNoise((text) => out.push(text));
  noise.push("Name? ");
  expect(out).toEqual(["Name? "]);
  noise.push("\nDebug");
  expect(out).toEqual(["Name? ", "\n"]);
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(out).toEqual(["Name? ", "\n", "Debug"]);
});
