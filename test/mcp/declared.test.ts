/** Whatever an action asks the daemon for is declared there: command and arguments, in every combination of its own. */
import { expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { SondeError } from "../../src/errors.ts";
import { checked, type Name, PROPERTIES } from "../../src/mcp/arguments.ts";
import { ALL } from "../../src/mcp/main.ts";
import type { Action, Call } from "../../src/mcp/tool.ts";

const SAMPLES: Partial<Record<Name, unknown>> = { data: "AA==", memory_reference: "0x1", data_id: "1:x" };

function sample(name: Name): unknown {
  const { kind, values } = PROPERTIES[name];
  const byKind = {
    string: "0x1",
    number: 9,
    integer: 2,
    boolean: true,
    strings: ["a"],
    names: "f",
    object: { A: "1" },
    handle: 7,
  };
  return SAMPLES[name] ?? values?.[0] ?? byKind[kind];
}

/** What goes with one of two ways only. */
const APART: Record<string, Name[]> = {
  "launch command": ["args"],
  "attach pid": ["host"],
  "crash command": ["program"],
  "hang pid": ["after"],
  "diff traces": [
    "command_b",
    "stdin",
    "stdin_b",
    "runs",
    "at",
    "expressions",
    "function",
    "depth",
    "adapter",
    "env",
    "build",
  ],
  "diff command": ["runs"],
};

const cases = ALL.flatMap(({ name: tool, actions }) =>
  actions.flatMap((action) =>
    (action.oneOf ?? [[]]).map((way) => ({
      tool,
      action,
      name: `${action.name} ${way.join("+")}`.trim(),
      way,
    })),
  ),
);

async function askedBy(action: Action, names: readonly Name[]): Promise<[string, Record<string, unknown>][]> {
  const asked: [string, Record<string, unknown>][] = [];
  const ask: Call["ask"] = async (command, args = {}) => {
    asked.push([command, args]);
    return { data: {}, text: "" };
  };
  const call: Call = {
    ask,
    cwd: "/",
    seconds: 30,
    asked: 30,
    watched: true,
  };
  const given = Object.fromEntries(names.map((name) => [name, sample(name)]));
  await action.run(call, checked(action.name, action, given)).catch((thrown: unknown) => {
    // Nothing is there to be removed; what was asked is what counts.
    if (!(thrown instanceof SondeError) || !/^there is no|no scope/.test(thrown.message)) throw thrown;
  });
  return asked;
}

test.each(cases)("$tool $name", async ({ action, name, way }) => {
  const others = (action.optional ?? []).filter((one) => !way.includes(one) && !APART[name]?.includes(one));
  const asked = await askedBy(action, [...(action.required ?? []), ...way, ...others]);
  expect(asked.length).toBeGreaterThan(0);
  for (const [command, args] of asked) {
    const declared = REGISTERED.find((one) => one.name === command);
    expect(declared?.name).toBe(command);
    const given = Object.keys(args).filter((key) => args[key] !== undefined);
    expect(given.filter((key) => !(key in (declared?.args.shape ?? {})))).toEqual([]);
  }
});

test("a tool that only looks asks for nothing that changes or moves", async () => {
  for (const { action, way } of cases.filter(({ tool }) => tool === "inspect")) {
    const asked = await askedBy(action, [...(action.required ?? []), ...way, ...(action.optional ?? [])]);
    const effects = asked.map(([command, args]) =>
      command === "request"
        ? `reads ${String(args.command)}`
        : REGISTERED.find((one) => one.name === command)?.effect,
    );
    expect(effects.filter((effect) => effect !== "reads" && effect !== "reads disassemble")).toEqual([]);
  }
});
