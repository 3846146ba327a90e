/** A command that sets off what is looked at: run once everything is in place in a process that was attached to. */
import * as z from "zod";
import { withoutColours } from "../../runners/colours.ts";
import { cut, cutBytes, oneLine } from "../../util/text.ts";
import { fenced } from "../answers/text.ts";
import type { Context } from "../context.ts";

export const trigger = z
  .string()
  .optional()
  .describe(
    "run this command once the recording has begun, and end the recording after it: 'curl -s localhost:3000/cart'",
  )
  .meta({ brief: "command to run once attached" });

export const ranShape = z.object({
  command: z.string(),
  exitCode: z.number().exactOptional(),
  signal: z.string().exactOptional(),
  lines: z.array(z.string()).describe("what it printed last"),
});

export type Ran = z.infer<typeof ranShape>;

const LAST_LINES = 5;
const LINE = 200;

/** In the caller's folder, by its shell. */
export async function runTrigger(context: Context, command: string, seconds: number): Promise<Ran> {
  const end = await context.runPlain({
    command: () => ["sh", "-c", command],
    timeoutMs: seconds * 1000,
    asIs: true,
  });
  const said = withoutColours(`${end.stdout}\n${end.stderr}`).split("\n");
  const lines = said.filter((line) => line.trim() !== "").slice(-LAST_LINES);
  if (end.how === "timeout") return { command, lines };
  return {
    command,
    ...(end.code === null ? {} : { exitCode: end.code }),
    ...(end.signal === null ? {} : { signal: end.signal }),
    lines: lines.map((line) => cut(line, LINE)),
  };
}

/** `ran: curl -s localhost:3000/cart · exit code 0`, and what it printed. */
export function ranLines(ran: Ran): string[] {
  return [ranText(ran), ...ran.lines.map((text) => fenced({ stream: "stdout", text }))];
}

export function ranText({ command, exitCode, signal }: Ran): string {
  const how =
    signal !== undefined
      ? `killed by ${signal}`
      : exitCode === undefined
        ? "did not end in time"
        : `exit code ${exitCode}`;
  return oneLine(cutBytes(`ran: ${command} · ${how}`, 300, "…"));
}
