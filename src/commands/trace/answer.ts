/** A trace as a command answers it. */
import { advice, blank, type Call, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { toFeedback } from "../../trace/feedback.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { ANSWER_CEILING } from "../answers/text.ts";
import type { Ran } from "../runs/trigger.ts";
import type { TraceResult } from "./shapes.ts";

export function answer(
  record: TraceRecord,
  file: string,
  how: {
    output?: TraceResult["output"];
    runnerLines?: number;
    outputFile?: string;
    triggered?: Ran | undefined;
    next?: Call | undefined;
    feedback?: boolean;
    all?: boolean;
    timeline?: boolean;
    outOf?: number;
  },
): TraceResult {
  const { hits, ...head } = record;
  const feedback = how.feedback ? toFeedback(record) : undefined;
  const bytes = feedback === undefined ? 0 : Buffer.byteLength(JSON.stringify(feedback));
  if (bytes > ANSWER_CEILING - 1024)
    throw new SondeError(
      "BAD_ARGUMENT",
      `the answer would be ${bytes} bytes, which is more than one answer may be`,
      {
        hint: advice`${call("trace show", { id: head.id, feedback: true, to: blank("file") })} writes it to a file`,
      },
    );
  return {
    trace: head,
    file,
    hits,
    ...(how.output === undefined ? {} : { output: how.output }),
    ...(how.triggered === undefined ? {} : { triggered: how.triggered }),
    ...(how.runnerLines === undefined ? {} : { runnerLines: how.runnerLines }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(how.outputFile === undefined ? {} : { outputFile: how.outputFile }),
    ...(how.next === undefined ? {} : { next: how.next }),
    ...(how.all ? { all: true } : {}),
    ...(how.timeline ? { timeline: true } : {}),
    ...(how.outOf === undefined ? {} : { outOf: how.outOf }),
  } as TraceResult;
}
