/** Breakpoints at functions, each where the function's arguments are in place (prologues.ts). */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, passed } from "./ask.ts";
import { bodyAddress } from "./prologues.ts";

type Args = DebugProtocol.SetFunctionBreakpointsArguments;
type Answer = DebugProtocol.SetFunctionBreakpointsResponse["body"];

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
      const moved = told?.id === undefined ? undefined : await move(wire, one, { ...told, id: told.id });
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
    const said = await command(wire, setting(bodies[index] ?? address, module, asked));
    const id = /Breakpoint (\d+):/.exec(said)?.[1];
    if (id !== undefined) ids.push(Number(id));
  }
  const [id] = ids;
  const [first] = bodies;
  if (id === undefined) return undefined;
  return { ids, answer: { ...told, id, ...(first === undefined ? {} : { instructionReference: first }) } };
}

/** Of a breakpoint: `1.1: where = one`sq at one.c:2:15, address = one[0x1139], unresolved` or `… address = 0x555555555139, resolved`. */
async function locations(wire: Wire, id: number): Promise<{ address: string; module?: string }[]> {
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
  return `breakpoint set --address ${address} ${words.map(quoted).join(" ")}`;
}

function quoted(word: string): string {
  return word.startsWith("--") ? word : `"${word.replace(/[\\"`]/g, "\\$&")}"`;
}
