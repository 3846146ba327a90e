/** What the page gets besides: what one would type for the same, and errors whose calls are data. */
import { advice, type Call, type Words } from "../../advice/advice.ts";
import { toldToPage } from "../../advice/page.ts";
import type { Command } from "../../commands/define.ts";
import { SondeError } from "../../errors.ts";
import type { EngineReply, Surface, Typed } from "../types.ts";

export function surfaceOf({ as }: Typed): Surface {
  if (as === "tool") return "mcp";
  return as === "method" ? "library" : as === "page" ? "page" : "cli";
}

export function toPage(request: Typed, reply: EngineReply, words: Words, thrown?: SondeError): EngineReply {
  if (request.as !== "page" || reply.kind !== "typed") return reply;
  const { session, ...args } = request.args;
  const line = lineOf(request.command, args, typeof session === "string" ? session : undefined, words);
  const told = thrown?.told;
  return {
    ...reply,
    ...(line === undefined ? {} : { line }),
    ...(reply.ok || told === undefined
      ? {}
      : {
          told: {
            message: toldToPage(told.message, words),
            ...(told.hint === undefined ? {} : { hint: toldToPage(told.hint, words) }),
          },
        }),
  };
}

/** Undefined for what is no command, or could not be typed. */
export function lineOf(
  command: string,
  args: Record<string, unknown>,
  session: string | undefined,
  words: Words,
): string | undefined {
  const call: Call = { do: "call", command, args, ...(session === undefined ? {} : { session }) };
  try {
    return words.line(call);
  } catch {
    return undefined; // the answer says what was wrong with it
  }
}

export function refuseChanges(
  { name, effect, reads, watchable }: Command,
  args: Record<string, unknown>,
): void {
  const isRead = effect === "reads" || reads?.(args) === true;
  if (isRead && (watchable?.(args) ?? true) && !namesFile(args)) return;
  throw watchesOnly(name);
}

export function watchesOnly(command: string): SondeError {
  return new SondeError("PERMISSION", advice`${{ do: "name", command }}: this link can only watch`, {
    hint: "`sonde ui` opens a page that can do everything",
  });
}

/** Runs of agents elsewhere, records by their files: nobody has named those to who only watches. */
function namesFile({ dir, source }: Record<string, unknown>): boolean {
  return dir !== undefined || (typeof source === "string" && /[/\\]/.test(source));
}
