/** Breakpoints as rows, and as lines of text. */
import { type Breakpoint, binding, called } from "../../session/breakpoints/breakpoint.ts";
import { cut, oneLine } from "../../util/text.ts";
import type { BreakpointRow } from "../answers/shapes.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";

export function toRow(breakpoint: Breakpoint): BreakpointRow {
  const { id, kind, asked, path, line, hits, condition, hitCondition, logMessage, once } = breakpoint;
  const bound = binding(breakpoint);
  const { access, value } = breakpoint.watched ?? {};
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
    refused: bound?.verified ? undefined : bound?.refusedPart,
    hits,
    condition,
    hitCondition,
    logMessage,
    once: once || undefined,
    address: breakpoint.reference,
    access,
    value: value === undefined ? undefined : cut(value, 120),
  };
}

export function breakpointLine(row: BreakpointRow, options: TextOptions): string {
  const moved = row.boundLine === undefined || row.message ? "" : `bound to line ${row.boundLine}`;
  const extras = [
    row.condition && `if ${oneLine(row.condition)}`,
    row.hitCondition && `hit count ${oneLine(row.hitCondition)}`,
    row.logMessage && `logs ${JSON.stringify(row.logMessage)}`,
    row.once && "once",
  ].filter(Boolean);
  const hits = row.hits > 0 ? `, ${row.hits} hit${row.hits === 1 ? "" : "s"}` : "";
  const said = row.message ? oneLine(options.say(row.message)) : "";
  const message = said && `: ${said}`;
  // "line 2 holds no code; bound to line 3" says more than "bound".
  const state =
    row.state === "bound"
      ? said || moved || "bound"
      : `${[row.state, moved].filter(Boolean).join(", ")}${message}`;
  return [`${called(row)}  ${oneLine(placeText(row, options))}`, ...extras, `${state}${hits}`].join("  ");
}

const STOPS_ON = { write: "", read: "  on reads", readWrite: "  on reads and writes" };

function placeText(row: BreakpointRow, options: TextOptions): string {
  const where = row.path === undefined ? row.at : `${shortPath(row.path, options.cwd)}:${row.line}`;
  const also = row.path === undefined ? "" : ` at ${where}`;
  switch (row.kind) {
    case "line":
      return where;
    case "function":
      return `function ${row.at}${also}`;
    case "instruction":
      return `instruction ${row.at}${row.address === row.at ? "" : ` ${row.address}`}${also}`;
    case "data":
      return `${row.at}${row.value === undefined ? "" : ` = ${row.value}`}${STOPS_ON[row.access ?? "write"]}`;
  }
}
