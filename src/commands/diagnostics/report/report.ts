/** report: what a person needs who is to find out what went wrong, in one file, without secrets. */
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { advice, call, named, type Told } from "../../../advice/advice.ts";
import type { Survey } from "../../../diagnostics/report/survey.ts";
import { SondeError } from "../../../errors.ts";
import { fileError } from "../../../util/file-errors.ts";
import { privateFolder } from "../../../util/own-folder.ts";
import { oneLine, plural, sizeText } from "../../../util/text.ts";
import { told } from "../../answers/shapes.ts";
import { lines } from "../../answers/text.ts";
import type { Context } from "../../context.ts";
import { command } from "../../define.ts";
import { gather } from "./gather.ts";

const args = z.object({
  yes: z.boolean().optional().describe("write it; without this, only list what it would contain"),
  output: z.string().optional().describe("the file to write (default: a new one in Sonde's own folder)"),
  allSessions: z
    .boolean()
    .optional()
    .describe(
      "all sessions (default: the current one, and the messages to the debuggers of the last three that ended)",
    ),
  agent: z.boolean().optional().describe("also include an agent's run: its events and its conversation"),
  run: z.string().optional().describe("with --agent: which run (default: the newest)"),
  heapSnapshot: z
    .string()
    .optional()
    .describe("also include this heap snapshot; it contains everything the program had in memory"),
  time: z
    .string()
    .optional()
    .describe("the time to put into the file's name, so that two reports can be identical"),
});

const removals = z.record(z.string(), z.number());

const result = z.object({
  file: z.string().describe("where it is, or would be"),
  written: z.boolean(),
  bytes: z.number().exactOptional().describe("of the file, if it was written"),
  parts: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["text", "binary"]),
      bytes: z.number(),
      sha256: z.string(),
      removed: removals.describe("what was taken out of it, by kind"),
      leftOut: z.string().exactOptional(),
    }),
  ),
  missing: z.array(z.object({ name: z.string(), why: z.string() })),
  removed: removals,
  warnings: z.array(z.string()),
  next: z.array(told()),
});

export const report = command({
  name: "report",
  summary: "collect what a maintainer needs to find a bug in Sonde into one file, without secrets",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  reads: ({ yes }) => yes !== true,
  watchable: ({ output }) => output === undefined,
  interactive: true,
  args,
  result,
  cli: { positionals: ["run"] },
  mcp: {
    tool: "diagnose",
    action: "report",
    takes: ["yes", "agent", "run"],
    ofSession: true,
    brief: "a file for a bug report; without yes only its contents.",
  },
  examples: [
    "sonde report",
    "sonde report --yes --all-sessions",
    "sonde report --yes --output report.tar.gz",
  ],
  run: async (context, given) => {
    // Loaded when it is needed: an idle daemon has no use for it.
    const { survey } = await import("../../../diagnostics/report/survey.ts");
    const time = timeOf(given.time, context.env.SOURCE_DATE_EPOCH);
    const { items, missing, redactor } = await gather(context, {
      reproducible: time.isGiven,
      allSessions: given.allSessions ?? false,
      agent: given.run ?? given.agent ?? false,
      ...heapSnapshotOf(context, given.heapSnapshot),
    });
    const found = await survey(items, missing, redactor, context.signal);
    const file = given.output === undefined ? undefined : resolve(context.cwd, given.output);
    const warnings = given.heapSnapshot === undefined ? [] : [HEAP_WARNING];
    const shown = { ...found, warnings, next: [] };
    if (!given.yes)
      return { ...shown, file: file ?? placeOf(context, time.text), written: false, next: [again(given)] };
    const bundle = { items, survey: found, redactor, version: context.daemon.version };
    return { ...shown, written: true, ...(await write(context, file, time.text, bundle)) };
  },
  text: (answer, { say }) =>
    lines(
      answer.written
        ? `report written: ${oneLine(answer.file)} (${sizeText(answer.bytes ?? 0)})`
        : `report, not written: ${oneLine(answer.file)}`,
      partLines(answer),
      removedLine(answer.removed),
      answer.missing.map(({ name, why }) => oneLine(`missing: ${name}: ${why}`)),
      answer.warnings.map((warning) => oneLine(`warning: ${warning}`)),
      answer.next.map((one) => say(one)),
    ),
});

