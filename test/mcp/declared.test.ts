/** Whatever a tool call can say is what its command takes: every action, with all of its arguments together. */
import { expect, test } from "vitest";
import type * as z from "zod";
import { REGISTERED } from "../../src/commands/index.ts";
import { kindOf } from "../../src/commands/mcp/offer.ts";
import { readCall } from "../../src/commands/mcp/reading.ts";
import { type Action, runnable, toolsOf, type Way } from "../../src/commands/mcp/tools.ts";

const SAMPLES: Record<string, unknown> = {
  data: "AA==",
  memory_reference: "0x1",
  data_id: "1:x",
  variable_ref: 7,
  scope_id: 7,
  timeout: 9,
  hits: 2,
  at: ["a.py:1"],
  stop: "s1",
};

function sample(name: string, schema: z.ZodType): unknown {
  const { kind, values } = kindOf(schema);
  const byKind = {
    string: "0x1",
    number: 9,
    integer: 2,
    boolean: true,
    strings: ["a"],
    object: { A: "1" },
    either: 7,
  };
  return SAMPLES[name] ?? values?.[0] ?? byKind[kind];
}

/** What goes with one of two ways only. */
const APART: Record<string, string[]> = {
  "launch command": ["args"],
  "attach pid": ["host"],
  "diff traces": ["command_b", "stdin", "stdin_b", "runs"],
  "diff command": ["runs"],
};

interface Case {
  name: string;
  action: Action;
  way: Way;
  given: Record<string, unknown>;
}

const CASES: Case[] = toolsOf(REGISTERED).flatMap((tool) =>
  tool.actions.flatMap((action) =>
    runnable(action).flatMap((way) => {
      const ways = way.offer.oneOf ?? [[]];
      return ways.map((set) => {
        const what = `${action.name} ${set.join("+")}`.trim();
        const others = ways.filter((one) => one !== set).flat();
        const beside = (name: string) => way.offer.goesWith?.[name] ?? name;
        const names = [...way.properties].filter(
          ([name]) => set.includes(name) || !(others.includes(beside(name)) || APART[what]?.includes(name)),
        );
        const given = Object.fromEntries(names.map(([name, { schema }]) => [name, sample(name, schema)]));
        const { when } = way.offer;
        if (when) given[when.name] = when.values[0];
        return { name: `${tool.name} ${what} ${when?.values[0] ?? ""}`.trim(), action, way, given };
      });
    }),
  ),
);

test.each(CASES)("$name", ({ action, way, given }) => {
  const { command, args } = readCall(action, given, true);
  expect(command.name).toBe(way.command.name);
  expect(command.args.safeParse(args).error).toBeUndefined();
});

test("a tool that only looks asks for nothing that changes or moves", () => {
  const looks = toolsOf(REGISTERED).filter(({ reads }) => reads);
  const commands = looks.flatMap(({ actions }) => actions.flatMap(runnable)).map(({ command }) => command);
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter(({ effect }) => effect !== "reads").map(({ name }) => name)).toEqual([]);
});
