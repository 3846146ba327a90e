/** docs/runtime-feedback.schema.json: the plain contract of a trace, `sonde trace --feedback`. */
import * as z from "zod";
import { feedbackShape } from "../commands/trace/shapes.ts";

export function feedbackSchema(): string {
  const schema = {
    ...z.toJSONSchema(feedbackShape),
    title: "sonde trace --feedback",
    description:
      "By place, as the caller wrote it: each value of each hit in order, and one backtrace for each hit. A place that was never hit has an empty list.",
  };
  return `${JSON.stringify(schema, null, 1)}\n`;
}
