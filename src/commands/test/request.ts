/** What one `test` was asked for, as all its parts see it. */
import { withoutColours } from "../../runners/colours.ts";
import type { Failure, Line, Report, Runner } from "../../runners/runner.ts";
import type { Ending } from "../../session/state.ts";
import type { PlainEnd } from "../context.ts";
import type { Running } from "../runs/running.ts";
import type { Tested } from "./shape.ts";

const LAST_LINES = 15;

export interface Request {
  /** What runs everything. */
  words: string[];
  /** See test-line.ts. */
  starter: string[];
  cwd: string;
  running: Running;
  env: Record<string, string>;
  /** In seconds, if the caller gave it. */
  timeout: number | undefined;
  timeoutMs: number;
  name: string | undefined;
  further: boolean;
  /** What the caller gave. */
  typed: string[];
}

export interface Known {
  rules: Runner;
  line: Line;
}

export type Answer = Omit<Tested, "command" | "words">;

export function nothingFailed(
  end: PlainEnd,
): Pick<Answer, "state" | "others" | "moreOthers" | "output" | "notes"> {
  const isGood = end.how === "exited" && end.code === 0;
  const said = withoutColours(`${end.stdout}\n${end.stderr}`).trim().split("\n");
  return {
    state: isGood ? "passed" : "failed",
    others: [],
    moreOthers: 0,
    output: isGood ? [] : said.slice(-LAST_LINES),
    notes: isGood ? [] : ["no test failed, but the runner did"],
  };
}

export function countsOf({ failures, passed, skipped }: Report): NonNullable<Answer["counts"]> {
  return { failed: failures.length, passed, skipped };
}

export function describeFailure({ name, type, message, compared }: Failure): NonNullable<Answer["test"]> {
  return {
    name,
    compared,
    ...(type === undefined ? {} : { type }),
    ...(message === undefined || message === "" ? {} : { message }),
  };
}

export function placeNote([place]: Failure["places"]): string[] {
  return place === undefined ? [] : [`it names ${place.file}:${place.line}`];
}

const MOST_OTHERS = 20;

export function otherFailures({ failures }: Report, shown: Failure): Pick<Answer, "others" | "moreOthers"> {
  const others = failures.filter((one) => one !== shown).map(({ name }) => name);
  return {
    others: others.slice(0, MOST_OTHERS),
    moreOthers: Math.max(0, others.length - MOST_OTHERS),
  };
}

type Status = NonNullable<Answer["status"]>;

export function statusOf(end: PlainEnd): Status {
  if (end.how === "timeout") return {};
  return {
    ...(end.code === null ? {} : { exitCode: end.code }),
    ...(end.signal === null ? {} : { signal: end.signal }),
  };
}

export function endOf({ exitCode, signal }: Ending): Status {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}
