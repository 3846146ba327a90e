/** What `test` answers, as a schema. */
import * as z from "zod";
import { callLine, outputTail, sourceLine, told, valueLine } from "../answers/shapes.ts";

export const framed = z.object({
  function: z.string(),
  path: z.string().exactOptional(),
  line: z.number(),
  source: z.array(sourceLine),
  values: z.array(valueLine),
});
export type Framed = z.infer<typeof framed>;

export const shotShape = z.object({
  exception: z
    .object({ type: z.string().exactOptional(), message: z.string(), causes: z.array(z.string()) })
    .exactOptional(),
  frames: z.array(framed),
  moreFrames: z.number().describe("of the user's own"),
  outermost: framed.exactOptional().describe("the last of those: the test"),
  folded: z.number().describe("frames of the runner, of libraries and of the runtime"),
  output: outputTail,
  notes: z.array(told()),
});
export type Shot = z.infer<typeof shotShape>;

const place = { function: z.string(), path: z.string(), line: z.number(), source: z.string() };

/** From a recording of the test. */
const originShape = z.object({
  calls: z
    .array(z.object({ ...place, value: z.string() }))
    .describe("functions that returned the value, the outermost first; the line is the one that returned"),
  writes: z
    .array(z.object({ name: z.string(), ...place, times: z.number() }))
    .describe("lines that wrote the field it was read from, the last first"),
  lines: z
    .array(
      z.object({
        ...place,
        times: z.number().describe("how often it ran in the test, as far as that was kept"),
        changes: z.array(z.object({ name: z.string(), value: z.string() })).describe("that it wrote"),
        returned: z.string().exactOptional().describe("what its call returned there"),
      }),
    )
    .describe(
      "lines that ran and that the failing line depends on: they wrote what it reads, returned it, or decided that it is reached; the nearest first",
    ),
  unmet: z
    .array(
      z.object({
        ...place,
        value: z.string(),
        decided: z.object({ line: z.number(), source: z.string() }),
      }),
    )
    .describe("code that has the expected value and did not run, with the condition that ran and decided it"),
  incomplete: z
    .literal(true)
    .exactOptional()
    .describe("not all that ran was kept: each line ran at least so many times"),
});

const status = z.object({ exitCode: z.number().exactOptional(), signal: z.string().exactOptional() });

export const testedShape = z.object({
  runner: z.string().exactOptional().describe("none: any program"),
  command: z.string(),
  words: z.array(z.string()).describe("of the command, as they were given"),
  state: z.enum(["failed", "passed"]),
  cutAfter: z
    .number()
    .exactOptional()
    .describe("seconds after which the run was cut off: the counts are of the tests that had ended by then"),
  counts: z.object({ failed: z.number(), passed: z.number(), skipped: z.number() }).exactOptional(),
  test: z
    .object({
      name: z.string(),
      type: z.string().exactOptional(),
      message: z.string().exactOptional(),
      compared: z.array(z.object({ label: z.string(), value: z.string() })),
    })
    .exactOptional(),
  stop: shotShape.exactOptional(),
  origin: originShape.exactOptional().describe("where the wrong value came from"),
  further: z.literal(true).exactOptional().describe("asked for the lines beyond the nearest ones"),
  next: callLine().exactOptional().describe("a command that shows how the failing line got its value"),
  status: status.exactOptional().describe("how the runner ended, undebugged where it has a report"),
  others: z.array(z.string()).describe("other tests that fail"),
  moreOthers: z.number(),
  output: z.array(z.string()).describe("the end of what was printed, where there was no stop to show it at"),
  notes: z.array(told()),
});
export type Tested = z.infer<typeof testedShape>;
