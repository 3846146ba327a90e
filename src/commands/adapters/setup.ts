/** adapters, setup, doctor: which debuggers there are, how to get them, and what stands in their way. */
import { homedir } from "node:os";
import * as z from "zod";
import { advice, blank, call, joined, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { oneLine, visible } from "../../util/text.ts";
import { lines, type TextOptions } from "../answers/text.ts";
import { command } from "../define.ts";
import {
  type AdapterRow,
  adapterRow,
  type Check,
  check,
  languageRow,
  type SetupRow,
  setupRow,
} from "./rows.ts";

/** Columns, the last one free. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function short(path: string | undefined): string {
  const home = homedir();
  if (path === undefined) return "";
  return oneLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

function stateOf(row: AdapterRow, { say }: TextOptions): string {
  if (!row.found) return oneLine(say(advice`${row.why ?? ""}; ${row.install ?? ""}`));
  return [row.mark, ...(row.notes ?? []).map((note) => oneLine(say(note)))].join("; ");
}

export const adapters = command({
  name: "adapters",
  summary: "list the debug adapters, and whether they are installed",
  group: "setup",
  needs: "nothing",
  effect: "reads",
  args: z.object({}),
  result: z.object({ adapters: z.array(adapterRow) }),
  run: async (context) => ({ adapters: await context.adapters() }),
  text: (result, options) =>
    lines(
      table(
        result.adapters.map((row) => [
          row.name,
          row.languages.join(", "),
          row.found ? oneLine(row.version ?? "") : "-",
          row.found ? `${short(row.path)}  ${stateOf(row, options)}` : `missing: ${stateOf(row, options)}`,
        ]),
      ),
    ),
});

export const setup = command({
  name: "setup",
  summary: "install the debugger for a language into Sonde's own folder, and test it",
  group: "setup",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: z.object({
    names: z.array(z.string()).optional().describe("languages or adapters: python, go, c …"),
    all: z.boolean().optional().describe("every adapter that can be installed on this machine"),
    reinstall: z.boolean().optional().describe("install it even if there is one already"),
  }),
  result: z.object({ adapters: z.array(setupRow) }),
  cli: { positionals: ["names"] },
  examples: ["sonde setup python", "sonde setup python go c", "sonde setup --all"],
  run: async (context, { names = [], all = false, reinstall = false }) => {
    if (all === names.length > 0)
      throw new SondeError(
        "BAD_ARGUMENT",
        all
          ? advice`${{ do: "name", command: "setup" }}: names or ${option({ all: true })}, not both`
          : "setup of what?",
        {
          hint: advice`${call("setup", { names: [blank("language")] })}, or ${call("setup", { all: true })}; ${call("adapters")} lists them`,
        },
      );
    const rows = await context.setUp({ names, all, reinstall });
    const failed = rows.filter((row) => row.status === "failed");
    if (failed.length === 0) return { adapters: rows };
    const others = rows.filter((row) => row.status !== "failed").map(setupText);
    throw new SondeError("SETUP_FAILED", joined([...others, ...failed.map(failureText)], "\n"), {
      hint: joined(
        failed.map((row) => advice`${row.name} by hand: ${row.byHand ?? ""}`),
        "; ",
      ),
      details: { adapters: rows },
    });
  },
  text: (result) => lines(result.adapters.map(setupText)),
});

function setupText(row: SetupRow): string {
  const tried = row.verified === "session" ? "works" : "answers";
  const saw = row.saw === undefined ? "tried before" : oneLine(row.saw);
  const did = row.status === "present" ? "already there" : `installed in ${Math.round(row.ms / 1000)} s`;
  return `${row.name} ${oneLine(row.version ?? "")}: ${did}, ${tried} (${saw})  ${short(row.path)}`;
}

function failureText(row: SetupRow): Told {
  const reasons = row.reasons.map((one) => advice`- ${typeof one === "string" ? visible(one) : one}`);
  return advice`${row.name} could not be set up:\n${joined(reasons, "\n")}`;
}

const health = z.object({
  checks: z.array(check),
  languages: z.array(languageRow),
  adapters: z.array(adapterRow),
  ok: z.boolean(),
});

export const doctor = command({
  name: "doctor",
  summary: "check what works on this machine, what does not, and how to fix it",
  group: "setup",
  skill: true,
  needs: "nothing",
  effect: "reads",
  watchable: ({ verify }) => verify !== true,
  args: z.object({
    verify: z.boolean().optional().describe("also debug a sample program with every adapter (slow)"),
  }),
  result: health,
  examples: ["sonde doctor", "sonde doctor --verify"],
  run: async (context, { verify = false }) => {
    const found = await context.doctor({ verify });
    // A debugger that only its user can install is an offer, not a fault: every Unix has a bash.
    const lacking = found.languages.some(
      (row) => row.tools.length > 0 && row.adapter === undefined && row.installable === true,
    );
    const ok = !lacking && found.checks.every((one) => one.state !== "bad");
    return { ...found, ok };
  },
  exit: ({ ok }) => (ok ? 0 : 1),
  text: ({ checks, languages, adapters: rows, ok }, options) => {
    const here = languages.filter((row) => row.tools.length > 0);
    const absent = languages.filter((row) => !here.includes(row)).map((row) => row.language);
    return lines(
      table(checks.map((one) => [one.state, one.what, checkText(one, options)])),
      "",
      "languages",
      table(
        here.map((row) => [
          row.adapter !== undefined ? "ok" : row.installable ? "missing" : "by hand",
          row.language,
          row.adapter ?? "-",
          row.adapter === undefined
            ? `${short(row.tools[0])} is here; ${options.say(row.install ?? "no adapter")}`
            : row.tools.map(short).join(", "),
        ]),
      ),
      absent.length > 0 && `not on this machine: ${absent.join(", ")}`,
      "",
      "adapters",
      table(rows.map((row) => adapterLine(row, options))),
      "",
      ok ? "everything works" : "not everything works: see `missing` and `bad`",
    );
  },
});

function checkText({ text, fix }: Check, { say }: TextOptions): string {
  return oneLine(say(fix === undefined ? text : advice`${text}; ${fix}`));
}

function adapterLine(row: AdapterRow, options: TextOptions): string[] {
  const word = row.trial?.ok === false ? "bad" : row.found ? "ok" : "none";
  const tried = row.trial
    ? `  ${row.trial.ok ? "tried" : "failed"}: ${oneLine(options.say(row.trial.text))}`
    : "";
  const state = stateOf(row, options);
  const rest = row.found ? `${short(row.path)}  ${state}${tried}` : state;
  return [word, row.name, row.found ? oneLine(row.version ?? "") : "-", rest];
}
