/**
 * The client's breakpoints in files. dlv keeps one for each line, and binds none to a line without code; so those of a line go to
 * it as one, and those of a line without code as those of the next that has some.
 */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { reasoned } from "../../dap/refused-part.ts";
import type { Wire } from "../kit/dialect.ts";
import { type Group, group, joined } from "./merge.ts";
import { linesAfter } from "./nearest-code.ts";
import { whyNoCode } from "./no-code.ts";
import { refusalText } from "./plain-texts.ts";
import { isUsedUp, kept } from "./used-up.ts";

type Args = DebugProtocol.SetBreakpointsArguments;
type Bound = DebugProtocol.Breakpoint;

/** One of the client's that dlv has, alone or with others. */
export interface Member {
  id: number;
  condition?: string | undefined;
}

/** One of dlv's breakpoints that stops the program. */
export interface Counted {
  id: number;
  reason: "breakpoint" | "function breakpoint";
  path: string | undefined;
  line: number | undefined;
  members: Member[];
  hitCondition?: string | undefined;
}

interface Place {
  /** dlv's number. */
  id: number;
  path: string | undefined;
  line: number | undefined;
  members: Member[];
  hitCondition?: string | undefined;
  /** It stops nobody. */
  logs: boolean;
}

const NO_CODE = /^unable to set breakpoint$|^could not find statement/;
/** Far from dlv's own numbers: for all but the first of a line. */
const FIRST_ID = 1_000_000;

export class LineBreakpoints {
  /** By file as the client calls it. */
  readonly #places = new Map<string, Place[]>();
  /** By file: lines without code, and where their breakpoints are instead; nowhere, if that was looked for in vain. */
  readonly #moved = new Map<string, Map<number, number | undefined>>();
  #nextId = FIRST_ID;
  #last: Promise<unknown> = Promise.resolve();

  /** One after the other: it may take several requests. */
  set(wire: Wire, args: Args): Promise<{ breakpoints: Bound[] }> {
    const done = this.#last.then(() => this.#set(wire, args));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Takes them out of the program. */
  async clear(wire: Wire): Promise<void> {
    for (const path of this.#places.keys())
      await wire.ask("setBreakpoints", { source: { path }, breakpoints: [] });
  }

  /** Those of the client's that dlv's number stands for. */
  members(id: number | undefined): Member[] {
    return this.#all().find((one) => one.id === id)?.members ?? [];
  }

  /** Those that stop the program. */
  counted(): Counted[] {
    return this.#all().flatMap(({ logs, ...place }) => (logs ? [] : { ...place, reason: "breakpoint" }));
  }

  at(path: string | undefined, line: number | undefined): Member[] {
    return this.#all()
      .filter((one) => one.path === path && one.line === line)
      .flatMap((one) => one.members);
  }

  /** What happened to dlv's one happened to each. */
  changed(body: DebugProtocol.BreakpointEvent["body"], wire: Wire): unknown {
    const members = this.members(body.breakpoint.id);
    for (const { id } of members.slice(1))
      wire.emit("breakpoint", { ...body, breakpoint: { ...body.breakpoint, id } });
    return body; // the first has dlv's number
  }

  #all(): Place[] {
    return [...this.#places.values()].flat();
  }

  async #set(wire: Wire, args: Args): Promise<{ breakpoints: Bound[] }> {
    const path = args.source.path ?? "";
    const wanted = args.breakpoints ?? [];
    const moved = this.#moved.get(path) ?? new Map<number, number | undefined>();
    this.#moved.set(path, moved);
    const grouped = () => group(wanted, ({ line }) => moved.get(line) ?? line);
    let groups = grouped();
    let bound = await send(wire, args, groups);
    if (await look(wire, args, groups, bound, moved)) {
      groups = grouped();
      bound = await send(wire, args, groups);
    }
    for (const [place, { indexes }] of groups.entries())
      if (indexes.length > 0 && isRefused(bound[place]))
        ({ groups, bound } = await withoutSpoilt(wire, args, groups, place));
    const answers = this.#answers(args, groups, bound.map(kept));
    const empty = answers.filter(({ message = "" }) => NO_CODE.test(message));
    if (empty.length === 0) return { breakpoints: answers };
    const why = await whyNoCode(wire, path);
    return { breakpoints: answers.map((one) => (empty.includes(one) ? reasoned(one, why) : one)) };
  }

  #answers(args: Args, groups: Group[], bound: Bound[]): Bound[] {
    const wanted = args.breakpoints ?? [];
    const answers: Bound[] = wanted.map(() => ({ verified: false }));
    const places: Place[] = [];
    for (const [place, { indexes, refused, line }] of groups.entries()) {
      for (const { index, message } of refused) answers[index] = { verified: false, message, line };
      const answer = bound[place] ?? { verified: false };
      const members = indexes.map((index, nth) => {
        const id = nth === 0 ? (answer.id ?? 0) : this.#nextId++;
        answers[index] = { ...answer, ...(answer.id === undefined ? {} : { id }) };
        return { id, condition: wanted[index]?.condition };
      });
      const { hitCondition, logMessage } = wanted[indexes[0] ?? -1] ?? {};
      if (answer.id !== undefined)
        places.push({
          ...{ id: answer.id, path: answer.source?.path, line: answer.line, members },
          ...{ hitCondition, logs: Boolean(logMessage) },
        });
    }
    this.#places.set(args.source.path ?? "", places);
    return answers;
  }
}

