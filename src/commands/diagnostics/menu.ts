/** menu: the commands about what went wrong, as a list; `src/foreground/menu` shows it. */
import * as z from "zod";
import { SondeError } from "../../errors.ts";
import { command } from "../define.ts";

export const menu = command({
  name: "menu",
  summary: "choose profiles, logs, reports and more from a list",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  foreground: true,
  args: z.object({
    plain: z
      .boolean()
      .optional()
      .describe("a numbered list instead of a full screen (default where there is no terminal)"),
  }),
  result: z.object({}),
  examples: ["sonde menu", "sonde menu --plain"],
  run: async (): Promise<Record<string, never>> => {
    throw new SondeError("UNSUPPORTED", "this runs in a terminal");
  },
  text: () => "",
});
