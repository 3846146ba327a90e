/** output and input: the program's own words, and ours to it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { advice, blank, call, named, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { type OutputLine, toLines, toPiece } from "../../session/output/tail.ts";
import { sessionOf } from "../../session/session.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import { wait } from "../../util/wait.ts";
import { withinTime } from "../../util/within-time.ts";
import { outputLine, told } from "../answers/shapes.ts";
import { fenced, lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";

/** A program may print megabytes without a line feed. */
const LONGEST_LINE = 4000;
/** How long a program gets to take its input before the answer says that it has not. */
const READ_MS = 1000;
/** What fits into an answer, so that its ceiling never cuts off the end that was asked for. */
const MOST_CHARS = 48_000;

const outputResult = z.object({
  lines: z.array(outputLine),
  earlierLines: z.number(),
  laterLines: z.number(),
  cursor: z.number(),
  launch: z.string().exactOptional().describe("for the page: which session of this name it is"),
  droppedBytes: z.number(),
  nothing: z.string().exactOptional().describe("why there are no lines"),
  notes: z.array(told()).describe("what Sonde or the debugger has to say; the program has not printed it"),
});

/** How long a pattern of the caller's may search: some would for ever, and nobody else be answered meanwhile. */
const SEARCH_MS = 1000;

function matcher(grep: string | undefined): (from: OutputLine[]) => OutputLine[] {
  if (grep === undefined) return (from) => from;
  try {
    const pattern = new RegExp(grep);
    return (from) => {
      const found = withinTime(SEARCH_MS, () => from.filter(({ text }) => pattern.test(text)));
      if (found) return found.value;
      throw new SondeError(
        "BAD_ARGUMENT",
        advice`${named("grep")}: this pattern needs more than ${SEARCH_MS / 1000} s`,
        {
          hint: advice`use a simpler pattern, or fewer lines: ${call("output", { since: blank("cursor") })}`,
        },
      );
    };
  } catch (error) {
    throw new SondeError("BAD_ARGUMENT", advice`${named("grep")}: ${(error as Error).message}`);
  }
}

/** As many of them as an answer holds, the first ones first. */
function fitting(wanted: readonly OutputLine[]): OutputLine[] {
  const shown: OutputLine[] = [];
  let chars = 0;
  for (const line of wanted) {
    const text = cut(line.text, LONGEST_LINE);
    chars += text.length + 1;
    if (chars > MOST_CHARS) break;
    shown.push({ ...line, text });
  }
  return shown;
}

/** The last pieces that an answer holds; of a piece that is too long, its end. */
function lastOf(pieces: readonly OutputLine[]): OutputLine[] {
  const shown: OutputLine[] = [];
  let room = MOST_CHARS;
  for (const piece of pieces.toReversed()) {
    if (room <= 0) break;
    shown.unshift({ ...piece, text: piece.text.slice(-room) });
    room -= piece.text.length;
  }
  return shown;
}

export const output = command({
  name: "output",
  summary:
    "show what the program printed; the order is exact within stdout and within stderr, approximate between them",
  group: "io",
  skill: true,
  needs: "session",
  effect: "reads",
  args: z.object({
    follow: z.boolean().optional().describe("print new output as it comes, until the program stops or ends"),
    tail: z.number().int().positive().default(50).describe("the last lines").meta({ mcp: "count" }),
    head: z.number().int().positive().optional().describe("the first lines instead"),
    clear: z.boolean().optional().describe("discard it afterwards"),
    since: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("only what came after this cursor, which an earlier answer gave")
      .meta({ brief: "cursor" }),
    category: z
      .array(z.enum(["stdout", "stderr", "console"]))
      .optional()
      .describe("only these streams"),
    pieces: z
      .boolean()
      .optional()
      .describe("in the pieces in which it arrived; a piece may be several lines, or part of one"),
    grep: z.string().optional().describe("only lines that match this regular expression"),
  }),
  result: outputResult,
  library: { name: "session.output" },
  mcp: { tool: "inspect", action: "output", takes: ["tail", "since"], brief: "what it printed." },
  examples: ["sonde output --tail 20", "sonde output --grep error --category stderr"],
  run: async (context, args) => {
    const { launch } = context;
    if (args.clear && context.peeks)
      throw new SondeError("PERMISSION", "only whoever has the session can discard its output");
    const wanted = args.category ? new Set<string>(args.category) : undefined;
    const keep = matcher(args.grep);
    const slice = launch.output.read(args.since, wanted);
    const all = args.pieces ? slice.events.map(toPiece) : keep(toLines(slice.events));
    const shown = args.pieces
      ? lastOf(all)
      : args.head === undefined
        ? fitting(all.slice(-args.tail).reverse()).reverse()
        : fitting(all.slice(0, args.head));
    if (!context.peeks) launch.output.markShown();
    if (args.follow) {
      context.chunk(lines(shown.map(fenced)));
      await follow(context, launch, slice.cursor, wanted, keep);
    }
    const { cursor } = launch.output;
    const nothing = args.follow || shown.length > 0 ? undefined : whyNothing(args, cursor);
    const notes = args.follow ? [] : notesFor(launch, args, context.peeks);
    if (args.clear) {
      launch.output.clear();
      launch.notes.clear();
    }
    return {
      lines: args.follow ? [] : shown,
      earlierLines: args.follow || args.head !== undefined ? 0 : all.length - shown.length,
      laterLines: args.head === undefined ? 0 : all.length - shown.length,
      cursor,
      ...(context.peeks ? { launch: launch.id } : {}),
      droppedBytes: slice.dropped.bytes,
      ...(nothing === undefined ? {} : { nothing }),
      notes,
    };
  },
  text: (result, { say }) =>
    lines(
      result.earlierLines > 0 &&
        say(
          advice`(${plural(result.earlierLines, "earlier line")}: ${call("output", { tail: result.earlierLines + result.lines.length })})`,
        ),
      result.droppedBytes > 0 &&
        `(${result.droppedBytes} bytes in the middle were dropped to stay within the buffer)`,
      result.lines.map(fenced),
      result.laterLines > 0 && `(${plural(result.laterLines, "later line")})`,
      result.notes.map((note) => noteLine(note, say)),
      `${result.nothing === undefined ? "" : `${result.nothing}  · `}cursor ${result.cursor}`,
    ),
});

