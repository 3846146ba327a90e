/** Lines of an answer of `test` that name lines of the program: by function, in the order of its source. Pure. */
import { statementText } from "../../trace/whole-statement.ts";
import { cut, oneLine } from "../../util/text.ts";
import { shortPath, type TextOptions } from "../answers/text.ts";
import type { Tested } from "./shape.ts";

type Origin = NonNullable<Tested["origin"]>;
type Unusual = NonNullable<Origin["unusual"]>;

/** How many lines, and how much of each. */
export interface StepCuts {
  steps: number;
  code: number;
  wrote: number;
}

export function stepLines(
  steps: Origin["lines"],
  { cwd }: TextOptions,
  how: StepCuts & { incomplete: boolean },
): string[] {
  return grouped(steps, cwd, (step, width) => stepLine(step, { ...how, width }));
}

/** `132 | prev_blank_line = True  (33)`, below what the number is of. */
export function unusualLines(
  { path, failed, passed }: Unusual,
  lines: Unusual["lines"],
  { cwd }: TextOptions,
  { code }: Pick<StepCuts, "code">,
): string[] {
  if (lines.length === 0) return [];
  return [
    `ran in the calls from ${shortPath(path, cwd)} that failed (${failed}), and in few of the ${passed} that did not (in how many)`,
    ...grouped(
      lines,
      cwd,
      (one, width) =>
        `    ${String(one.line).padStart(width)} | ${quoted(one.source, code)}  (${one.passed})`,
    ),
  ];
}

function grouped<T extends { path: string; function: string; line: number }>(
  lines: readonly T[],
  cwd: string,
  textOf: (line: T, width: number) => string,
): string[] {
  const groups = new Map<string, T[]>();
  for (const one of lines) {
    const key = `${one.path}\0${one.function}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ path, function: name } = { path: "", function: "" }] = group;
    const inOrder = group.toSorted((one, other) => one.line - other.line);
    const width = String(inOrder.at(-1)?.line ?? 0).length;
    return [`  ${shortPath(path, cwd)} in ${oneLine(name)}`, ...inOrder.map((one) => textOf(one, width))];
  });
}

function stepLine(
  { line, source, times, changes, returned }: Origin["lines"][number],
  { width, incomplete, code, wrote: chars }: StepCuts & { width: number; incomplete: boolean },
): string {
  const wrote = changes.map((one) => `${oneLine(one.name)} = ${oneLine(one.value)}`);
  const made = returned === undefined ? wrote : [...wrote, `returned ${oneLine(returned)}`];
  const said = [cut(made.join(", "), chars), timesText(times, incomplete)].filter((one) => one !== "");
  return `    ${[`${String(line).padStart(width)} | ${quoted(source, code)}`, ...said].join("  ")}`;
}

/** A statement of several lines stands on one of the answer's. */
export function quoted(source: string, chars: number): string {
  const { text, most } = statementText(source, chars);
  return cut(oneLine(text), most);
}

/** Only what was kept is counted. */
export function timesText(times: number, incomplete: boolean): string {
  return times > 1 ? `(${incomplete ? "at least " : ""}${times} times)` : "";
}
