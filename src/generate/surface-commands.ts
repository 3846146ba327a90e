/** src/surface/commands.generated.ts: how each command is typed, as plain data, for surfaces that never load the declarations. */

import { type ArgumentSpec, GLOBAL_FLAGS, specOf } from "../commands/command-line.ts";
import { REGISTERED } from "../commands/index.ts";
import type { ArgumentShape, SurfaceCommand } from "../surface/words.ts";

export function surfaceCommands(): string {
  const commands = REGISTERED.map((command): SurfaceCommand => {
    const { positionals, flags, rest, join } = specOf(command);
    const { belongs } = command.cli;
    return {
      name: command.name,
      aliases: command.aliases,
      ofSession: command.needs !== "nothing",
      positionals: positionals.map(shape),
      flags: flags.map(shape),
      ...(rest === undefined ? {} : { rest: shape(rest) }),
      join,
      ...(belongs === undefined ? {} : { belongs }),
    };
  });
  const lines = (all: readonly unknown[]) => all.map((one) => `  ${JSON.stringify(one)},\n`).join("");
  return [
    "/** Generated from the command declarations (`npm run generate`): how each command is typed. */",
    "// biome-ignore-all format: generated",
    'import type { ArgumentShape, SurfaceCommand } from "./words.ts";\n',
    "/** Of every command. */",
    `export const GLOBALS: readonly ArgumentShape[] = [\n${lines(GLOBAL_FLAGS.map(shape))}];\n`,
    `export const COMMANDS: readonly SurfaceCommand[] = [\n${lines(commands)}];\n`,
  ].join("\n");
}

function shape({ key, flag, short, type, repeat, required }: ArgumentSpec): ArgumentShape {
  return {
    key,
    flag,
    ...(short === undefined ? {} : { short }),
    type,
    repeat,
    ...(required ? { required } : {}),
  };
}
