/**
 * Where a function's arguments are in place. LLDB takes the first instruction of another line for it; of a function on one line
 * there is none, and it takes the function's first, where arguments are not there yet. The line table's second row is it.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, frames } from "./ask.ts";
import { linesOf } from "./one-liners.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

/** The second row's address, if this one is the first of a function that keeps its arguments in memory. */
export async function bodyAddress(wire: Wire, address: string): Promise<string | undefined> {
  const first = await lookUp(wire, address);
  if (first === undefined || first.start !== BigInt(address)) return undefined;
  // An optimised function says for each instruction where its arguments are: there they are known at once.
  const { places } = first;
  if (places.length === 0 || !places.every((place) => place.startsWith("DW_OP_fbreg"))) return undefined;
  const next = await lookUp(wire, first.end);
  return next?.start === first.start && next.line === first.line ? first.end : undefined;
}

async function lookUp(wire: Wire, address: string) {
  const said = await command(wire, `image lookup -v -a ${address}`).catch(() => "");
  const start = /^\s*Function: .*range = \[(0x[0-9a-f]+)/m.exec(said)?.[1];
  const entry = /^\s*LineEntry: \[0x[0-9a-f]+-(0x[0-9a-f]+)\): .*?:(\d+)(?::\d+)?$/m.exec(said);
  if (start === undefined || entry?.[1] === undefined) return undefined;
  const places = [...said.matchAll(/^\s*Variable: .*, location = (.+?), decl = /gm)].map(
    ([, one = ""]) => one,
  );
  return { start: BigInt(start), end: entry[1], line: Number(entry[2]), places };
}

/** A step into such a function, or a start at it, is told when the program is past that. */
export class Prologues {
  /** The breakpoint that ends the way there, and what is to be told then. */
  #way: { id: number; told: Stopped } | undefined;

  /** What is to be told of a stop on the way; nothing if there is no way. */
  arrived(ids: readonly number[]): Stopped | undefined {
    const way = this.#way;
    this.#way = undefined;
    return way && ids.includes(way.id) ? way.told : undefined;
  }

  /** Tells of the stop, now or later. */
  async tell(body: Stopped, wire: Wire): Promise<void> {
    const way = await this.#begin(body, wire).catch(() => undefined);
    if (way === undefined) {
      wire.emit("stopped", body);
      return;
    }
    this.#way = way;
    const { success } = await wire.ask("continue", { threadId: body.threadId });
    if (success) return;
    this.#way = undefined;
    wire.emit("stopped", body);
  }

  async #begin(body: Stopped, wire: Wire): Promise<{ id: number; told: Stopped } | undefined> {
    const { threadId = 0 } = body;
    const [top] = await frames(wire, threadId, 1);
    const { instructionPointerReference: place, source } = top ?? {};
    if (place === undefined || source?.path === undefined) return undefined;
    if (!/\{.*\}/.test(linesOf(source.path)[(top?.line ?? 0) - 1] ?? "")) return undefined;
    const address = await bodyAddress(wire, place);
    if (address === undefined) return undefined;
    const said = await command(wire, `breakpoint set -o true -a ${address} -t ${threadId}`);
    const id = /Breakpoint (\d+):/.exec(said)?.[1];
    return id === undefined ? undefined : { id: Number(id), told: body };
  }
}
