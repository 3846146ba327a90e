/** catch: stopping on exceptions. */
import * as z from "zod";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Catch } from "../../session/breakpoints/catches.ts";
import type { Session } from "../../session/session.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";
import { FILTERS } from "../mcp/spellings.ts";
import { filtersFor } from "../sessions/sessions.ts";

const row = z.object({
  id: z.number(),
  name: z.string(),
  filters: z.array(z.string()),
  condition: z.string().optional(),
});
const rows = z.object({
  catches: z.array(row),
  available: z.array(z.object({ filter: z.string(), label: z.string() })),
});
type Rows = z.infer<typeof rows>;

function read(session: Session): Rows {
  return {
    catches: session.breakpoints.catches().map((entry) => ({ ...entry })),
    available: (session.main?.capabilities.exceptionBreakpointFilters ?? []).map(({ filter, label }) => ({
      filter,
      label,
    })),
  };
}

function text({ catches, available }: Rows): string {
  return lines(
    catches.length === 0
      ? "stops on no exceptions"
      : catches.map((one) => `catch ${one.id}  ${one.name}${one.condition ? `  if ${one.condition}` : ""}`),
    `available: ${available.map((one) => one.filter).join(", ")}`,
  );
}

export const catchAdd = command({
  name: "catch",
  summary: "stop on exceptions: uncaught (on by default), all, or one of the adapter's own filters",
  group: "breakpoints",
  needs: "session",
  effect: "changes",
  args: z.object({
    filter: z
      .string()
      .describe("uncaught, all, none, or a name from `catch list`; separate several with commas"),
    type: z
      .string()
      .optional()
      .describe("only exceptions of this type, or for which this expression is true")
      .meta({ mcp: "condition" }),
    replace: z.boolean().optional().describe("replace all that are set; if this fails, they stay"),
  }),
  result: rows,
  cli: { positionals: ["filter", "type"] },
  library: { name: "session.catches.add", given: ["filter"] },
  mcp: {
    tool: "debug",
    action: "set_exception_breakpoints",
    spelled: [FILTERS],
    takes: ["type"],
    always: { replace: true },
    brief: "filters.",
  },
  examples: ["sonde catch all", "sonde catch all TypeError", "sonde catch none --replace"],
  run: async ({ session }, args) => {
    const names = args.filter.split(",").map((name) => name.trim());
    const wanted = names.filter((name) => name !== "none");
    if (wanted.length < names.length && !args.replace)
      throw new SondeError("BAD_ARGUMENT", "none alone removes nothing", {
        hint: advice`${call("catch", { filter: "none", replace: true })} removes all of them, ${call("catch remove", { id: blank("id") })} one`,
      });
    const before = [...session.breakpoints.catches()];
    const added: Catch[] = [];
    try {
      for (const name of wanted)
        added.push(await session.breakpoints.addCatch(name, filtersFor(session, name), args.type));
    } catch (error) {
      await session.breakpoints.removeCatches(added.filter((one) => !before.includes(one)));
      throw error;
    }
    if (args.replace) await session.breakpoints.removeCatches(before.filter((one) => !added.includes(one)));
    return read(session);
  },
  text,
});

export const catchList = command({
  name: "catch list",
  summary: "list which exceptions stop the program, and the available filters",
  group: "breakpoints",
  needs: "session",
  effect: "reads",
  args: z.object({}),
  result: rows,
  library: { name: "session.catches.list" },
  run: async ({ session }) => read(session),
  text,
});

export const catchRemove = command({
  name: "catch remove",
  summary: "remove an exception breakpoint, by its number",
  group: "breakpoints",
  needs: "session",
  effect: "changes",
  args: z.object({ id: z.number().describe("number from `catch list`") }),
  result: rows,
  cli: { positionals: ["id"] },
  library: { name: "session.catches.remove", given: ["id"] },
  run: async ({ session }, { id }) => {
    const found = session.breakpoints.catches().filter((entry) => entry.id === id);
    if (found.length === 0)
      throw new SondeError("BAD_ARGUMENT", `no catch ${id}`, {
        hint: advice`${call("catch list")} shows the numbers`,
      });
    await session.breakpoints.removeCatches(found);
    return read(session);
  },
  text,
});
