/**
 * How breakpoints go to one debuggee. DAP replaces a whole group at a time (a file's, all functions, all addresses, all watches),
 * so each of these sends the group as it now is.
 */

import type { Debuggee } from "../debuggee.ts";
import { record, takeable } from "./binding.ts";
import { type Breakpoint, isIn } from "./breakpoint.ts";

/** The groups that `which` belong to, out of `all` that there are. */
export async function sendGroups(
  debuggee: Debuggee,
  all: readonly Breakpoint[],
  which: readonly Breakpoint[],
): Promise<void> {
  const paths = new Set(which.flatMap((one) => one.path ?? []));
  const kinds = new Set(which.map((one) => one.kind));
  const mine = all.filter((one) => one.enabled && one.lost === undefined && isIn(one, debuggee));
  const of = (kind: Breakpoint["kind"]) =>
    takeable(
      debuggee,
      mine.filter((one) => one.kind === kind),
    );
  const lines = of("line");
  await Promise.all([
    ...[...paths].map((path) =>
      sendFile(
        debuggee,
        path,
        lines.filter((one) => one.path === path),
      ),
    ),
    ...WHOLE.filter(({ kind }) => kinds.has(kind)).map(async ({ kind, capability, send }) => {
      const group = of(kind);
      if (debuggee.capabilities[capability]) await send(debuggee, group);
    }),
  ]);
}

/** The kinds that are one group each. */
const WHOLE = [
  { kind: "function", capability: "supportsFunctionBreakpoints", send: sendFunctions },
  { kind: "instruction", capability: "supportsInstructionBreakpoints", send: sendInstructions },
  { kind: "data", capability: "supportsDataBreakpoints", send: sendData },
] as const;

async function sendFile(debuggee: Debuggee, path: string, mine: Breakpoint[]): Promise<void> {
  const body = await debuggee.client.request("setBreakpoints", {
    source: { path, name: path.split(/[\\/]/).at(-1) ?? path },
    breakpoints: mine.map((one) => ({
      line: one.line ?? 1,
      ...optional(one),
      ...(one.column === undefined ? {} : { column: one.column }),
      ...(one.logMessage === undefined ? {} : { logMessage: one.logMessage }),
    })),
  });
  record(debuggee, mine, body.breakpoints);
}

async function sendFunctions(debuggee: Debuggee, mine: Breakpoint[]): Promise<void> {
  const body = await debuggee.client.request("setFunctionBreakpoints", {
    breakpoints: mine.map((one) => ({ name: one.name ?? "", ...optional(one) })),
  });
  record(debuggee, mine, body.breakpoints);
}

async function sendInstructions(debuggee: Debuggee, mine: Breakpoint[]): Promise<void> {
  const body = await debuggee.client.request("setInstructionBreakpoints", {
    breakpoints: mine.map((one) => ({ instructionReference: one.reference ?? "", ...optional(one) })),
  });
  record(debuggee, mine, body.breakpoints);
}

async function sendData(debuggee: Debuggee, mine: Breakpoint[]): Promise<void> {
  const body = await debuggee.client.request("setDataBreakpoints", {
    breakpoints: mine.map((one) => ({
      dataId: one.watched?.dataId ?? "",
      accessType: one.watched?.access ?? "write",
      ...optional(one),
    })),
  });
  record(debuggee, mine, body.breakpoints);
}

function optional(one: Breakpoint): { condition?: string; hitCondition?: string } {
  return {
    ...(one.condition === undefined ? {} : { condition: one.condition }),
    ...(one.hitCondition === undefined ? {} : { hitCondition: one.hitCondition }),
  };
}
