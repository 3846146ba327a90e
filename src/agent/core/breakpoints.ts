/** The breakpoints of a run: which there are, and which of them an occasion meets. Pure but for its own counts. */
import { SondeError } from "../../errors.ts";
import { plural } from "../../util/text.ts";
import type { Breakpoint, BreakpointKind, BreakpointRequest } from "./commands.ts";
import { glob, Pattern } from "./pattern.ts";

/** Something that breakpoints may be about. Each kind is looked at where it can first be known. */
export type Occasion = { agent: string } & (
  | { kind: "tool"; name: string; input: string; repeats: number }
  | {
      kind: "model";
      iteration: number;
      totalIterations: number;
      tokens: number;
      cost: number | undefined;
      firstOfSubagent: boolean;
      compacted: boolean;
    }
  | { kind: "answered"; stopReason: string }
  | { kind: "failed"; what: string }
);

export interface Met {
  breakpoint: Breakpoint;
  why: string;
  /** False: it is only recorded. */
  stops: boolean;
}

interface Entry {
  breakpoint: Breakpoint;
  /** Undefined: not met. */
  meets(occasion: Occasion): string | undefined;
}

const DEFAULT_REPEATS = 3;
/** A person sets a few; more than this is a mistake. */
const MOST = 1000;

export class Breakpoints {
  readonly #entries: Entry[] = [];
  #last = 0;

  add(request: BreakpointRequest): Breakpoint {
    if (this.#entries.length >= MOST)
      throw new SondeError("BAD_ARGUMENT", `there are ${MOST} breakpoints already`);
    const meets = ruleOf(request);
    const breakpoint: Breakpoint = { ...request, id: ++this.#last, enabled: true, hits: 0 };
    this.#entries.push({ breakpoint, meets });
    return breakpoint;
  }

  get list(): readonly Breakpoint[] {
    return this.#entries.map(({ breakpoint }) => breakpoint);
  }

  get(id: number): Breakpoint {
    const found = this.#entries.find(({ breakpoint }) => breakpoint.id === id);
    if (found) return found.breakpoint;
    const known = this.#entries.map(({ breakpoint }) => breakpoint.id).join(", ");
    throw new SondeError("BAD_ARGUMENT", `there is no breakpoint ${id}`, {
      hint: known === "" ? "no breakpoints are set" : `there are: ${known}`,
    });
  }

  enable(id: number, enabled: boolean): Breakpoint {
    const breakpoint = this.get(id);
    breakpoint.enabled = enabled;
    return breakpoint;
  }

  clear(id: number): Breakpoint {
    const breakpoint = this.get(id);
    this.#entries.splice(
      this.#entries.findIndex((one) => one.breakpoint === breakpoint),
      1,
    );
    return breakpoint;
  }

  clearAll(): number {
    return this.#entries.splice(0).length;
  }

  /** Whether a tool call of this agent may have to be held. */
  watchesTools(agent: string): boolean {
    return this.#entries.some(
      ({ breakpoint }) =>
        breakpoint.enabled &&
        !breakpoint.log &&
        TOOL_KINDS.includes(breakpoint.on) &&
        concerns(breakpoint, agent),
    );
  }

