/** The client's function breakpoints and our own, which go to dlv as one list: the program's beginning, and every panic. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import type { Counted, Member } from "./line-breakpoints.ts";
import { refusalText } from "./plain-texts.ts";
import { kept } from "./used-up.ts";

type Wanted = DebugProtocol.FunctionBreakpoint;

export class FunctionBreakpoints {
  #client: Wanted[] = [];
  #ours = new Map<string, string[]>();
  #ids = new Map<number, string>();
  #bound: DebugProtocol.Breakpoint[] = [];

  /** Which of ours has this number. */
  whose(id: number): string | undefined {
    return this.#ids.get(id);
  }

  /** The client's, by where they are. */
  at(path: string | undefined, line: number): Member[] {
    return this.#client.flatMap(({ condition }, index) => {
      const { id, source, line: bound } = this.#bound[index] ?? {};
      return id !== undefined && source?.path === path && bound === line ? { id, condition } : [];
    });
  }

  /** The client's, by dlv's numbers. */
  counted(): Counted[] {
    return this.#client.flatMap(({ condition, hitCondition }, index) => {
      const { id, source, line } = this.#bound[index] ?? {};
      if (id === undefined) return [];
      const members = [{ id, condition }];
      return { id, reason: "function breakpoint", path: source?.path, line, members, hitCondition };
    });
  }

  async setClient(wire: Wire, breakpoints: Wanted[]): Promise<{ breakpoints: DebugProtocol.Breakpoint[] }> {
    this.#client = breakpoints;
    return { breakpoints: (await this.#send(wire)).slice(0, breakpoints.length) };
  }

  /** Functions for a purpose of ours; none ends it. What dlv made of them. */
  async setOurs(wire: Wire, purpose: string, names: string[]): Promise<DebugProtocol.Breakpoint[]> {
    if (names.length === 0 && !this.#ours.delete(purpose)) return [];
    if (names.length > 0) this.#ours.set(purpose, names);
    const bound = await this.#send(wire);
    const ours = this.#list();
    return bound.slice(this.#client.length).filter((_, index) => ours[index]?.purpose === purpose);
  }

  #list(): { purpose: string; name: string }[] {
    return [...this.#ours].flatMap(([purpose, names]) => names.map((name) => ({ purpose, name })));
  }

  async #ask(wire: Wire, breakpoints: Wanted[]): Promise<DebugProtocol.Breakpoint[]> {
    const answer = await wire.ask("setFunctionBreakpoints", { breakpoints });
    if (!answer.success) throw new Error(refusalText(answer));
    return answer.body.breakpoints.map(kept);
  }

  async #send(wire: Wire): Promise<DebugProtocol.Breakpoint[]> {
    const ours = this.#list();
    const first = this.#client.length;
    const breakpoints = [...this.#client, ...ours.map(({ name }) => ({ name }))];
    let bound = await this.#ask(wire, breakpoints);
    const named = breakpoints.map((one, index) => ({
      ...one,
      name: meant(one.name, bound[index]?.message) ?? one.name,
    }));
    if (named.some(({ name }, index) => name !== breakpoints[index]?.name)) {
      const again = await this.#ask(wire, named);
      // Where that is no function either, what was said first is the better answer.
      bound = again.map((one, index) => (one.verified ? one : (bound[index] ?? one)));
    }
    this.#bound = bound;
    this.#ids = new Map();
    for (const [index, { purpose }] of ours.entries()) {
      const id = bound[first + index]?.id;
      if (id !== undefined) this.#ids.set(id, purpose);
    }
    return bound;
  }
}

/** Of a name that several packages have, the one of `main`: by their paths a program's own packages are not told from libraries. */
function meant(name: string, message: string | undefined): string | undefined {
  return /ambiguous: /.test(message ?? "") && !name.includes(".") ? `main.${name}` : undefined;
}