function isRefused(answer: Bound | undefined): boolean {
  return answer?.verified === false && !NO_CODE.test(answer.message ?? "");
}

/** What dlv says to each of the groups, and to lines that are only tried: their condition never holds, so they stop nobody. */
async function send(wire: Wire, args: Args, groups: Group[], tried: number[] = []): Promise<Bound[]> {
  const wanted = args.breakpoints ?? [];
  const sent = groups.filter(({ indexes }) => indexes.length > 0);
  const breakpoints = [
    ...sent.map(({ line, indexes }) =>
      joined(
        line,
        indexes.flatMap((index) => wanted[index] ?? []),
      ),
    ),
    ...tried.map((line) => ({ line, condition: "false" })),
  ];
  const answer = await wire.ask("setBreakpoints", { ...args, breakpoints });
  if (!answer.success) throw new Error(refusalText(answer));
  const bound: Bound[] = [...answer.body.breakpoints];
  const ours = groups.map(({ indexes }) => (indexes.length > 0 ? bound.shift() : undefined));
  return [...ours.map((one) => one ?? { verified: false }), ...bound];
}

/** Finds where lines without code continue. Whether it had to look. */
async function look(
  wire: Wire,
  args: Args,
  groups: Group[],
  bound: Bound[],
  moved: Map<number, number | undefined>,
): Promise<boolean> {
  const lines = groups.map(({ line }) => line);
  const hasNone = (answer: Bound | undefined) => NO_CODE.test(answer?.message ?? "") && !isUsedUp(answer);
  const empty = lines.filter((line, place) => hasNone(bound[place]) && !moved.has(line));
  const after = empty.map((line) => ({ line, candidates: linesAfter(args.source.path ?? "", line) }));
  const candidates = new Set(after.flatMap((one) => one.candidates));
  if (candidates.size === 0) return false;
  const tried = [...candidates].filter((one) => !lines.includes(one));
  const answers = await send(wire, args, groups, tried);
  const withCode = [...lines, ...tried].filter((_, place) => answers[place]?.verified);
  for (const one of after)
    moved.set(
      one.line,
      one.candidates.find((line) => withCode.includes(line)),
    );
  return true;
}

/**
 * A condition that dlv cannot read takes those it was joined with along, and leaves a breakpoint that can be neither amended nor
 * hit. So each is tried alone, from nothing, and those that are good are joined.
 */
async function withoutSpoilt(
  wire: Wire,
  args: Args,
  groups: Group[],
  place: number,
): Promise<{ groups: Group[]; bound: Bound[] }> {
  const whole = groups[place] ?? { line: 0, indexes: [], refused: [] };
  const refused = [...whole.refused];
  const good: number[] = [];
  const only = (indexes: number[]) => groups.with(place, { ...whole, indexes, refused });
  const fromNothing = async (indexes: number[]) => {
    await send(wire, args, only([]));
    return { groups: only(indexes), bound: await send(wire, args, only(indexes)) };
  };
  for (const index of whole.indexes) {
    const { verified, message } = (await fromNothing([index])).bound[place] ?? {};
    if (verified) good.push(index);
    else refused.push({ index, message: message ?? "no reason given" });
  }
  return fromNothing(good);
}
