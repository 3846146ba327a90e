/** From an expression to what an adapter can watch. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Debuggee } from "../debuggee.ts";
import { addressOfAny, evalFailed, firstError, mustOnlyLook } from "../machine/address.ts";
import type { Session } from "../session.ts";
import type { Aim, Place } from "../stack/focus.ts";
import type { Frame } from "../stack/frames.ts";
import { assigns } from "../values/assigning.ts";
import { findVariable } from "../values/find-variable.ts";
import type { Access, BreakpointSpec, FrameMark } from "./breakpoint.ts";

export interface WatchRequest {
  expression: string;
  access: Access;
  condition?: string;
  hitCondition?: string;
  /** Whose variable it is. */
  aim?: Aim;
}

const USES = { read: "read", write: "written", readWrite: "read or written" };

/** Everything about it but its number. */
export async function watchSpec(session: Session, asked: WatchRequest): Promise<BreakpointSpec> {
  const { expression, access } = asked;
  const { place, found, info, dataId } = await watchable(session, expression, asked.aim);
  if (info.accessTypes && !info.accessTypes.includes(access))
    throw new SondeError(
      "UNSUPPORTED",
      `the ${session.adapter.name} adapter cannot stop when ${expression} is ${USES[access]}`,
      { hint: `it can: ${info.accessTypes.join(", ")}` },
    );
  if (asked.hitCondition !== undefined && !place.debuggee.capabilities.supportsHitConditionalBreakpoints)
    throw new SondeError(
      "UNSUPPORTED",
      `the ${session.adapter.name} adapter cannot count the hits of a watch`,
      {
        hint: advice`use a condition instead: ${call("watch", { expression: blank("expression"), condition: blank("condition") })}`,
      },
    );
  const frame: FrameMark | undefined = found?.local ? markFrame(place) : undefined;
  const value = await readWatched(session, place.debuggee, place.frame, expression).catch(() => undefined);
  return {
    kind: "data",
    asked: expression,
    only: place.debuggee.id,
    watched: {
      dataId,
      access,
      lasts: info.canPersist === true,
      ...(frame === undefined ? {} : { frame }),
      ...(value === undefined ? {} : { value }),
    },
    ...(asked.condition === undefined ? {} : { condition: asked.condition }),
    ...(asked.hitCondition === undefined ? {} : { hitCondition: asked.hitCondition }),
  };
}

/** What the adapter says of it; nothing is set, and with `looks` nothing runs. A place that it cannot watch is a refusal. */
export async function watchable(
  session: Session,
  expression: string,
  aim?: Aim,
  { looks = false }: { looks?: boolean } = {},
): Promise<{ place: Place; found: OwnVariable | undefined; info: DataInfo; dataId: string }> {
  const place = await session.focus.place(undefined, aim);
  if (looks) await mustOnlyLook(place, expression);
  else if (assigns(expression))
    throw new SondeError(
      "BAD_ARGUMENT",
      `\`${expression}\` is an assignment; only a variable or a place in memory can be watched`,
      {
        hint: advice`${call("set", { target: blank("target"), value: blank("value") })} writes`,
      },
    );
  const found = await ownVariable(session, place, expression);
  const info = await dataInfo(session, place, expression, found?.container);
  if (info.dataId === null)
    throw new SondeError("EVAL_FAILED", `${expression} cannot be watched: ${firstError(info.description)}`);
  return { place, found, info, dataId: info.dataId };
}

interface OwnVariable {
  container?: number;
  local: boolean;
}

type DataInfo = DebugProtocol.DataBreakpointInfoResponse["body"];

/** A variable by its container; any other expression by its address where the adapter takes one, and by its text where not. */
export async function dataInfo(
  session: Session,
  place: Place,
  expression: string,
  variablesReference: number | undefined,
): Promise<DataInfo> {
  const { frame } = place;
  const { client, capabilities } = place.debuggee;
  if (variablesReference !== undefined)
    return client.request("dataBreakpointInfo", { variablesReference, name: expression });
  const inFrame = frame === undefined ? {} : { frameId: frame.adapterId };
  if (!capabilities.supportsDataBreakpointBytes)
    return client.request("dataBreakpointInfo", { name: expression, ...inFrame });
  const name = await addressOfAny(session, `&(${expression})`, place);
  const size = await client
    .request("evaluate", { expression: `sizeof(${expression})`, context: "watch", ...inFrame })
    .catch((error: unknown) => {
      throw evalFailed(`sizeof(${expression})`, error);
    });
  // With a frame lldb-dap takes the size from the expression's type, and an address has none.
  const bytes = Number.parseInt(size.result, 10) || 1;
  return client.request("dataBreakpointInfo", { name, asAddress: true, bytes });
}

/** The variable an expression names, if it is one, and whether the expression lives and dies with the frame: `p`, `p.x`, not `p->x`. */
export async function ownVariable(
  session: Session,
  { debuggee, frame }: Place,
  expression: string,
): Promise<OwnVariable | undefined> {
  const root = /^([\p{L}_$][\p{L}\p{N}_$]*)(\.[\p{L}\p{N}_$]+)*$/u.exec(expression)?.[1];
  if (root === undefined || !frame) return undefined;
  const found = await findVariable(session, debuggee, frame.adapterId, root, { unset: true });
  if (!found) return undefined;
  const scopes = await session.reads.scopes(debuggee, frame.adapterId);
  const hint = scopes.find((scope) => scope.variablesReference === found.scope)?.presentationHint ?? "";
  return {
    local: hint === "locals" || hint === "arguments",
    ...(root === expression ? { container: found.scope } : {}),
  };
}

export function markFrame({ threadId, frame, stack }: Place): FrameMark | undefined {
  if (!frame) return undefined;
  const whole = stack.frames.length >= stack.total;
  return {
    threadId,
    name: frame.name,
    ...(frame.path === undefined ? {} : { path: frame.path }),
    ...(whole ? { depth: stack.total - frame.index } : {}),
  };
}

/** Enough for a structure; a container can hold any number. */
const MEMBERS = 32;

/** The value whole, as text that can be compared; of a structure its members, one level down. */
export async function readWatched(
  session: Session,
  debuggee: Debuggee,
  frame: Frame | undefined,
  expression: string,
): Promise<string> {
  const { result, variablesReference } = await debuggee.client.request("evaluate", {
    expression,
    context: "watch",
    ...(frame === undefined ? {} : { frameId: frame.adapterId }),
  });
  if (variablesReference === 0 || /^(\(.*\)\s*)?0x|^"/.test(result)) return result;
  const page = { start: 0, count: MEMBERS };
  const members = (await session.reads.variables(debuggee, variablesReference, page)).slice(0, MEMBERS);
  return `{${members.map((one) => `${one.name} = ${one.value}`).join(", ")}}`;
}
