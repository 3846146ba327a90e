/** Checks messages we send against the protocol's published schema, tightened: a field it does not know is an error. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";

interface Schema {
  type?: unknown;
  properties?: Record<string, Schema & { enum?: string[] }>;
  additionalProperties?: unknown;
  allOf?: Schema[];
  $ref?: string;
}

const { definitions } = JSON.parse(readFileSync(join(import.meta.dirname, "dap-schema.json"), "utf8")) as {
  definitions: Record<string, Schema>;
};
/** Types others build on, or whose fields are the adapter's own. */
const OPEN = new Set([
  "ProtocolMessage",
  "Request",
  "Event",
  "Response",
  "LaunchRequestArguments",
  "AttachRequestArguments",
]);
for (const [name, definition] of Object.entries(definitions)) {
  if (definition.properties && !OPEN.has(name)) definition.additionalProperties ??= false;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: "dap", definitions });

const requestTypes = new Map<string, string>();
for (const [name, { allOf }] of Object.entries(definitions)) {
  const command = allOf?.[1]?.properties?.command?.enum?.[0];
  if (command !== undefined && name.endsWith("Request")) requestTypes.set(command, name);
}

/** What is wrong with a request of ours, empty when nothing is. A custom command is checked as a plain request. */
export function validateRequest(message: unknown): string[] {
  const { command } = message as { command?: string };
  return check(requestTypes.get(String(command)) ?? "Request", message);
}

/** The same for anything we send: also answers to reverse requests. */
export function validateMessage(message: unknown): string[] {
  const { type, command, success } = message as { type?: string; command?: string; success?: boolean };
  if (type === "request") return validateRequest(message);
  if (type !== "response") return [`${String(type)}: only requests and responses are ours to send`];
  const response = requestTypes.get(String(command))?.replace(/Request$/, "Response");
  return check(success === false ? "ErrorResponse" : (response ?? "Response"), message);
}

function check(name: string, message: unknown): string[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(`dap#/definitions/${name}`);
  if (validate === undefined) throw new Error(`no definition ${name} in the schema`);
  if (validate(message)) return [];
  const { command, seq } = message as { command?: string; seq?: number };
  return (validate.errors ?? []).map(
    ({ instancePath, message: what, params }) =>
      `${String(command)} (seq ${String(seq)}): ${instancePath || "message"} ${what} ${JSON.stringify(params)}`,
  );
}
