/** Of a session: where it stands, its breakpoints, what it printed, the last stop that was shown, and what was said to its debugger. */
import { withoutEnvironment } from "../../../diagnostics/report/environment-fields.ts";
import { type Item, jsonItem, type Missing, textItem } from "../../../diagnostics/report/item.ts";
import type { KnownValues } from "../../../diagnostics/report/known-values.ts";
import { shownEnvironment } from "../../../diagnostics/system/environment.ts";
import { SondeError } from "../../../errors.ts";
import type { Launch } from "../../../session/launch.ts";
import type { Output, OutputEvent } from "../../../session/output/output.ts";
import { type OutputLine, toLines } from "../../../session/output/tail.ts";
import { type Session, sessionOf } from "../../../session/session.ts";
import { lastSnapshot } from "../../../session/stack/snapshot.ts";
import type { Transcript } from "../../../session/transcript.ts";
import { secretName } from "../../../util/secrets/names.ts";
import { plural } from "../../../util/text.ts";
import { toRow as breakpointRow } from "../../breakpoints/text.ts";
import type { Context } from "../../context.ts";
import { sessionRowOf } from "../../sessions/status.ts";

/** The one that the caller means; the last one used if nobody said which. */
export function launchFor(context: Context): Launch | undefined {
  if (context.named !== undefined) return context.launch;
  try {
    return context.launch;
  } catch (thrown) {
    if (!(thrown instanceof SondeError)) throw thrown;
    return context.launches[0]; // none, or several of which none is nearer
  }
}

/** @param others All other sessions too, each in a folder of its name. */
export function sessionParts(
  context: Context,
  launch: Launch | undefined,
  known: KnownValues,
  others: boolean,
): (Item | Missing)[] {
  const all = jsonItem(
    "sessions.json",
    context.launches.map((one) => sessionRowOf(context, one)),
  );
  const rest = others ? context.launches.filter((one) => one !== launch) : [];
  return [
    all,
    ...(launch === undefined
      ? [{ name: "session", why: "there is no session" }]
      : partsOf(context, launch, "session", known)),
    ...rest.flatMap((one) => partsOf(context, one, `sessions/${one.name}`, known)),
    ...pastParts(context, known),
  ];
}

function partsOf(context: Context, launch: Launch, folder: string, known: KnownValues): (Item | Missing)[] {
  const session = sessionOf(launch);
  const parts = [openingItem(context, launch, folder), outputItem(launch.output, folder, known)];
  const name = `${folder}/protocol.log`;
  if (session === undefined) return [...parts, { name, why: "it runs without a debugger" }];
  return [
    ...parts,
    jsonItem(`${folder}/breakpoints.json`, session.breakpoints.list().map(breakpointRow)),
    snapshotItem(session, folder),
    protocolItem(name, session.transcript, known),
  ];
}

/** What was said to the debuggers of the last sessions that are gone. */
function pastParts({ past }: Context, known: KnownValues): (Item | Missing)[] {
  return past.map(({ name, transcript }, at) =>
    protocolItem(`stopped/${at + 1}-${name}/protocol.log`, transcript, known),
  );
}

function openingItem(context: Context, launch: Launch, folder: string): Item {
  const { request, plan } = launch.opening;
  const { env, ...rest } = plan;
  const environment = shownEnvironment(env);
  return jsonItem(`${folder}/session.json`, {
    ...sessionRowOf(context, launch),
    startedAt: new Date(launch.startedAt).toISOString(),
    request,
    plan: rest,
    environment,
    notes: launch.notes.untold.map(String),
  });
}

function snapshotItem(session: Session, folder: string): Item | Missing {
  const name = `${folder}/snapshot.json`;
  const shot = lastSnapshot(session);
  return shot === undefined ? { name, why: "no stop has been shown" } : jsonItem(name, shot);
}

const HEAD_CHARS = 256_000;
const TAIL_CHARS = 1_000_000;

/** Its beginning and its end, as far as they are kept; what is not is said where it was. */
function outputItem(output: Output, folder: string, known: KnownValues): Item | Missing {
  const { events, dropped } = output.read();
  const name = `${folder}/output.txt`;
  // A key that takes many lines is in other parts a line at a time.
  for (const stream of ["stdout", "stderr"])
    known.learn(events.map(({ category, text }) => (category === stream ? text : "")).join(""));
  if (events.length === 0) return { name, why: "it has printed nothing" };
  const gap = events.findIndex(({ cursor }, at) => at > 0 && cursor !== (events[at - 1]?.cursor ?? 0) + 1);
  const head = gap === -1 ? events : events.slice(0, gap);
  const tail = gap === -1 ? [] : events.slice(gap);
  const lost = dropped.bytes > 0 ? [`… ${plural(dropped.bytes, "byte")} are not kept …`] : [];
  const all = [...linesOf(head), ...lost, ...linesOf(tail)].join("\n");
  if (all.length <= HEAD_CHARS + TAIL_CHARS) return textItem(name, `${all}\n`);
  const left = all.length - HEAD_CHARS - TAIL_CHARS;
  const cut = `\n… ${left} characters are left out …\n`;
  const text = `${all.slice(0, HEAD_CHARS)}${cut}${all.slice(-TAIL_CHARS)}\n`;
  return textItem(name, text, { leftOut: `${left} characters from the middle` });
}

const STREAMS: Record<OutputLine["stream"], string> = { stdout: "out", stderr: "err", log: "log" };

function linesOf(events: readonly OutputEvent[]): string[] {
  return toLines(events).map(
    ({ stream, text, from }) => `${STREAMS[stream]}${from === undefined ? "" : ` ${from}`}| ${text}`,
  );
}

function protocolItem(name: string, transcript: Transcript, known: KnownValues): Item | Missing {
  const lines = transcript.lines();
  if (lines.length === 0) return { name, why: "no messages were exchanged with its debugger" };
  learnEvaluations(lines, known);
  let count = 0;
  const text = lines.map((line) => {
    const without = withoutEnvironment(line);
    count += without.removed;
    return without.text;
  });
  return textItem(name, `${text.join("\n")}\n`, count > 0 ? { removed: { environment: count } } : {});
}

/** An expression is in one message, and its value in another. */
function learnEvaluations(lines: readonly string[], known: KnownValues): void {
  const asked = new Map<unknown, string>();
  for (const line of lines) {
    if (!line.includes('"evaluate"') && !line.includes('"setVariable"')) continue;
    const message = messageIn(line);
    if (message === undefined) continue;
    const { type, seq, request_seq: of, arguments: args, body } = message;
    const expression = args?.expression ?? args?.name;
    const kind =
      typeof expression === "string" ? secretName(expression.split(/[.\s[]/).at(-1) ?? "") : undefined;
    if (type === "request" && kind !== undefined) {
      asked.set(seq, kind);
      if (typeof args?.value === "string") known.addFound(args.value, kind);
    }
    const found = asked.get(of);
    const value = body?.result ?? body?.value;
    if (type === "response" && found !== undefined && typeof value === "string") known.addFound(value, found);
  }
}

interface Message {
  type?: string;
  seq?: unknown;
  request_seq?: unknown;
  arguments?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** Undefined for one that is cut off. */
function messageIn(line: string): Message | undefined {
  try {
    return JSON.parse(line.slice(line.indexOf("{"))) as Message;
  } catch {
    return undefined;
  }
}
