/** agent inject, set, edit-request, kill-call: what the model is asked. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { advice, call, named } from "../../advice/advice.ts";
import { editedInput } from "../../agent/wire/edited-input.ts";
import { SondeError } from "../../errors.ts";
import { exactJson } from "../../util/exact-json.ts";
import { cut, oneLine, plural } from "../../util/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl, type Scope } from "./choosing.ts";
import { type Answer, ask, control, controlled, stopsIn } from "./control.ts";
import { looseValue } from "./edited-input.ts";
import { agent, changes, controlResult, dir } from "./shapes.ts";
import { controlText } from "./stop-text.ts";

const stop = z
  .string()
  .regex(/^s\d+$/, "is a stop's id, such as s1")
  .optional()
  .describe("which held call to the model (default: the only one)");

export const inject = command({
  name: "agent inject",
  summary:
    "add a message to the conversation; it is sent with the held call to the model, or with the next one",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    role: z.enum(["user", "assistant", "system"]).describe("who says it"),
    text: z.string().min(1).max(1_000_000).describe("what is said"),
    agent,
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["role", "text"], join: true, long: ["text"] },
  mcp: {
    tool: "agent",
    action: "inject",
    takes: ["role", "text", "agent"],
    ofSession: true,
    brief: "a message into the conversation.",
  },
  examples: ["sonde agent inject user 'leave the tests alone'"],
  run: (context, args) =>
    control(
      context,
      args,
      "inject_message",
      { role: args.role, content: args.text, agent: args.agent },
      injectedText,
    ),
  text: controlText,
});

function injectedText({ id, goesWith, note }: Answer): string {
  const words = [id === undefined ? "injected" : `injected as ${String(id)}`];
  if (goesWith !== undefined) words.push(`it goes with ${String(goesWith)}`);
  return [...words, ...(note === undefined ? [] : [String(note)])].join("; ");
}

export const set = command({
  name: "agent set",
  summary:
    "change a setting of later calls to the model (model, max_tokens, temperature …), or a variable that the agent registered with Sonde's library",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    key: z.string().min(1).max(200).describe("name of the setting or variable"),
    value: z
      .string()
      .optional()
      .describe("its value: JSON or text; null undoes the change")
      .meta({ brief: "JSON or text; null undoes the change" }),
    unset: z.boolean().optional().describe("undo the change: send the agent's own value again"),
    agent,
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["key", "value"] },
  mcp: { tool: "agent", action: "set", takes: ["key", "value", "agent"], ofSession: true },
  examples: [
    "sonde agent set model claude-haiku-4-5",
    "sonde agent set max_tokens 1000",
    "sonde agent set max_tokens --unset",
  ],
  run: async (context, args) => {
    const { key, agent: of } = args;
    const value = settingOf(args);
    const scope = await runToControl(context, args);
    const answer = await ask(context, scope, "set_variable", { key, value, agent: of });
    const { before, value: now = value, appliesTo, agent: who } = answer;
    const was = before === undefined ? "" : ` (it was ${shown(before)})`;
    const isTakenBack = now === null && appliesTo !== undefined;
    const what = isTakenBack ? `${key}: the agent's own value again` : `${key} = ${shown(now)}`;
    const when = appliesTo === undefined ? "" : `, from ${await firstCallWith(context, scope, who)} on`;
    const did = `${what}${was}${when}`;
    const back = advice`${scope.call("agent set", { key, unset: true })} undoes it`;
    return controlled(context, scope, answer, did, isTakenBack || appliesTo === undefined ? [] : [back]);
  },
  text: controlText,
});

/** A held call is sent with what is set when it is let go; a body that was put in its place is sent as it is. */
async function firstCallWith(context: Context, scope: Scope, agentId: unknown): Promise<string> {
  const of = typeof agentId === "string" ? { agent: agentId } : {};
  const seen = await ask(context, scope, "inspect", { what: "stops", ...of });
  const [held] = stopsIn(seen).filter(({ at, agent: who }) => at === "model" && who.id === agentId);
  if (held === undefined) return "the next call to the model";
  return changes.safeParse(seen.changes).data?.replaced
    ? `the call after the held one (${held.id}, whose body was replaced)`
    : `the held call (${held.id})`;
}

/** Settings of a request that every provider takes as numbers. */
const NUMBERS = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "temperature",
  "top_p",
  "top_k",
  "presence_penalty",
  "frequency_penalty",
];

function settingOf({
  key,
  value,
  unset,
}: {
  key: string;
  value?: string | undefined;
  unset?: boolean | undefined;
}): unknown {
  const back = advice`${call("agent set", { key, unset: true })} undoes a change`;
  if ((value === undefined) === (unset !== true))
    throw new SondeError("BAD_ARGUMENT", advice`set takes ${named("value")} or ${named("unset")}`, {
      hint: advice`${call("agent set", { key, value: NUMBERS.includes(key) ? "1" : "…" })}; ${back}`,
    });
  const setting = value === undefined ? null : looseValue(value);
  if (!NUMBERS.includes(key) || setting === null || typeof setting === "number") return setting;
  throw new SondeError("BAD_ARGUMENT", `${key} is a number, and ${shown(setting)} is not`, {
    hint: advice`${call("agent set", { key, value: key.startsWith("max") ? "1000" : "0.5" })}; ${back}`,
  });
}

