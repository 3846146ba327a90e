/** Breakpoints at functions, each where the function's arguments are in place (prologues.ts). */
import { existsSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, passed } from "./ask.ts";
import { OUR_NAME } from "./own-breakpoints.ts";
import { bodyAddress } from "./prologues.ts";

type Args = DebugProtocol.SetFunctionBreakpointsArguments;
type Answer = DebugProtocol.SetFunctionBreakpointsResponse["body"];

interface Place {
  address: string;
  module?: string;
}

/** One that LLDB would put at the wrong place, set by address instead. */
interface Moved {
  /** LLDB's numbers, one for each place; the first is the one that the client knows. */
  ids: number[];
  answer: DebugProtocol.Breakpoint;
}

export class FunctionBreakpoints {
  /** By what was asked. */
  #moved = new Map<string, Moved>();

  async set(args: Args, wire: Wire): Promise<Answer> {
    await this.#forget(args, wire);
    const unmoved = args.breakpoints.filter((one) => !this.#moved.has(JSON.stringify(one)));
    const answer: Answer = await passed(wire, "setFunctionBreakpoints", { ...args, breakpoints: unmoved });
    const before = this.#moved.size;
    for (const [index, one] of unmoved.entries()) {
      const told = answer.breakpoints[index];
      const set = told?.id === undefined ? undefined : { ...told, id: told.id };
      const moved = set && ((await move(wire, one, set)) ?? (await generic(wire, one, set)));
      if (moved) this.#moved.set(JSON.stringify(one), moved);
    }
    if (this.#moved.size === before) return this.#answer(args, unmoved, answer);
    const rest = unmoved.filter((one) => !this.#moved.has(JSON.stringify(one)));
    const again: Answer = await passed(wire, "setFunctionBreakpoints", { ...args, breakpoints: rest });
    return this.#answer(args, rest, again);
  }

  /** The client's numbers. */
  known(ids: readonly number[]): number[] {
    const all = [...this.#moved.values()];
    return [...new Set(ids.map((id) => all.find((one) => one.ids.includes(id))?.ids[0] ?? id))];
  }

  /** LLDB's, of one of the client's. */
  all(id: number): number[] {
    return [...this.#moved.values()].find((one) => one.ids[0] === id)?.ids ?? [id];
  }

  /** Those that are asked for no more. */
  async #forget({ breakpoints }: Args, wire: Wire): Promise<void> {
    const asked = new Set(breakpoints.map((one) => JSON.stringify(one)));
    for (const [key, { ids }] of this.#moved) {
      if (asked.has(key)) continue;
      this.#moved.delete(key);
      await command(wire, `breakpoint delete ${ids.join(" ")}`).catch(() => {});
    }
  }

  #answer(args: Args, sent: Args["breakpoints"], answer: Answer): Answer {
    const bySent = new Map(sent.map((one, index) => [one, answer.breakpoints[index]]));
    const breakpoints = args.breakpoints.flatMap(
      (one) => this.#moved.get(JSON.stringify(one))?.answer ?? bySent.get(one) ?? [],
    );
    return { ...answer, breakpoints };
  }
}

/**
 * LLDB does not know `fill<int>` by `fill`, nor `Box<int>::put` by `Box::put`: all that were made from it are meant, those of a library only
 * where there are no others.
 */
async function generic(
  wire: Wire,
  asked: DebugProtocol.FunctionBreakpoint,
  told: DebugProtocol.Breakpoint & { id: number },
): Promise<Moved | undefined> {
  const name = bareName(asked.name);
  if (!/^[\w:]+$/.test(name)) return undefined;
  const known = await locations(wire, told.id);
  if ((await own(wire, known)).length > 0) return undefined;
  const set = `breakpoint set --func-regex ${quoted(patternOf(name))}`;
  const found = idIn(await command(wire, set).catch(() => ""));
  if (found === undefined) return undefined;
  const all = await locations(wire, found);
  await command(wire, `breakpoint delete ${found}`).catch(() => {});
  const mine = await own(wire, all);
  const places = mine.length > 0 ? mine : known.length > 0 ? [] : all;
  const ids: number[] = [];
  for (const { address, module } of places) {
    const one = idIn(await command(wire, setting(address, module, asked)));
    if (one !== undefined) ids.push(one);
  }
  const [id] = ids;
  if (id === undefined) return undefined;
  const { message: _unbound, source: _elsewhere, line: _none, column: _neither, ...answer } = told;
  return { ids, answer: { ...answer, id, verified: true } };
}

function idIn(said: string): number | undefined {
  const id = /Breakpoint (\d+):/.exec(said)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** So many are looked at: each is a question. */
const MOST_LOOKED_AT = 24;

/** Those whose source is here, and not among the system's. */
async function own(wire: Wire, places: readonly Place[]): Promise<Place[]> {
  const looked = places.slice(0, MOST_LOOKED_AT).map(async (place) => {
    const where = place.module === undefined ? "" : ` ${quoted(place.module)}`;
    const said = await command(wire, `image lookup --verbose --address ${place.address}${where}`).catch(
      () => "",
    );
    const path = /LineEntry: .*?: (\/.*?):\d+/.exec(said)?.[1];
    return path !== undefined && !/^\/(usr|rustc)\//.test(path) && existsSync(path) ? [place] : [];
  });
  return (await Promise.all(looked)).flat();
}

/** As a stop shows it, `int fill<int>` or `gen::Bag<T>::put`: without what it returns and what it was made for. */
function bareName(name: string): string {
  const shorter = name.replace(/<[^<>]*>/g, "");
  return shorter === name ? (name.split(" ").at(-1) ?? name) : bareName(shorter);
}

/** Each part may have arguments of its own; of a method Rust says `{impl#0}`, or `Bag$LT$T$GT$`, for its type. */
function patternOf(name: string): string {
  const parts = name.split("::").filter((part) => part !== "");
  const last = parts.pop() ?? "";
  const before = parts.map((part) => `(${part}(<.*>|[$]LT[$].*[$]GT[$])?|[{]impl#[0-9]+[}])::`).join("");
  return `(^|[ :])${before}${last}(<.*>)?([(]|$|::h[0-9a-f]{16}$)`;
}

async function move(
  wire: Wire,
  asked: DebugProtocol.FunctionBreakpoint,
  told: DebugProtocol.Breakpoint & { id: number },
): Promise<Moved | undefined> {
  const places = await locations(wire, told.id);
  const bodies = await Promise.all(places.map(({ address }) => bodyAddress(wire, address)));
  if (bodies.every((body) => body === undefined)) return undefined;
  const ids: number[] = [];
  for (const [index, { address, module }] of places.entries()) {
    const id = idIn(await command(wire, setting(bodies[index] ?? address, module, asked)));
    if (id !== undefined) ids.push(id);
  }
  const [id] = ids;
  const [first] = bodies;
  if (id === undefined) return undefined;
  return { ids, answer: { ...told, id, ...(first === undefined ? {} : { instructionReference: first }) } };
}

/** Of a breakpoint: `1.1: where = one`sq at one.c:2:15, address = one[0x1139], unresolved` or `… address = 0x555555555139, resolved`. */
async function locations(wire: Wire, id: number): Promise<Place[]> {
  const said = await command(wire, `breakpoint list -f ${id}`).catch(() => "");
  return [...said.matchAll(/^\s*\d+\.\d+: .*?address = (?:(.+?)\[)?(0x[0-9a-f]+)/gm)].map(
    ([, module, address = ""]) => ({ address, ...(module === undefined ? {} : { module }) }),
  );
}

function setting(
  address: string,
  module: string | undefined,
  { condition, hitCondition }: DebugProtocol.FunctionBreakpoint,
): string {
  const count = Number(hitCondition ?? 1) - 1;
  const words = [
    ...(module === undefined ? [] : ["--shlib", module]),
    ...(condition === undefined ? [] : ["--condition", condition]),
    ...(count > 0 ? ["--ignore-count", String(count)] : []),
  ];
  return `breakpoint set --breakpoint-name ${OUR_NAME} --address ${address} ${words.map(quoted).join(" ")}`;
}

function quoted(word: string): string {
  return word.startsWith("--") ? word : `"${word.replace(/[\\"`]/g, "\\$&")}"`;
}
