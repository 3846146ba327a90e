/** Advice is written for those who type commands; here it names the tool call that does the same. */
import type { Line } from "../surface/line.ts";
import type { Surface } from "../surface/said.ts";
import { isPlaceholder } from "../surface/words.ts";
import { type Name, PROPERTIES, toldIn } from "./arguments.ts";
import type { Spoken } from "./stands.ts";
import type { Action, Tool } from "./tool.ts";

interface Meant {
  tool: Tool;
  action: Action;
  args: Spoken;
}

/** In the words of the tools that are offered. */
export function toolWords(tools: readonly Tool[]): Surface {
  const actionsOf = (command: string) =>
    tools.flatMap((tool) =>
      tool.actions
        .filter((action) => action.stands?.some((one) => one.command === command))
        .map((action) => ({ tool, action })),
    );
  const meant = (command: string, args: Record<string, unknown>): Meant | undefined => {
    for (const { tool, action } of actionsOf(command)) {
      const spoken = action.stands?.find((one) => one.command === command)?.as(args);
      if (spoken && isWhole(action, spoken)) return { tool, action, args: spoken };
    }
    return undefined;
  };
  return {
    call: ({ command, args, session }: Line) => {
      const found = meant(command, args);
      return found && callText({ ...found, args: { ...found.args, ...(session ? { session } : {}) } });
    },
    named: (command, args) => {
      const found = meant(command, args);
      const always = found?.action.stands?.find((one) => one.command === command)?.as({}) ?? {};
      return found && Object.fromEntries(Object.entries(found.args).filter(([name]) => !(name in always)));
    },
    usage: (command) => {
      const [first] = actionsOf(command);
      return (
        first &&
        `\`${callText({ ...first, args: {} })}\`, which takes ${toldIn(first.action).join(", ") || "nothing"}`
      );
    },
    title: (command) => actionsOf(command)[0]?.action.name,
    whole: "structured content",
    output: 'structured content; or `debug {"action":"launch"}` it, then `inspect {"action":"output"}`',
    shell: (line) => `${line} (in a shell)`,
    value: (value) => JSON.stringify(value),
  };
}

/** Two ways to say where are one too many. */
function isWhole({ oneOf = [] }: Action, args: Spoken): boolean {
  return oneOf.filter((set) => set.some((name) => args[name] !== undefined)).length <= 1;
}

/** `debug {"action":"until","line":12}`; what the action cannot do without is there, if only as a placeholder. */
export function callText({ tool, action, args }: Meant): string {
  const ways = action.oneOf ?? [];
  const isBegun = ways.flat().some((name) => args[name] !== undefined);
  const names = [...(action.required ?? []), ...((isBegun ? undefined : ways[0]) ?? [])];
  const needed = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  const all = Object.entries({ ...needed, ...args }).map(
    ([name, value]) => `${JSON.stringify(name)}:${valueText(name as Name, value)}`,
  );
  return `${tool.name} {${[`"${tool.by}":"${action.name}"`, ...all].join(",")}}`;
}

/** A placeholder stands where its value will: in quotes only if that is a text. */
function valueText(name: Name, value: unknown): string {
  const { kind } = PROPERTIES[name];
  if (isPlaceholder(value) && kind !== "string" && kind !== "names" && kind !== "handle")
    return String(value);
  return JSON.stringify(value);
}