const HEAP_WARNING =
  "a heap snapshot holds every text that the program had in memory; secrets in it are recognised only by their form or their name, so check it before you share it";

function again(given: z.infer<typeof args>): Told {
  const { time: _time, ...rest } = given;
  return advice`${call("report", { ...rest, yes: true })} writes it`;
}

function heapSnapshotOf({ cwd }: Context, path: string | undefined): { heapSnapshot?: string } {
  return path === undefined ? {} : { heapSnapshot: resolve(cwd, path) };
}

function partLines({ parts }: Survey): string[] {
  const names = Math.max(0, ...parts.map(({ name }) => name.length));
  return parts.map(({ name, bytes, removed, kind, leftOut }) => {
    const count = Object.values(removed).reduce((sum, one) => sum + one, 0);
    const notes = [
      kind === "binary" && "as it is",
      count > 0 && `${count} removed`,
      leftOut !== undefined && leftOut,
    ].filter(Boolean);
    return oneLine(
      `  ${name.padEnd(names)}  ${sizeText(bytes)}${notes.length > 0 ? `  (${notes.join("; ")})` : ""}`,
    );
  });
}

function removedLine(removed: Record<string, number>): string {
  const kinds = Object.entries(removed).map(([kind, count]) =>
    plural(count, THINGS[kind] ?? kind.replaceAll("-", " ")),
  );
  return kinds.length === 0 ? "removed: nothing" : `removed: ${kinds.join(", ")}`;
}

/** Where the kind alone does not say what was removed. */
const THINGS: Readonly<Record<string, string>> = {
  environment: "environment value",
  variable: "secret variable",
  authorization: "authorization header",
  basic: "basic login",
  bearer: "bearer token",
  "url-password": "URL password",
};

/** In UTC, to the second: `2026-11-17T10-35-45Z`. */
function timeOf(given: string | undefined, epoch: string | undefined): { text: string; isGiven: boolean } {
  const seconds = epoch !== undefined && /^\d{1,12}$/.test(epoch) ? Number(epoch) * 1000 : undefined;
  const date = given === undefined ? new Date(seconds ?? Date.now()) : new Date(given);
  if (Number.isNaN(date.getTime()))
    throw new SondeError("BAD_ARGUMENT", advice`${named("time")}: \`${given ?? ""}\` is not a time`, {
      hint: "as in 2026-11-17T10:35:45Z",
    });
  const text = `${date.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
  return { text, isGiven: given !== undefined || seconds !== undefined };
}

function placeOf({ places }: Context, time: string, number = 1): string {
  return join(places.reports, `sonde-report-${time}${number === 1 ? "" : `-${number}`}.tar.gz`);
}

type Bundle = Parameters<typeof import("../../../diagnostics/report/bundle.ts")["writeBundle"]>[1];

const MOST_OF_A_SECOND = 100;

async function write(context: Context, wanted: string | undefined, time: string, bundle: Bundle) {
  const { writeBundle } = await import("../../../diagnostics/report/bundle.ts");
  const { signal, places } = context;
  if (wanted !== undefined)
    return { file: wanted, bytes: await naming(wanted, writeBundle(wanted, bundle, signal)) };
  privateFolder(places.reports);
  for (let number = 1; ; number++) {
    const file = placeOf(context, time, number);
    try {
      return { file, bytes: await writeBundle(file, bundle, signal) };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!isTaken || number === MOST_OF_A_SECOND) throw fileError(error, file) ?? error;
    }
  }
}

async function naming<T>(path: string, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new SondeError("BAD_ARGUMENT", `${dirname(path)} does not exist`, {
        hint: "make the folder, or choose another place",
      });
    throw fileError(error, path) ?? error;
  }
}
