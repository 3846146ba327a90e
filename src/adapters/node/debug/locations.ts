/** Where breakpoints can go: all places of some lines, and the calls a step may enter. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Arrivals } from "./arrivals.ts";
import { outlineFile } from "./file-check.ts";
import type { LiveFrame } from "./pause.ts";
import { realPath } from "./script-url.ts";
import type { Scripts } from "./scripts.ts";
import type { Sources } from "./sources.ts";

interface Tools {
  cdp: Cdp;
  scripts: Scripts;
  arrivals: Arrivals;
  sources: Sources;
}

export async function breakpointLocations(
  { cdp, scripts, arrivals }: Tools,
  { source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
): Promise<DebugProtocol.BreakpointLocation[]> {
  const path = realPath(source.path ?? "");
  const [mapped] = await arrivals.from(path);
  const original = mapped?.map?.sourceAt(path);
  if (mapped?.map !== undefined && mapped.script !== undefined && original !== undefined) {
    const { map, script } = mapped;
    const from = map.generated(original, line - 1);
    const to = map.generated(original, endLine);
    if (from === undefined) return [];
    const isOrdered =
      to !== undefined && (to.line > from.line || (to.line === from.line && to.column > from.column));
    const found = await possible(cdp, script.id, from, isOrdered ? to : { line: from.line + 1, column: 0 });
    return found.flatMap(({ lineNumber, columnNumber = 0 }) => {
      const at = map.original({ line: lineNumber, column: columnNumber });
      const isInside = at?.source === original && at.line >= line - 1 && at.line <= endLine - 1;
      return isInside ? [{ line: at.line + 1, column: at.column + 1 }] : [];
    });
  }
  const script = scripts.atPath(path).at(-1);
  if (script === undefined) {
    const { lines } = await outlineFile(cdp, path);
    return lines.filter((one) => one >= line - 1 && one <= endLine - 1).map((one) => ({ line: one + 1 }));
  }
  const found = await possible(cdp, script.id, { line: line - 1, column: 0 }, { line: endLine, column: 0 });
  return found.map(({ lineNumber, columnNumber = 0 }) => ({
    line: lineNumber + 1,
    column: columnNumber + 1,
  }));
}

export interface CallTarget {
  label: string;
  location: Protocol.Debugger.Location;
  /** The program stands right before it. */
  isNext: boolean;
}

/** Calls still to be made on the current line, in the order they are made. */
export async function callTargets({ cdp, sources }: Tools, { call }: LiveFrame): Promise<CallTarget[]> {
  const { scriptId, lineNumber, columnNumber = 0 } = call.location;
  const here = await sources.place(scriptId, { line: lineNumber, column: columnNumber });
  const start = { scriptId, lineNumber, columnNumber };
  const [{ locations }, { scriptSource }] = await Promise.all([
    cdp.send("Debugger.getPossibleBreakpoints", {
      start,
      end: { scriptId, lineNumber: lineNumber + 1, columnNumber: 0 },
      restrictToFunction: true,
    }),
    cdp.send("Debugger.getScriptSource", { scriptId }),
  ]);
  const text = scriptSource.split("\n")[lineNumber] ?? "";
  const targets: CallTarget[] = [];
  for (const location of locations.filter(({ type }) => type === "call")) {
    const column = location.columnNumber ?? 0;
    const place = await sources.place(scriptId, { line: lineNumber, column });
    if (place.line !== here.line) continue;
    const isNext = column === columnNumber;
    targets.push({
      label: calleeAt(text, column),
      location: { scriptId, lineNumber, columnNumber: column },
      isNext,
    });
  }
  return targets;
}

function calleeAt(text: string, column: number): string {
  const name = /^(?:new\s+|await\s+)?[\w$]+(?:\??\.[\w$]+)*/.exec(text.slice(column))?.[0];
  return name ?? text.slice(column, column + 20);
}

async function possible(
  cdp: Cdp,
  scriptId: string,
  from: { line: number; column: number },
  to: { line: number; column: number },
) {
  const { locations } = await cdp.send("Debugger.getPossibleBreakpoints", {
    start: { scriptId, lineNumber: from.line, columnNumber: from.column },
    end: { scriptId, lineNumber: to.line, columnNumber: to.column },
  });
  return locations;
}
