/** A report in TAP, whoever wrote it: which points fail, what they say, and where. */
import type { Compared, Failure, Place, Report } from "../runner.ts";
import { scriptPlaces } from "../traces.ts";
import { list, scalar, section } from "./details.ts";
import { bailedOut, brokenPlan, PLAN } from "./plan.ts";
import { isTap, type Point, pointsIn } from "./points.ts";

export interface TapReport extends Report {
  /** Its last failure is none of a point: the program gave up, or ran other than it planned. */
  unfinished?: "bailed out" | "plan";
}

/**
 * Nothing, if it is no TAP.
 * @param whole everything that was printed to the one stream that TAP is printed to; the plan is checked only where that is known.
 */
export function tapReport(text: string, whole: string | undefined): TapReport | undefined {
  const points = pointsIn(text);
  const bailed = bailedOut(text);
  if (!isTap(text) && (bailed === undefined || (points.length === 0 && !PLAN.test(text)))) return undefined;
  const apart = saidApart(text);
  const report = pointsReport(points, (point) => failureOf(withComments(point, apart)));
  if (bailed !== undefined)
    return { ...report, failures: [...report.failures, bailed], unfinished: "bailed out" };
  const broken = whole === undefined ? undefined : brokenPlan(whole);
  return broken === undefined
    ? report
    : { ...report, failures: [...report.failures, broken], unfinished: "plan" };
}

/** What is said of a failure on the other stream may stand anywhere: it names the test. */
function withComments(point: Point, apart: Map<string, string[]>): Point {
  const said = apart.get(point.path.at(-1) ?? "")?.shift();
  return said === undefined || FAILED.test(point.comments) ? point : { ...point, comments: said };
}

const FAILED = /^ *Failed test\b/m;

/** By the name of the test, in the order in which they were printed. */
function saidApart(text: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  let open: string[] | undefined;
  const close = (lines: readonly string[]) => {
    const name = /^Failed test '(.*)'$/.exec(lines[0] ?? "")?.[1];
    if (name !== undefined) all.set(name, [...(all.get(name) ?? []), lines.join("\n")]);
  };
  for (const line of [...text.split(/\r?\n/), ""]) {
    const said = /^ *# +(.*)$/.exec(line)?.[1];
    const isFirst = said !== undefined && FAILED.test(said);
    if (open !== undefined && (said === undefined || isFirst || /^Looks like/.test(said))) {
      close(open);
      open = undefined;
    }
    if (isFirst) open = [said];
    else if (said !== undefined) open?.push(said);
  }
  return all;
}

/** Those that sum up others count only where none of theirs fails. */
export function pointsReport(points: readonly Point[], read: (point: Point) => Failure): Report {
  const leaves = points.filter(({ inner }) => inner.length === 0);
  return {
    passed: leaves.filter(({ ok, skipped }) => ok && !skipped).length,
    skipped: leaves.filter(({ skipped }) => skipped).length,
    failures: failed(points).map(read),
  };
}

export function failed(points: readonly Point[]): Point[] {
  const isBad = ({ ok, skipped }: Point) => !ok && !skipped;
  return points.filter((point) => isBad(point) && !point.inner.some(isBad));
}

export function failureOf(point: Point): Failure {
  const { path, details, comments } = point;
  const name = path.filter((one) => one !== "").join(" > ");
  const type = typeIn(details);
  const message =
    scalar(details, "message") ?? scalar(details, "error") ?? saidIn(comments, path.at(-1) ?? "");
  return {
    name: name === "" ? "a test without a name" : name,
    ...(type === undefined ? { silent: true as const } : { type }),
    printed: point.line,
    message: message === "" ? (path.at(-1) ?? "") : message,
    places: placesIn(point),
    compared: comparedIn(details, comments),
  };
}

/** An error's class; a point that failed without an error has none. */
function typeIn(details: string): string | undefined {
  const name = scalar(details, "name") ?? scalar(details, "type");
  return name !== undefined && /^[\w$.]*(?:Error|Exception)\b/.test(name) ? name : undefined;
}

