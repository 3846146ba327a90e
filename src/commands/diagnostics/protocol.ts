/** logs --protocol: what Sonde and a session's debug adapter said to each other. */
import * as z from "zod";
import { advice, call, named, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { TranscriptMessage } from "../../session/transcript.ts";
import { maskSecrets } from "../../util/secrets/mask.ts";
import { cut, oneLine, plural } from "../../util/text.ts";

/** Of a message, unless all of it is asked for; of all together. */
const SHOWN = 600;
const MOST_CHARS = 40_000;

export const protocolShape = z.object({
  session: z.string(),
  messages: z.array(
    z.object({
      number: z.number(),
      time: z.string(),
      direction: z.enum(["in", "out"]).describe("in: from the adapter"),
      text: z.string().describe("JSON, or its beginning"),
      cut: z.boolean().describe("the message is longer"),
    }),
  ),
  total: z.number().describe("messages so far"),
  dropped: z.number().describe("of those, how many are no longer kept"),
});

type Protocol = z.infer<typeof protocolShape>;

interface Wanted {
  tail: number;
  before?: string | undefined;
  grep?: string | undefined;
  since?: number | undefined;
  full?: boolean | undefined;
}

export function readProtocol(session: Session, wanted: Wanted): { protocol: Protocol; cursor?: string } {
  const { transcript, name } = session;
  const before = numberOf(wanted.before);
  const text = wanted.grep?.toLowerCase();
  const messages: Protocol["messages"] = [];
  let chars = 0;
  let older = false;
  for (const message of transcript.newestFirst()) {
    if (before !== undefined && message.number >= before) continue;
    if (wanted.since !== undefined && message.at < wanted.since) break;
    if (text !== undefined && !message.text.toLowerCase().includes(text)) continue;
    older = messages.length >= wanted.tail || chars >= MOST_CHARS;
    if (older) break;
    const one = shown(message, wanted.full ?? false);
    chars += one.text.length;
    messages.unshift(one);
  }
  const first = messages[0]?.number;
  return {
    protocol: { session: name, messages, total: transcript.total, dropped: transcript.dropped },
    ...(older && first !== undefined && { cursor: String(first) }),
  };
}

function numberOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new SondeError(
    "BAD_ARGUMENT",
    advice`${named("before")}: \`${cut(cursor, 60)}\` is not a message number`,
    {
      hint: advice`${call("logs", { protocol: true })} gives one where there is more`,
    },
  );
}

/** Masked before it is cut: half a secret is not recognised. */
function shown(
  { number, at, direction, text, cut: isCut }: TranscriptMessage,
  full: boolean,
): Protocol["messages"][number] {
  const masked = maskSecrets(text).text;
  const short = full ? masked : cut(masked, SHOWN);
  return {
    number,
    time: new Date(at).toISOString(),
    direction,
    text: short,
    cut: isCut || short.length < masked.length,
  };
}

export function protocolLines({ session, messages, total, dropped }: Protocol): string[] {
  if (messages.length === 0)
    return [total === 0 ? `${session}: no messages yet` : `${session}: no message matches`];
  return [
    ...messages.map(
      ({ number, time, direction, text, cut: isCut }) =>
        `${number} ${time} ${direction === "in" ? "<-" : "->"} ${oneLine(text)}${isCut ? " [cut]" : ""}`,
    ),
    `(${plural(total, "message")}${dropped > 0 ? `, the first ${dropped} of them no longer kept` : ""})`,
  ];
}

export function olderProtocol(cursor: string, { tail, grep, full }: Wanted, session: string): Told {
  const again = {
    protocol: true,
    before: cursor,
    tail,
    ...(grep !== undefined && { grep }),
    ...(full && { full }),
  };
  return advice`older: ${call("logs", again, session)}`;
}