  /** All that are met, in the order in which they were set; counts them. */
  meet(occasion: Occasion): Met[] {
    const met: Met[] = [];
    for (const { breakpoint, meets } of [...this.#entries]) {
      if (!breakpoint.enabled || !concerns(breakpoint, occasion.agent)) continue;
      const why = meets(occasion);
      if (why === undefined) continue;
      breakpoint.hits++;
      if (breakpoint.hits <= (breakpoint.ignore ?? 0)) continue;
      met.push({ breakpoint, why, stops: breakpoint.log !== true });
      if (breakpoint.once) this.clear(breakpoint.id);
    }
    return met;
  }
}

const TOOL_KINDS: readonly BreakpointKind[] = ["tool", "pattern", "repeat"];

function concerns(breakpoint: Breakpoint, agent: string): boolean {
  return breakpoint.agent === undefined || breakpoint.agent === agent;
}

/** What a breakpoint is about, in words: `tool Bash`, `iteration 3 of the turn`. */
export function describeBreakpoint(one: BreakpointRequest): string {
  switch (one.on) {
    case "tool":
      return `tool ${one.name ?? "*"}`;
    case "iteration":
      return `iteration ${one.count ?? 1} of the ${one.of ?? "turn"}`;
    case "pattern":
      return `tool input matches /${one.regex}/${one.ignoreCase ? "i" : ""}`;
    case "stop_reason":
      return one.name === undefined ? "any stop reason" : `stop reason ${one.name}`;
    case "repeat":
      return `the same tool call ${one.count ?? DEFAULT_REPEATS} times in a turn`;
    case "tokens":
      return `${one.count} tokens used`;
    case "cost":
      return `${one.count} of cost`;
    case "subagent":
      return "a sub-agent starts";
    case "compaction":
      return "the context was compacted";
    case "error":
      return "an error";
  }
}

function ruleOf(request: BreakpointRequest): Entry["meets"] {
  checkArguments(request);
  const about = describeBreakpoint(request);
  switch (request.on) {
    case "tool": {
      const name = glob(request.name ?? "*");
      return (one) => (one.kind === "tool" && name.test(one.name) ? `tool ${one.name}` : undefined);
    }
    case "pattern":
      return patternRule(request, about);
    case "iteration":
      return iterationRule(request);
    case "repeat": {
      const count = request.count ?? DEFAULT_REPEATS;
      return (one) =>
        one.kind === "tool" && one.repeats >= count
          ? `the same call of ${one.name} for the ${ordinal(one.repeats)} time in this turn`
          : undefined;
    }
    case "error":
      return (one) => (one.kind === "failed" ? one.what : undefined);
    case "stop_reason":
      return (one) =>
        one.kind === "answered" && (request.name === undefined || one.stopReason === request.name)
          ? `stop reason ${one.stopReason}`
          : undefined;
    case "tokens":
      return crossing(request.count ?? 0, (one) => (one.kind === "model" ? one.tokens : undefined), about);
    case "cost":
      return crossing(request.count ?? 0, (one) => (one.kind === "model" ? one.cost : undefined), about);
    case "subagent":
      return (one) =>
        one.kind === "model" && one.firstOfSubagent ? `sub-agent ${one.agent} starts` : undefined;
    case "compaction":
      return (one) => (one.kind === "model" && one.compacted ? about : undefined);
  }
}

const NEEDED: Partial<Record<BreakpointKind, "name" | "count" | "regex">> = {
  tool: "name",
  iteration: "count",
  pattern: "regex",
  tokens: "count",
  cost: "count",
};

const USED: Record<BreakpointKind, readonly string[]> = {
  tool: ["name"],
  iteration: ["count", "of"],
  pattern: ["regex", "ignoreCase"],
  error: [],
  stop_reason: ["name"],
  repeat: ["count"],
  tokens: ["count"],
  cost: ["count"],
  subagent: [],
  compaction: [],
};

/** Nothing is taken and then ignored. */
function checkArguments(request: BreakpointRequest): void {
  const needed = NEEDED[request.on];
  if (needed !== undefined && request[needed] === undefined)
    throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${request.on} needs \`${needed}\``);
  for (const key of ["name", "count", "of", "regex", "ignoreCase"] as const)
    if (request[key] !== undefined && !USED[request.on].includes(key))
      throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${request.on} takes no \`${key}\``);
  const whole = request.on === "iteration" || request.on === "repeat";
  if (whole && request.count !== undefined && !Number.isInteger(request.count))
    throw new SondeError("BAD_ARGUMENT", `a breakpoint on ${request.on} needs a whole number`);
}

function patternRule({ regex = "", ignoreCase = false }: BreakpointRequest, about: string): Entry["meets"] {
  const pattern = new Pattern(regex, ignoreCase);
  return (one) => {
    if (one.kind !== "tool") return undefined;
    const matching = pattern.test(one.input);
    if (matching === "too slow") return `${about}: took too long to check, so it is held to be safe`;
    return matching === "yes" ? `input of ${one.name} matches /${regex}/${ignoreCase ? "i" : ""}` : undefined;
  };
}

function iterationRule({ count = 1, of = "turn" }: BreakpointRequest): Entry["meets"] {
  return (one) => {
    if (one.kind !== "model") return undefined;
    const now = of === "turn" ? one.iteration : one.totalIterations;
    return now === count ? `iteration ${count} of the ${of}` : undefined;
  };
}

/** Met once, when it is reached: not at every call after that. */
function crossing(
  limit: number,
  read: (occasion: Occasion) => number | undefined,
  about: string,
): Entry["meets"] {
  let reached = false;
  return (one) => {
    const now = read(one);
    if (now === undefined || reached || now < limit) return undefined;
    reached = true;
    return `${about} (now ${Math.round(now * 10_000) / 10_000})`;
  };
}

function ordinal(count: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? "th";
  return `${count}${ending}`;
}

/** "3 breakpoints" */
export function countText(count: number): string {
  return plural(count, "breakpoint");
}
