/** Breakpoints as rows, and as lines of text. */
import { type Breakpoint, binding } from "../session/breakpoints.ts";
import { oneLine } from "../util/text.ts";
import type { BreakpointRow } from "./shapes.ts";
import { shortPath, type TextOptions } from "./text.ts";

export function toRow(breakpoint: Breakpoint): BreakpointRow {
  const { id, kind, asked, path, line, hits, condition, hitCondition, logMessage, once } = breakpoint;
  const bound = binding(breakpoint);
  return {
    id,
    kind,
    at: asked,
    path: path ?? bound?.path,
    line: line ?? bound?.line,
    boundLine: kind === "line" && bound?.line !== undefined && bound.line !== line ? bound.line : undefined,
    state: !breakpoint.enabled
      ? "disabled"
      : bound === undefined
        ? "waiting"
        : bound.verified
          ? "bound"
          : "not bound",
    message: bound?.message,
    hits,
    condition,
    hitCondition,
    logMessage,
    once: once || undefined,
  };
}

export function breakpointLine(row: BreakpointRow, options: TextOptions): string {
  const where = row.path === undefined ? row.at : `${shortPath(row.path, options.cwd)}:${row.line}`;
  const place =
    row.kind === "line" ? where : `function ${row.at}${row.path === undefined ? "" : ` at ${where}`}`;
  const moved = row.boundLine !== undefined && !row.message ? `, bound to line ${row.boundLine}` : "";
  const extras = [
    row.condition && `if ${oneLine(row.condition)}`,
    row.hitCondition && `hit count ${oneLine(row.hitCondition)}`,
    row.logMessage && `logs ${JSON.stringify(row.logMessage)}`,
    row.once && "once",
  ].filter(Boolean);
  const hits = row.hits > 0 ? `, ${row.hits} hit${row.hits === 1 ? "" : "s"}` : "";
  const message = row.message ? `: ${oneLine(row.message)}` : "";
  // "line 2 holds no code; bound to line 3" says more than "bound".
  const state =
    row.state === "bound" && row.message ? oneLine(row.message) : `${row.state}${moved}${message}`;
  return [`breakpoint ${row.id}  ${oneLine(place)}`, ...extras, `${state}${hits}`].join("  ");
}
