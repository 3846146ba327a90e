/** What help and completion need to know of the commands, as plain data, so that the client never loads the declarations. */
import { LOCAL_COMMANDS } from "../cli/local/declared.ts";
import { type ArgumentSpec, GLOBAL_FLAGS, specOf, usageOf } from "../commands/command-line.ts";
import { GROUPS } from "../commands/define.ts";
import { REGISTERED } from "../commands/index.ts";

export interface ManifestFlag {
  name: string;
  short?: string;
  type: ArgumentSpec["type"];
  repeat: boolean;
  summary: string;
  default?: unknown;
  values?: string[];
  placeholder?: string;
}

export interface ManifestCommand {
  name: string;
  aliases: readonly string[];
  group: string;
  summary: string;
  usage: string;
  positionals: { name: string; required: boolean; repeat: boolean; summary: string; values?: string[] }[];
  flags: ManifestFlag[];
  examples: readonly string[];
  needs: string;
  effect: string;
}

export interface Manifest {
  version: string;
  groups: { name: string; title: string }[];
  globalFlags: ManifestFlag[];
  commands: ManifestCommand[];
}

function flag(spec: ArgumentSpec): ManifestFlag {
  const { flag: name, short, type, repeat, summary } = spec;
  return {
    name,
    ...(short === undefined ? {} : { short }),
    type,
    repeat,
    summary,
    ...(spec.default === undefined ? {} : { default: spec.default }),
    ...(spec.values === undefined ? {} : { values: spec.values }),
    ...(spec.placeholder === undefined ? {} : { placeholder: spec.placeholder }),
  };
}

export function manifest(version: string): Manifest {
  return {
    version,
    groups: Object.entries(GROUPS).map(([name, title]) => ({ name, title })),
    globalFlags: GLOBAL_FLAGS.map(flag),
    commands: [
      ...REGISTERED.map((command): ManifestCommand => {
        const spec = specOf(command);
        const rest = spec.rest ? [{ ...spec.rest, key: `-- ${spec.rest.key}`, repeat: true }] : [];
        return {
          name: command.name,
          aliases: command.aliases,
          group: command.group,
          summary: command.summary,
          usage: usageOf(command),
          positionals: [...spec.positionals, ...rest].map((one) => ({
            name: one.key,
            required: one.required,
            repeat: one.repeat,
            summary: one.summary,
            ...(one.values === undefined ? {} : { values: one.values }),
          })),
          flags: spec.flags.map(flag),
          examples: command.examples,
          needs: command.needs,
          effect: command.effect,
        };
      }),
      ...LOCAL_COMMANDS.map(
        (one): ManifestCommand => ({
          needs: "nothing",
          effect: "reads",
          ...one,
          flags: one.flags.map((each) => ({ repeat: false, ...each })),
          positionals: one.positionals.map((each) => ({ required: false, repeat: false, ...each })),
        }),
      ),
    ],
  };
}
