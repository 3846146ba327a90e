/** catch: stopping on exceptions. */
import * as z from "zod";
import { SondeError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { command } from "./define.ts";
import { filtersFor } from "./session-commands.ts";
import { lines } from "./text.ts";

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
    filter: z.string().describe("uncaught, all, or a name from `catch list`"),
    type: z.string().optional().describe("only exceptions of this type, or for which this expression holds"),
  }),
  result: rows,
  cli: { positionals: ["filter", "type"] },
  examples: ["sonde catch all", "sonde catch all TypeError"],
  run: async ({ session }, args) => {
    await session.breakpoints.addCatch(args.filter, filtersFor(session, args.filter), args.type);
    return read(session);
  },
  text,
});

export const catchList = command({
  name: "catch list",
  summary: "which exceptions stop the program, and which filters there are",
  group: "breakpoints",
  needs: "session",
  effect: "reads",
  args: z.object({}),
  result: rows,
  run: async ({ session }) => read(session),
  text,
});

export const catchRemove = command({
  name: "catch remove",
  summary: "stop no longer on these exceptions",
  group: "breakpoints",
  needs: "session",
  effect: "changes",
  args: z.object({ id: z.number().describe("number from `catch list`") }),
  result: rows,
  cli: { positionals: ["id"] },
  run: async ({ session }, { id }) => {
    const found = session.breakpoints.catches().filter((entry) => entry.id === id);
    if (found.length === 0)
      throw new SondeError("BAD_ARGUMENT", `no catch ${id}`, {
        hint: "`sonde catch list` shows the numbers",
      });
    await session.breakpoints.removeCatches(found);
    return read(session);
  },
  text,
});