function shown(value: unknown): string {
  return cut(oneLine(JSON.stringify(value) ?? "undefined"), 200);
}

export const editRequest = command({
  name: "agent edit-request",
  summary: "replace the whole body of a held call to the model",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    file: z
      .string()
      .optional()
      .describe(
        "a file with the body, as `agent inspect request --out` writes it or `--json` prints it; - for your standard input",
      ),
    body: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("the body itself, as JSON")
      .meta({ brief: "whole body" }),
    stop,
    resume: z.boolean().optional().describe("then send it"),
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["file"], long: ["body"] },
  mcp: {
    tool: "agent",
    action: "edit_request",
    takes: ["file", "body", "stop", "resume"],
    ofSession: true,
    oneOf: [["file"], ["body"]],
  },
  examples: ["sonde agent edit-request --file body.json --resume"],
  run: async (context, args) => {
    const { stop: at, resume = false } = args;
    const { body, exact } = await bodyOf(context, args);
    return control(
      context,
      args,
      "edit_request",
      { stop: at, body, exact, resume },
      ({ stop: id, bytes }) =>
        `the request of ${String(id ?? "the held call")} is replaced (${plural(Number(bytes ?? 0), "byte")})${resume ? " and sent" : ", still held"}`,
    );
  },
  text: controlText,
});

interface BodyArguments {
  file?: string | undefined;
  body?: Record<string, unknown> | undefined;
  stop?: string | undefined;
  dir?: string | undefined;
}

async function bodyOf(
  context: Context,
  args: BodyArguments,
): Promise<{ body: Record<string, unknown>; exact?: string | undefined }> {
  const { file, body } = args;
  if (body !== undefined && file === undefined)
    return { body, exact: await keptNumbers(context, args, body) };
  if (file === undefined || body !== undefined) {
    throw new SondeError("BAD_ARGUMENT", advice`give ${named("file")} or ${named("body")}`);
  }
  const text = await textOf(context, file);
  const value = jsonIn(text, file);
  if (isRecord(value) && value.ok === true && isRecord(value.data) && isRecord(value.data.request)) {
    // What `inspect request --json` wrote is taken as it is; `exact` is what it said of the same request.
    const { request, exact } = value.data;
    const isSame = typeof exact === "string" && isDeepStrictEqual(JSON.parse(exact), request);
    return { body: request, exact: isSame ? exact : undefined };
  }
  if (isRecord(value)) return { body: value, exact: exactJson(text) };
  throw new SondeError("BAD_ARGUMENT", advice`${named("file")}: ${file} does not hold a JSON object`);
}

/** Numbers that a value cannot hold, where they are the same as in the request that is held. */
async function keptNumbers(
  context: Context,
  args: BodyArguments,
  body: Record<string, unknown>,
): Promise<string | undefined> {
  const scope = await runToControl(context, args);
  const held = stopsIn(await ask(context, scope, "inspect", { what: "stops" }));
  const of = held.find(({ id, at }) => at === "model" && (args.stop === undefined || id === args.stop));
  if (of === undefined) return undefined;
  const { exact } = await ask(context, scope, "inspect", { what: "request", agent: of.agent.id });
  return typeof exact === "string" ? exactJson(editedInput({ input: body }, exact)) : undefined;
}

async function textOf(context: Context, file: string): Promise<string> {
  try {
    return file === "-"
      ? (await context.stdin()).toString("utf8")
      : readFileSync(resolve(context.cwd, file), "utf8");
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `there is no file ${file}` : `${file}: ${message}`;
    throw new SondeError("BAD_ARGUMENT", advice`${named("file")}: ${why}`, { hint: WRITES_IT });
  }
}

const WRITES_IT = advice`${call("agent inspect", { what: "request", out: "body.json" })} writes the held request to a file`;

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const where = file === "-" ? "your standard input" : file;
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("file")}: ${where} is not JSON: ${(thrown as Error).message}`,
      {
        hint: WRITES_IT,
      },
    );
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const killCall = command({
  name: "agent kill-call",
  summary:
    "drop a held call to the model: it is not sent, and the agent gets your text as the answer, or an error",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    stop,
    text: z
      .string()
      .max(100_000)
      .optional()
      .describe("the answer that the agent gets instead (default: an error)"),
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["stop"] },
  mcp: { tool: "agent", action: "kill_call", takes: ["text", "stop"], ofSession: true },
  examples: ["sonde agent kill-call", "sonde agent kill-call s2", "sonde agent kill-call --text 'Done.'"],
  run: (context, args) =>
    control(
      context,
      args,
      "kill_call",
      { stop: args.stop, text: args.text },
      ({ stop: id, agentGets }) =>
        `${String(id ?? "the call")} is not sent; the agent gets ${String(agentGets ?? "an error")}`,
    ),
  text: controlText,
});
