/** agent export: a run as spans for an OpenTelemetry collector. */
import * as z from "zod";
import { exportRun } from "../../agent/export/export-run.ts";
import { Blobs } from "../../agent/store/blobs.ts";
import { readEvents } from "../../agent/store/reader.ts";
import { oneLine, plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";
import { recordingOf } from "./records.ts";
import { dir } from "./shapes.ts";

export const exportCommand = command({
  name: "agent export",
  summary: "send a run to an OpenTelemetry collector (Jaeger, Tempo, Langfuse, Phoenix …) as GenAI spans",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    source: z.string().optional().describe("a session, or a file of events (default: the newest)"),
    otlp: z.string().describe("the collector: http://localhost:4318").meta({ brief: "collector's URL" }),
    header: z.record(z.string(), z.string()).optional().describe("a header of the request, such as a key"),
    content: z.boolean().optional().describe("also send what was said and done, not only names and numbers"),
    dir,
  }),
  result: z.object({
    session: z.string(),
    traceId: z.string().exactOptional(),
    spans: z.number(),
    rejected: z.number().describe("how many the collector did not take"),
    warning: z.string().exactOptional(),
  }),
  cli: { positionals: ["source"] },
  mcp: { tool: "agent", action: "export", takes: ["otlp", "content"], ofSession: true },
  examples: ["sonde agent export --otlp http://localhost:4318"],
  run: async (context, args) => {
    const recording = await recordingOf(context, args);
    const blobs = new Blobs(recording.blobs);
    const { signal } = context;
    const { traceId, spans, rejected, warning } = await exportRun(readEvents(recording.events, { signal }), {
      endpoint: args.otlp,
      headers: args.header,
      signal,
      version: context.daemon.version,
      readBody: (body) => blobs.readBody(body),
      content: args.content,
    });
    return {
      session: recording.session,
      spans,
      rejected,
      ...(traceId === undefined ? {} : { traceId }),
      ...(warning === undefined ? {} : { warning }),
    };
  },
  text: ({ session, spans, rejected, traceId, warning }) =>
    lines(
      oneLine(
        `sent ${plural(spans, "span")}${rejected > 0 ? `, ${rejected} not taken` : ""}${traceId === undefined ? "" : ` · trace ${traceId}`} · session ${session}`,
      ),
      warning !== undefined && `the collector says: ${oneLine(warning)}`,
    ),
});
