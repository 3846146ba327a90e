/**
 * Where a wrong value came from, by what a recorder saw of the run: the call that returned it, or the lines that wrote the field in
 * which it stands. Only calls that ended and lines that ran are named; the sources only say which names a line reads. Pure.
 */
import { type Activation, isNamed, runningIn } from "./activations.ts";
import { decisions, madeBy, type Unmet, unmetIn } from "./expected.ts";
import { flowOf } from "./flow.ts";
import { handedIn } from "./handed-in.ts";
import { isKnown, lastOf, type Moment } from "./moments.ts";
import { pointedAt, statementOf, type Wanted, wantedBy } from "./reading.ts";
import { askedAs, depthFor, linesOf, type Question, Search, type Source, type Stood } from "./search.ts";
import type { Step } from "./step.ts";

export interface Origin extends Omit<Source, "innermost"> {
  /** Lines that it depends on, the nearest first. */
  steps: Step[];
  /** Code that has the expected value, and did not run. */
  unmet: Unmet[];
  /** Not all that ran is in the recording: a line ran at least as often as it is there. */
  incomplete?: true;
}

/** So many lines stand in an answer; there are more in the data. */
export const SHOWN_STEPS = 12;
const MOST_STEPS = 40;
const MOST_LATER = 2;

const NO_SOURCE: Source = { calls: [], writes: [], functions: [], depth: 0 };

export function originOf(all: readonly Activation[], question: Question): Origin | undefined {
  const stack = standing(all, question);
  const { innermost, ...found } = sourceOf(all, stack, question) ?? NO_SOURCE;
  const about = { source: question.source, beside: stack.at(-1)?.active.path };
  const unmet = unmetIn(all, question.differing.expected, about);
  const keys = stack[0] === undefined ? [] : (pointedAt(stack[0].statement, question.said) ?? []);
  // Of an object the part that the failure names, or that the failing line was given.
  const wanted =
    keys[0] !== undefined && keys.length === 1
      ? { key: keys[0], at: -1 }
      : takenOf(stack[0], innermost, question);
  const nearest = [
    ...(innermost === undefined
      ? []
      : [{ active: innermost, wanted, ...lastOf(innermost, question.source(innermost.path)) }]),
    ...decisions(all, unmet),
    ...madeBy(all, question.differing.actual, about),
  ];
  const steps = stepsOf(all, stack, question, nearest);
  const later = laterIn(steps);
  if (found.functions.length + found.calls.length + found.writes.length + steps.length === 0)
    return undefined;
  return {
    ...found,
    unmet,
    ...(later.length === 0 ? {} : { functions: later.map(askedAs), depth: 0 }),
    steps,
  };
}

/** Which part of what a call returned stands on the failing line: of `const { sums, errors } = scenario()`, `sums`. */
function takenOf(
  stood: Stood | undefined,
  { parent, calledAt, calledIn }: Partial<Activation> = {},
  { source }: Question,
): Wanted | undefined {
  if (stood === undefined || parent !== stood.active || calledAt === undefined) return undefined;
  const { active, statement } = stood;
  const isTaken = (name: string) => parent.lines[calledIn ?? -1]?.changes.some(([one]) => one === name);
  const [name, ...others] = statement.names.filter((one) => isKnown(active, one));
  if (name === undefined || others.length > 0 || !isTaken(name)) return undefined;
  return wantedBy(name, statementOf(source(active.path), calledAt));
}

/** The code under test: neither the test itself nor, where there is anything else, what stands beside it, nor what runs as a file is loaded, but for the state that it fills. */
function stepsOf(
  all: readonly Activation[],
  stack: readonly Stood[],
  question: Question,
  nearest: readonly Moment[],
): Step[] {
  const test = stack.at(-1)?.active;
  const isTest = (step: Step) => step.path === test?.path && step.function === test.function;
  const steps = flowOf(all, stack, question, nearest).filter(
    (step) => !isTest(step) && (step.keeps === true || !/^<\w*>$/.test(step.function)),
  );
  const others = steps.filter((step) => step.path !== test?.path);
  const own = others.length > 0 ? others : steps;
  const running = runningIn(all, test);
  const isRunning = (step: Step) => step.keeps === true || running.has(`${step.path}\0${step.function}`);
  // What only ran as files were loaded is seldom it, but for state that was filled then.
  return [...own.filter(isRunning), ...own.filter((step) => !isRunning(step))].slice(0, MOST_STEPS);
}

/** Functions with the lines that come after those that an answer has room for, the weightiest first. */
function laterIn(steps: readonly Step[]): string[] {
  const weights = new Map<string, number>();
  for (const [at, { function: name }] of steps.entries())
    if (at >= SHOWN_STEPS && isNamed(name)) weights.set(name, (weights.get(name) ?? 0) + 1 / (at + 1));
  return [...weights]
    .sort((one, other) => other[1] - one[1])
    .map(([name]) => name)
    .slice(0, MOST_LATER);
}

function sourceOf(
  all: readonly Activation[],
  stack: readonly Stood[],
  question: Question,
): Source | undefined {
  let given: readonly string[] = [];
  for (const [at, one] of stack.entries()) {
    const search = new Search(all, one, { ...question, inner: stack[at - 1]?.active, given, at });
    const found = search.origin();
    if (found !== undefined) return handedIn(all, stack, question, at) ?? found;
    given = one.active.arguments.map(([, value]) => value);
  }
  return ownFunction(all, stack, question);
}

/** The activations of the frames: the last that stood on their lines. */
export function standing(all: readonly Activation[], { frames, source }: Question): Stood[] {
  return frames.flatMap(({ path, line }) => {
    if (path === undefined) return [];
    const statement = statementOf(source(path), line);
    const isHere = (ran: number) => ran >= statement.first && ran <= statement.last;
    const there = all.filter((one) => one.path === path && one.lines.some((ran) => isHere(ran.line)));
    const active = there.findLast((one) => isHere(one.lines.at(-1)?.line ?? 0)) ?? there.at(-1);
    return active === undefined ? [] : [{ active, statement }];
  });
}

/** What failed in one's own code, where nothing of what it works with was made by another call: line by line, from its arguments on. */
function ownFunction(
  all: readonly Activation[],
  stack: readonly Stood[],
  { source }: Question,
): Source | undefined {
  // The outermost is the test.
  const own = stack
    .slice(0, -1)
    .find(({ active }) => isNamed(active.function) && linesOf(active, source(active.path)) > 2);
  if (own === undefined) return undefined;
  return {
    calls: [],
    writes: [],
    functions: [askedAs(own.active.function)],
    depth: depthFor(all, [own.active]),
  };
}
