/** agent inspect: an agent's conversation, and the request it is about to send or has sent. */
import { chmodSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { advice, named, type Told } from "../../advice/advice.ts";
import { textOf } from "../../agent/core/message-text.ts";
import type { RequestView } from "../../agent/core/model.ts";
import type { What } from "../../agent/core/snapshot.ts";
import { readRequest } from "../../agent/wire/request.ts";
import { SondeError } from "../../errors.ts";
import { cut } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, runToRead, type Scope } from "./choosing.ts";
import { ask } from "./control.ts";
import { inspectionText } from "./inspect-text.ts";
import { recentEvents } from "./recent.ts";
import { isWire, recordedCall } from "./recorded-call.ts";
import { agent, dir } from "./shapes.ts";

const LAST = 3;

export const inspect = command({
  name: "agent inspect",
  summary:
    "show the agent's conversation, its size, its tools, or a request: the one that is held, the last one sent, or any recorded one",
  group: "agents",
  needs: "nothing",
  effect: "reads",
  watchable: ({ out }) => out === undefined,
  args: z.object({
    what: z
      .enum(["messages", "context", "tools", "system", "request", "diff", "stops", "all"])
      .default("all")
      .describe(
        "messages; context: size and tokens; tools; system: the system prompt; request: the whole body; diff: what is new since the request before it; stops: what is held",
      ),
    call: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("this call to the model, from the recording (default: the held one, or the last)")
      .meta({ brief: "a recorded call's number" }),
    last: z
      .number()
      .int()
      .positive()
      .max(10_000)
      .optional()
      .describe(`messages: how many, from the end (default ${LAST})`),
    whole: z.boolean().optional().describe("messages: each in full, not only its beginning"),
    out: z
      .string()
      .min(1)
      .optional()
      .describe(
        "request: write the body to this file, as `agent edit-request --file` and `agent fork --body` take it",
      ),
    agent,
    dir,
  }),
  result: z
    .looseObject({ session: z.string(), next: z.array(told()) })
    .describe("the parts that were asked for"),
  cli: { positionals: ["what"] },
  mcp: {
    tool: "agent",
    action: "inspect",
    takes: ["what", "call", "last", "whole", "agent"],
    ofSession: true,
  },
  examples: [
    "sonde agent inspect messages --last 5 --whole",
    "sonde agent inspect diff",
    "sonde agent inspect request --out body.json",
    "sonde agent inspect request --call 3 -s ab12",
  ],
  run: async (context, args) => {
    const { what, out } = args;
    checkOptions(args);
    const scope = await chosen(context, args);
    const { data, view } = await inspected(context, scope, args);
    const session = scope.row.id;
    if (out !== undefined)
      return { ...(await written(context, data, view, out)), session, next: uses(scope, data, out) };
    const messages =
      view !== undefined && data.messages !== undefined
        ? { messages: inFull(data.messages, view, args) }
        : {};
    return { ...data, ...messages, session, next: more(scope, what, args) };
  },
  text: inspectionText,
});

interface Arguments {
  what: What;
  call?: number | undefined;
  last?: number | undefined;
  whole?: boolean | undefined;
  out?: string | undefined;
  agent?: string | undefined;
  dir?: string | undefined;
}

