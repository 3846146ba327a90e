/** What is typed in every example of a command, as calls; and a registry to find them in. */
import { type Call, call } from "../../src/advice/advice.ts";
import type { Command } from "../../src/commands/define.ts";
import { REGISTERED } from "../../src/commands/index.ts";
import { parseArgv, Registry } from "../../src/engine/argv.ts";
import { splitWords } from "../../src/util/shell-words.ts";

const registry = new Registry(REGISTERED);

export function find(name: string): Command | undefined {
  return registry.get(name);
}

export const EXAMPLES: { line: string; asked: Call }[] = REGISTERED.flatMap(({ examples }) =>
  examples.map((line) => {
    const { command, args } = parseArgv(registry, splitWords(line).slice(1));
    return { line, asked: { ...call("stop"), command: command.name, args } };
  }),
);

/** A place is the same in parts and as one text; what is given in any case says nothing. */
export function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, one: unknown) => {
      if (typeof one !== "object" || one === null || !("location" in one)) return one;
      const { location, watch, condition } = one as {
        location: string;
        watch?: string[];
        condition?: string;
      };
      return `${location}${watch ? `=${watch.join(",")}` : ""}${condition ? ` if ${condition}` : ""}`;
    }),
  );
}
