/** config: every setting, where it comes from, and the file to write it in. */
import * as z from "zod";
import { advice, shell } from "../../advice/advice.ts";
import { lines, shortPath } from "../answers/text.ts";
import { command } from "../define.ts";

export const setting = z.object({ key: z.string(), value: z.unknown(), isDefault: z.boolean() });

export const config = command({
  name: "config",
  summary: "show every setting in effect, and the file to change it in",
  group: "setup",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({ file: z.string(), exists: z.boolean(), settings: z.array(setting) }),
  run: async (context) => context.configuration(),
  text: ({ file, exists, settings }, { cwd, say }) => {
    const tables = [...new Set(settings.map(({ key }) => key.split(".").slice(0, -1).join(".")))];
    return lines(
      say(
        advice`# ${shortPath(file, cwd)}${exists ? "" : " (does not exist: every setting has its default)"}; read when the daemon starts, so after a change: ${shell("sonde daemon stop")}`,
      ),
      tables.flatMap((table) => [
        `[${table}]`,
        ...settings
          .filter(({ key }) => key.split(".").slice(0, -1).join(".") === table)
          .map(
            ({ key, value, isDefault }) =>
              `${key.split(".").at(-1)} = ${JSON.stringify(value)}${isDefault ? "" : "  # set"}`,
          ),
      ]),
    );
  },
});
