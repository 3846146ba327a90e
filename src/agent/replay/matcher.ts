/** Which recorded call a request is. Calls of an agent come in their order; agents go on independently of each other. */
import type { ReadBody } from "../explain/fields.ts";
import { wholeText } from "../explain/fields.ts";
import { compareRequests, type Difference } from "./compare-requests.ts";
import type { Tape, TapeCall } from "./tape.ts";
import type { Volatile } from "./volatile.ts";

export interface Asked {
  wire: string;
  /** With secrets masked. */
  body: string;
  /** How the client names the agent that asks; undefined where it names none. */
  agent: string | undefined;
}

export type Match =
  | { found: "call"; call: TapeCall; grade: "exact" | "minor"; kinds: string[]; again: boolean }
  /** Nothing of this agent is left on the tape. */
  | { found: "end"; agent: string | undefined }
  | { found: "other"; call: TapeCall; difference: Difference; more: number };

interface Lane {
  agent: string;
  /** Not yet served, in order. */
  left: TapeCall[];
  last: TapeCall | undefined;
}

interface Graded {
  call: TapeCall;
  grade: "exact" | "minor";
  kinds: string[];
}

export class Matcher {
  readonly #lanes: Lane[] = [];
  /** Titles and the like come at any time. */
  readonly #auxiliary: TapeCall[] = [];
  /** The names of agents are new in each run: which lane is whose is learned from its first request. */
  readonly #bound = new Map<string, Lane>();
  readonly #readBody: ReadBody;
  readonly #volatile: Volatile;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tape: Tape, readBody: ReadBody, volatile: Volatile) {
    this.#readBody = readBody;
    this.#volatile = volatile;
    for (const call of tape.calls) {
      if (call.class === "auxiliary") this.#auxiliary.push(call);
      else this.#laneOf(call.agent).left.push(call);
    }
  }

  #laneOf(agent: string): Lane {
    const known = this.#lanes.find((lane) => lane.agent === agent);
    if (known !== undefined) return known;
    const lane: Lane = { agent, left: [], last: undefined };
    this.#lanes.push(lane);
    return lane;
  }

  /** Calls of agents that were not asked for. */
  get left(): number {
    return this.#lanes.reduce((sum, { left }) => sum + left.length, 0);
  }

  /** One after the other: two requests at once must not be taken for the same call. */
  match(asked: Asked): Promise<Match> {
    const match = this.#turn.then(() => this.#match(asked));
    this.#turn = match.catch(() => undefined); // told to who asked
    return match;
  }

  async #match(asked: Asked): Promise<Match> {
    const name = asked.agent ?? "main";
    const bound = this.#bound.get(name);
    const lanes = bound === undefined ? this.#free(name) : [bound];
    const next = await this.#best(asked, lanes.flatMap(ready));
    if (next !== undefined) return this.#serve(name, next);
    const again = await this.#best(
      asked,
      lanes.flatMap(({ last }) => last ?? []),
    );
    if (again !== undefined) return { found: "call", ...again, again: true };
    const auxiliary = await this.#best(asked, this.#auxiliary);
    if (auxiliary !== undefined) {
      this.#auxiliary.splice(this.#auxiliary.indexOf(auxiliary.call), 1);
      return { found: "call", ...auxiliary, again: false };
    }
    const expected = lanes.find(({ left }) => left.length > 0)?.left[0];
    if (expected === undefined) return { found: "end", agent: asked.agent };
    return this.#differs(asked, expected);
  }

  /** Lanes that are nobody's yet: the one of the same name first. */
  #free(name: string): Lane[] {
    const taken = new Set(this.#bound.values());
    const free = this.#lanes.filter((lane) => !taken.has(lane));
    return [...free.filter(({ agent }) => agent === name), ...free.filter(({ agent }) => agent !== name)];
  }

  #serve(name: string, graded: Graded): Match {
    const lane = this.#laneOf(graded.call.agent);
    this.#bound.set(name, lane);
    lane.left.splice(lane.left.indexOf(graded.call), 1);
    lane.last = graded.call;
    return { found: "call", ...graded, again: false };
  }

  /** The first that is the same to the byte, else the first that is the same but for what varies. */
  async #best(asked: Asked, calls: readonly TapeCall[]): Promise<Graded | undefined> {
    let minor: Graded | undefined;
    for (const call of calls) {
      if (call.wire !== asked.wire) continue;
      for (const stored of [call.body, call.sent]) {
        if (stored === undefined) continue;
        const grade = compareRequests(await wholeText(stored, this.#readBody), asked.body, this.#volatile);
        if (grade.grade === "exact") return { call, grade: "exact", kinds: [] };
        if (grade.grade === "minor") minor ??= { call, grade: "minor", kinds: grade.kinds };
      }
    }
    return minor;
  }

  async #differs(asked: Asked, call: TapeCall): Promise<Match> {
    if (call.wire !== asked.wire) {
      return {
        found: "other",
        call,
        difference: { where: "the API", recorded: call.wire, got: asked.wire },
        more: 0,
      };
    }
    const grade = compareRequests(await wholeText(call.body, this.#readBody), asked.body, this.#volatile);
    const difference =
      grade.grade === "major" ? grade.difference : { where: "the request", recorded: "", got: "" };
    return { found: "other", call, difference, more: grade.grade === "major" ? grade.more : 0 };
  }
}

/** The next call of a lane, and those that were made before it was answered: their order was chance. */
function ready({ left }: Lane): TapeCall[] {
  const [next] = left;
  if (next === undefined) return [];
  return [next, ...left.slice(1, 50).filter(({ askedAt }) => askedAt < next.answeredAt)];
}