export function placesIn({ details, comments }: Pick<Point, "details" | "comments">): Place[] {
  const stack = scalar(details, "stack") ?? "";
  const lines = stack.replace(/^\s*(?:at )?(?=\S)/gm, "    at ");
  return distinct([...scriptPlaces(lines), ...placeAt(details), ...commentPlaces(comments)]);
}

/** `at:` with a file and a line below it, or in one line. */
function placeAt(details: string): Place[] {
  const below = section(details, "at") ?? details;
  const file = scalar(below, "fileName") ?? scalar(below, "file");
  const line = Number(scalar(below, "lineNumber") ?? scalar(below, "line"));
  if (file !== undefined && line > 0) return [{ file, line }];
  return scriptPlaces(`    at ${scalar(details, "at") ?? ""}`);
}

/** `at t/cart.t line 7.`, `(in test file cart.bats, line 5)`, `(cart.c:main() at line 12)`, `cart.c:12`. */
const IN_COMMENTS = [
  /\bat (\S.*?) line (\d+)\.?$/gm,
  /\(.*?(?:file )?(\S+), line (\d+)\)/g,
  /\((\S+?):[^\s:]+ at line (\d+)\)/g,
  /(?:^|[\s(])([\w./-]+\.\w+):(\d+)\b/gm,
];

function commentPlaces(comments: string): Place[] {
  return IN_COMMENTS.flatMap((form) =>
    [...comments.matchAll(form)].map(([, file = "", line]) => ({ file, line: Number(line) })),
  );
}

function distinct(places: readonly Place[]): Place[] {
  return places.filter(
    (one, at) => places.findIndex(({ file, line }) => file === one.file && line === one.line) === at,
  );
}

/** What it says beside its name, its place and its values; summaries at the end of a run are no one's. */
function saidIn(comments: string, name: string): string {
  const said = comments.split("\n").map((line) => line.trim());
  const end = said.findIndex((line) =>
    /^(?:Looks like|tests |suites |pass |fail |time=|\{ total:)/.test(line),
  );
  const own = (end < 0 ? said : said.slice(0, end)).filter(
    (line) =>
      line !== "" &&
      !/^Failed (?:\(TODO\) )?test\b/.test(line) &&
      !/^at .* line \d+\.?$/.test(line) &&
      !/^(?:got|expected|found|wanted): /.test(line) &&
      line !== `'${name}'`,
  );
  return own.join("\n");
}

const LABELS: [string, string][] = [
  ["expected", "actual"],
  ["wanted", "found"],
  ["expected", "got"],
];

function comparedIn(details: string, comments: string): Compared[] {
  const commented = (key: string) => new RegExp(`^ *${key}: (.*)$`, "m").exec(comments)?.[1];
  for (const [one, other] of LABELS) {
    const wanted = scalar(details, one) ?? commented(one);
    const had = scalar(details, other) ?? commented(other);
    if (wanted !== undefined && had !== undefined)
      return [
        { label: one, value: wanted },
        { label: other, value: had },
      ];
  }
  return differenceIn(scalar(details, "diff") ?? "");
}

/** One line against one line; more is no pair of values. */
function differenceIn(diff: string): Compared[] {
  const only = (sign: string) => {
    const marked = diff.split("\n").filter((line) => line.startsWith(sign) && !/^(?:---|\+\+\+) /.test(line));
    return marked.length === 1 ? marked[0]?.slice(1) : undefined;
  };
  const [expected, actual] = [only("-"), only("+")];
  if (!/^--- expected\n\+\+\+ actual$/m.test(diff) || expected === undefined || actual === undefined)
    return [];
  return [
    { label: "expected", value: expected },
    { label: "actual", value: actual },
  ];
}

/** How a file was run, as node-tap tells it. */
export function commandIn(details: string): string[] | undefined {
  const command = scalar(details, "command");
  return command === undefined ? undefined : [command, ...list(details, "args")];
}
