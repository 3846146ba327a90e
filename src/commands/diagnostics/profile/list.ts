/** profile list, profile show: those that are kept. */
import * as z from "zod";
import { timeText } from "../../../diagnostics/profile/words.ts";
import { cut, oneLine, sizeText } from "../../../util/text.ts";
import { lines } from "../../answers/text.ts";
import { command } from "../../define.ts";
import { answered } from "./profile.ts";
import { profileShape } from "./shape.ts";
import { profileText } from "./text.ts";

export const profileList = command({
  name: "profile list",
  summary: "list the saved profiles, newest first",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({
    profiles: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(["cpu", "heap"]),
        title: z.string(),
        began: z.string(),
        seconds: z.number(),
        bytes: z.number().describe("of its files"),
      }),
    ),
  }),
  mcp: { tool: "diagnose", action: "profile_list" },
  run: async ({ places }) => {
    const { list } = await import("../../../diagnostics/profile/store.ts");
    return {
      profiles: list(places.profiles).map(({ head: { id, kind, title, began, seconds }, bytes }) => ({
        ...{ id, kind, title, began, seconds, bytes },
      })),
    };
  },
  text: ({ profiles }) =>
    lines(
      profiles.length === 0 && "no profiles",
      profiles.map(({ id, kind, title, began, seconds, bytes }) =>
        oneLine(
          `${id}  ${began.slice(0, 19).replace("T", " ")}  ${kind}  ${timeText(seconds * 1e9)}  ${cut(title, 120)}  (${sizeText(bytes)})`,
        ),
      ),
    ),
});

export const profileShow = command({
  name: "profile show",
  summary: "show a saved profile",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({ id: z.string().optional().describe("which profile (default: the newest)") }),
  result: profileShape,
  cli: { positionals: ["id"] },
  mcp: { tool: "diagnose", action: "profile_show", takes: ["id"], brief: "one kept (default: the newest)." },
  run: async ({ places }, { id }) => {
    const { stored } = await import("../../../diagnostics/profile/store.ts");
    return answered(stored(places.profiles, id));
  },
  text: profileText,
});