interface Part {
  since?: number | undefined;
  grep?: string | undefined;
  category?: string[] | undefined;
}

/** All of them with all that it printed; with a part of that only those that nobody has been told. */
function notesFor({ notes }: Launch, { since, grep, category }: Part, peek: boolean): Told[] {
  const untold = peek ? [...notes.untold] : notes.take();
  return since === undefined && grep === undefined && category === undefined ? [...notes.all] : untold;
}

function noteLine(note: Told, say: (told: Told) => string): string {
  return `note: ${oneLine(say(note))}`;
}

function whyNothing({ since, grep, category }: Part, cursor: number): string {
  const after = since === undefined ? "" : ` after cursor ${since}`;
  if (cursor === 0) return "no output yet";
  if (grep !== undefined) return `no line matches${after}`;
  if (category !== undefined) return `nothing on these streams${after}`;
  return after === "" ? "nothing since it was cleared" : `nothing${after}`;
}

/** Streams new lines until the program stops or ends, or the caller goes. */
async function follow(
  context: Context,
  launch: Launch,
  from: number,
  categories: ReadonlySet<string> | undefined,
  keep: (from: OutputLine[]) => OutputLine[],
): Promise<void> {
  let cursor = from;
  const flush = () => {
    const slice = launch.output.read(cursor, categories);
    cursor = slice.cursor;
    const text = lines(keep(toLines(slice.events)).map(fenced));
    if (text !== "") context.chunk(text);
  };
  const tell = () => {
    if (!context.peeks) context.chunk(lines(launch.notes.take().map((note) => noteLine(note, context.say))));
  };
  tell();
  await new Promise<void>((done) => {
    const offs = [
      launch.output.onAppend(flush),
      launch.notes.onNote.add(() => tell()),
      launch.onEnded.add(() => finish()),
      ...(sessionOf(launch)?.live ?? []).map((debuggee) =>
        debuggee.events.add((event) => event.kind === "stopped" && finish()),
      ),
    ];
    const finish = () => {
      context.signal.removeEventListener("abort", finish);
      for (const off of offs) off();
      flush();
      done();
    };
    context.signal.addEventListener("abort", finish, { once: true });
    if (launch.stateName !== "running" || context.signal.aborted) finish();
  });
}

export const input = command({
  name: "input",
  summary: "write a line to the program's standard input",
  group: "io",
  skill: true,
  needs: "live",
  effect: "changes",
  args: z.object({
    text: z.string().optional().describe("one line of text"),
    file: z.string().optional().describe("the bytes of this file; - for your standard input"),
    eof: z.boolean().optional().describe("close standard input (after the text, if any)"),
  }),
  result: z.object({
    bytes: z.number(),
    eof: z.boolean(),
    unread: z.boolean().describe("the program has not taken all of it yet"),
  }),
  cli: { positionals: ["text"], join: true, long: ["text"] },
  library: {
    name: "session.input",
    given: ["text"],
    says: "Write a line to the program's standard input, or close it: `{ eof: true }`.",
  },
  examples: ["sonde input 'hello'", "sonde input --file data.txt --eof"],
  run: async (context, args) => {
    const route = context.session.main?.stdin;
    if (!route || context.session.opening.request === "attach") {
      throw new SondeError("UNSUPPORTED", "sonde does not control this program's standard input", {
        hint: "only a program that sonde started can be given input",
      });
    }
    if (args.text === undefined && args.file === undefined && !args.eof)
      throw new SondeError("BAD_ARGUMENT", "input what?", {
        hint: advice`a text, ${named("file")} or ${option({ eof: true })}`,
      });
    const bytes = await bytesOf(context, args);
    const sent = (async () => {
      if (bytes.length > 0) await route.write(bytes);
      if (args.eof) await route.end();
    })();
    const { done } = await wait(sent, { timeoutMs: READ_MS, signal: context.signal });
    return { bytes: bytes.length, eof: args.eof ?? false, unread: !done };
  },
  text: ({ bytes, eof, unread }) =>
    `wrote ${plural(bytes, "byte")}${eof ? " and closed the input" : ""}${
      unread ? "; the program has not read all of it yet" : ""
    }\n`,
});

async function bytesOf(
  context: Context,
  args: { text?: string | undefined; file?: string | undefined },
): Promise<Buffer> {
  if (args.file === "-") return context.stdin();
  if (args.file !== undefined) {
    try {
      return readFileSync(resolve(context.cwd, args.file));
    } catch (error) {
      throw new SondeError("BAD_ARGUMENT", advice`${named("file")}: ${(error as Error).message}`);
    }
  }
  return args.text === undefined ? Buffer.alloc(0) : Buffer.from(`${args.text}\n`);
}