/** Nothing is taken and then ignored. */
function checkOptions({ what, call, last, whole, out }: Arguments): void {
  const only = (key: "last" | "whole" | "out" | "call", parts: readonly string[]) => {
    if (!parts.includes(what))
      throw new SondeError("BAD_ARGUMENT", advice`${named(key)} is for ${parts.join(" and ")}`);
  };
  if (last !== undefined) only("last", ["messages", "all"]);
  if (whole !== undefined) only("whole", ["messages", "all"]);
  if (out !== undefined) only("out", ["request"]);
  if (call !== undefined && what === "stops")
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("call")} reads the recording, and held calls are not in it`,
    );
}

/** One that has ended can be looked at, too. */
async function chosen(context: Context, args: Arguments): Promise<Scope> {
  try {
    return await runToControl(context, args);
  } catch (thrown) {
    const isOver = thrown instanceof SondeError && ["NO_SESSION", "SESSION_ENDED"].includes(thrown.code);
    if (!isOver || args.what === "stops") throw thrown;
    return runToRead(context, args);
  }
}

interface Inspected {
  data: Record<string, unknown>;
  /** Left out where its body is not needed, or of a make that we cannot read. */
  view?: RequestView;
}

async function inspected(context: Context, scope: Scope, args: Arguments): Promise<Inspected> {
  const { what, call, agent: of } = args;
  const { row } = scope;
  const { signal } = context;
  if (call !== undefined || !row.alive) {
    const { prices } = context.agents;
    return recordedCall(row.folder, { what, call, agent: of }, { prices, signal });
  }
  const data = await ask(context, scope, "inspect", { what, agent: of });
  if (row.foreign || (args.last === undefined && !args.whole)) return { data };
  const { request, exact, req } = await ask(context, scope, "inspect", { what: "request", agent: of });
  if (typeof request !== "object" || request === null) return { data };
  const events = await recentEvents(row.folder.events, 2000);
  const sent = events.findLast(({ type, data: one }) => type === "api_request" && one.req === req)?.data.wire;
  const wire = typeof sent === "string" && isWire(sent) ? sent : "anthropic";
  return { data, view: readRequest(wire, typeof exact === "string" ? exact : JSON.stringify(request)) };
}

const PREVIEW = 200;

function inFull(messages: unknown, view: RequestView, { last = LAST, whole = false }: Arguments): object {
  if (view.messages.length === 0) return messages as object;
  const recent = view.messages.slice(-last).map((one) => {
    const text = textOf(one);
    return { role: one.role, preview: whole ? text : cut(text, PREVIEW) };
  });
  return { ...(messages as object), recent, whole };
}

/** Exactly what is recorded, or what would be sent; for its owner alone. */
async function written(
  context: Context,
  { request, exact, own: _own, ...data }: Record<string, unknown>,
  view: RequestView | undefined,
  out: string,
): Promise<Record<string, unknown>> {
  const plain = typeof request === "string" ? request : JSON.stringify(request);
  const body = view?.body ?? (typeof exact === "string" ? exact : plain);
  if (body === undefined || request === null)
    throw new SondeError("BAD_ARGUMENT", "there is no request yet: the agent has not called a model");
  const file = resolve(context.cwd, out);
  try {
    writeFileSync(file, body, { mode: 0o600 });
    chmodSync(file, 0o600);
  } catch (thrown) {
    throw new SondeError("BAD_ARGUMENT", advice`${named("out")}: ${(thrown as Error).message}`);
  }
  return { ...data, file, bytes: Buffer.byteLength(body) };
}

function uses(scope: Scope, { req, recorded }: Record<string, unknown>, file: string): Told[] {
  const at = typeof req === "number" ? req : 1;
  const { id } = scope.row;
  const fork = advice`${scope.call("agent fork", { source: id, at, body: file, args: ["claude", "…"] })} runs it again from there`;
  const edit = advice`${scope.call("agent edit-request", { file })} sends it instead, once it is changed`;
  return recorded === true ? [fork] : [edit, fork];
}

function more(scope: Scope, what: What, { call, last, whole, agent: of }: Arguments): Told[] {
  const same = { ...(call === undefined ? {} : { call }), ...(of === undefined ? {} : { agent: of }) };
  if (what === "request")
    return [
      advice`${scope.call("agent inspect", { what, out: "body.json", ...same })} writes all of it to a file`,
    ];
  if (what !== "messages" || whole) return [];
  return [
    advice`${scope.call("agent inspect", { what, last: last ?? 10, whole: true, ...same })} shows more of them, in full`,
  ];
}
