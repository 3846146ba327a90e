/** C, C++ and Rust: debug information by LLDB, the places of local variables by `perf probe`, values in LLDB's words. */
import { resolve } from "node:path";
import { onPath } from "../../../adapters/kit/find.ts";
import { executableOf } from "../../../adapters/kit/pid.ts";
import { runCargo } from "../../../adapters/native/cargo.ts";
import { isRust } from "../../../adapters/native/rust.ts";
import { SondeError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { type Plan, type Point, UNAVAILABLE } from "../../plan.ts";
import { compute, type Expression, NotSimple, pathsReckoned, Reading } from "./expression.ts";
import { type FoundLocation, type FoundValue, type Kind, type Leaf, LldbInformant } from "./informant.ts";
import {
  type Base,
  type Fetched,
  type Language,
  type Location,
  type Place,
  type Reach,
  type Runnable,
  Unfit,
  type Words,
} from "./language.ts";
import { definitions, type Machine } from "./machine.ts";
import { operand, shown, shownValue } from "./values.ts";

export const native: Language = {
  unfit(plan, session) {
    if (Object.keys(session.opening.plan.extra).length > 0) return "arguments of LLDB's own are given";
    try {
      for (const point of plan.points) readPoint(point);
      return undefined;
    } catch (error) {
      if (error instanceof NotSimple) return error.message;
      throw error;
    }
  },
  runnable: whatToRun,
  async informant({ session, program, machine }) {
    const lldb = await LldbInformant.start(session, program, isRust(program));
    return {
      places: (plan) => placesOf(plan, { program, machine, lldb }),
      frames: (places) => lldb.frames(places),
      close: () => lldb.close(),
    };
  },
};

async function whatToRun(session: Session): Promise<Runnable> {
  const { request, plan } = session.opening;
  const { cwd, env } = plan;
  if (request === "attach") {
    const program = plan.program ?? (plan.pid === undefined ? undefined : executableOf(plan.pid));
    return { program: program ?? "", args: [], cwd, env };
  }
  if (plan.program !== undefined) return { program: plan.program, args: plan.args, cwd, env };
  const [first = "", ...rest] = plan.command ?? [];
  const path = onPath(first, { env, cwd });
  if (path === undefined) throw new SondeError("LAUNCH_FAILED", `there is no program ${first}`);
  if (/(^|\/)cargo$/.test(first))
    return runCargo(
      path,
      rest,
      { cwd, env },
      {
        found: session.found,
        where: session.where,
        processes: session.processes,
        timeoutMs: 0,
        log: () => {},
        say: (text) => session.output.append("console", text),
      },
    );
  return { program: resolve(cwd, path), args: rest, cwd, env };
}

/** What is asked at a point, in terms of its paths. */
interface Asked {
  reading: Reading;
  expressions: Expression[];
  condition?: Expression;
}

/** Throws NotSimple. */
function readPoint({ expressions, condition }: Point): Asked {
  const reading = new Reading();
  return {
    reading,
    expressions: expressions.map((one) => reading.parse(one)),
    ...(condition === undefined ? {} : { condition: reading.parse(condition) }),
  };
}

interface Known {
  program: string;
  machine: Machine;
  lldb: LldbInformant;
}

async function placesOf(plan: Plan, known: Known): Promise<Place[]> {
  const asked = plan.points.map(readPoint);
  const found = await known.lldb.find(
    plan.points.map(({ path, line }, at) => ({ path, line, paths: asked[at]?.reading.paths ?? [] })),
  );
  const places: Place[] = [];
  for (const [point, { locations, nearest }] of found.entries()) {
    const { path = "" } = plan.points[point] ?? {};
    // Nothing of this file: a library may have it, which is not there before the program runs.
    if (locations.length === 0 && (nearest ?? []).length === 0)
      throw new Unfit(`${path} is not in the program itself`);
    const made: Location[] = [];
    for (const one of locations) made.push(await location(one, { path, asked: asked[point], plan, known }));
    const [first] = locations;
    const none = { state: "unbound" as const, reason: "no code there" };
    places.push({
      locations: made,
      binding: first
        ? { state: "bound", line: first.line }
        : { ...none, ...(nearest === undefined ? {} : { nearest }) },
    });
  }
  return places;
}

async function location(
  found: FoundLocation,
  about: { path: string; asked: Asked | undefined; plan: Plan; known: Known },
): Promise<Location> {
  const { path, asked, plan, known } = about;
  if (found.module !== known.program) throw new Unfit(`${path} is not in the program itself`);
  check(asked, found.leaves);
  const bases = await basesOf(known, path, found);
  return {
    address: found.address,
    offset: found.offset,
    reaches: found.leaves.map((leaf) => ("root" in leaf ? reachOf(leaf, bases.get(leaf.root)) : undefined)),
    words: wordsOf(asked, found.leaves, plan.valueChars),
  };
}

/** Every value must be one that we can fetch and print as LLDB does. */
function check(asked: Asked | undefined, leaves: readonly Leaf[]): void {
  for (const leaf of leaves) if ("unfit" in leaf) throw new Unfit(leaf.unfit);
  for (const one of asked?.expressions ?? []) {
    const leaf = "path" in one ? leaves[one.path] : undefined;
    if (leaf && "type" in leaf && leaf.type.kind === "opaque") throw new Unfit(leaf.type.why);
  }
  const all = [...(asked?.expressions ?? []), ...(asked?.condition ? [asked.condition] : [])];
  for (const path of new Set(all.flatMap((one) => [...pathsReckoned(one)]))) {
    const leaf = leaves[path];
    if (leaf === undefined || !("type" in leaf)) continue;
    if (!["int", "char", "bool"].includes(leaf.type.kind))
      throw new Unfit(`${leaf.root} is not a number to reckon with`);
  }
}

function reachOf({ root, hops, type, global }: FoundValue, local: Base | undefined): Reach {
  const base = global === undefined ? local : { address: global };
  if (base === undefined) throw new Unfit(`${root} is nowhere`);
  return { root, base, hops, ...sizeOf(type), ...behind(type) };
}

function sizeOf(type: Kind): { size: number; signed: boolean } {
  return { size: "size" in type ? type.size : 8, signed: "signed" in type && type.signed };
}

/** What a pointer is shown with. */
function behind(type: Kind): Pick<Reach, "behind"> {
  if (type.kind === "text") return { behind: { kind: "text" } };
  return type.kind === "arrow" ? { behind: { kind: "number", ...sizeOf(type.to) } } : {};
}

function wordsOf(asked: Asked | undefined, leaves: readonly Leaf[], chars: number): Words {
  type All = readonly (Fetched | undefined)[];
  const kindOf = (path: number) => {
    const leaf = leaves[path];
    return leaf && "type" in leaf ? leaf.type : undefined;
  };
  const reader = (fetched: All) => (path: number) => {
    const [kind, value] = [kindOf(path), fetched[path]];
    return kind && value ? operand(kind, value) : undefined;
  };
  const word = (expression: Expression, fetched: All): string => {
    if ("path" in expression) {
      const [kind, value] = [kindOf(expression.path), fetched[expression.path]];
      return kind && value ? shown(kind, value, chars) : UNAVAILABLE;
    }
    const value = compute(expression, reader(fetched));
    return value === undefined ? UNAVAILABLE : shownValue(value);
  };
  const { expressions = [], condition } = asked ?? {};
  return {
    holds: (fetched) => condition === undefined || (compute(condition, reader(fetched))?.value ?? 0n) !== 0n,
    values: (fetched) => expressions.map((one) => word(one, fetched)),
  };
}

async function basesOf(
  { program, machine }: Known,
  path: string,
  { leaves, line, offset, address }: FoundLocation,
): Promise<Map<string, Base>> {
  const local = leaves.filter((leaf): leaf is FoundValue => "root" in leaf && leaf.global === undefined);
  const roots = [...new Set(local.map(({ root }) => root))];
  if (roots.length === 0) return new Map();
  const wanted = roots.map((root, at) => `r${at}=${root}:x64`).join(" ");
  const said = await definitions(machine, program, `sonde=${path}:${line} ${wanted}`);
  if ("refused" in said) throw new Unfit(`perf: ${said.refused}`);
  const here = said.lines.find((one) => {
    const place = Number(/:(0x[0-9a-f]+)(?: |$)/.exec(one)?.[1]);
    return place === offset || place === address;
  });
  if (here === undefined) throw new Unfit(`perf finds no code at ${path}:${line} where LLDB does`);
  return new Map(roots.map((root, at) => [root, baseOf(here, at, root)]));
}

function baseOf(definition: string, at: number, root: string): Base {
  const fetch = new RegExp(` r${at}=(\\S+):x64(?: |$)`).exec(definition)?.[1] ?? "";
  const memory = /^([-+]?\d+)\((%\w+)\)$/.exec(fetch);
  if (memory?.[2] !== undefined) return { register: memory[2], offset: Number(memory[1]) };
  if (/^%\w+$/.test(fetch)) return { registers: [fetch] };
  throw new Unfit(`${root} is in no place that a probe can read (${fetch})`);
}
