/** agent attach: a run in a terminal of its own, and as plain lines. */
import type { ChildProcess } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { shellWord } from "../../../src/util/shell-words.ts";
import { binary, createSonde, type Sonde } from "../../support/sonde.ts";
import { type Agent, startAgent } from "./agents.ts";

/** What a program prints, and a way to wait for texts in it, one after the other. */
function reading(child: ChildProcess) {
  let text = "";
  let seen = 0;
  let look = () => {};
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
    look();
  });
  return {
    all: () => text,
    shows: (wanted: string) =>
      new Promise<void>((resolve, reject) => {
        const fail = (why: string) => () => {
          const rest = stripVTControlCharacters(text).slice(seen);
          reject(new Error(`${why} without "${wanted}":\n${rest}`));
        };
        const gone = fail("ended");
        const late = setTimeout(fail("20 s"), 20_000);
        child.once("exit", gone);
        look = () => {
          const at = stripVTControlCharacters(text).indexOf(wanted, seen);
          if (at === -1) return;
          seen = at + wanted.length;
          clearTimeout(late);
          child.off("exit", gone);
          look = () => {};
          resolve();
        };
        look();
      }),
  };
}

async function holdTool(agent: Agent, sonde: Sonde): Promise<void> {
  await sonde.text(`agent break add tool bash -s ${agent.id}`);
  agent.tool("t1", "bash", { command: "rm -rf /" });
}

test("plain: events as lines, commands by lines, and the agent goes on when it is left", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  const child = sonde.program(binary(), ["agent", "attach", "--plain"]);
  const { shows, all } = reading(child);
  await shows("plain mode");
  await holdTool(agent, sonde);
  await shows("now: 1 call held");
  child.stdin?.write("edit command='ls -la'\n");
  await shows("edited bash");
  child.stdin?.write("resume\n");
  await shows("now: running");
  expect(await agent.decision()).toMatchObject({ do: "run", input: { command: "ls -la" } });
  child.stdin?.write("'\n");
  await shows("a quote is not closed");
  child.stdin?.write("nonsense\n");
  await shows("UNKNOWN_COMMAND");
  expect(all()).not.toContain("\x1b");
  child.stdin?.write("quit\n");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(agent.process.exitCode).toBeNull();
  agent.end();
});

test("full screen: what is held stands there, one key lets it go, and the screen is given back", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  const line = `stty rows 30 cols 100; exec ${shellWord(binary())} agent attach`;
  const child = sonde.program("script", ["-qec", line, "/dev/null"]);
  const { shows, all } = reading(child);
  await shows("running");
  await holdTool(agent, sonde);
  await shows("HELD s1 before tool bash");
  child.stdin?.write("e");
  await shows("sonde agent edit t1 command='rm -rf /'");
  child.stdin?.write("\x15edit command=pwd\r");
  await shows("command: pwd");
  child.stdin?.write("a");
  expect(await agent.decision()).toMatchObject({ do: "run", input: { command: "pwd" } });
  // Its answer would take the place of the help.
  await shows("let go: s1");
  child.stdin?.write("?");
  await shows("leave; the agent goes on");
  child.stdin?.write("q");
  child.stdin?.write("q");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(all()).toContain("\x1b[?1049h");
  expect(all().trimEnd().endsWith("\x1b[?1049l")).toBe(true);
  agent.end();
});
