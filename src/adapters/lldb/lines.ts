/** Breakpoints at lines: by the path that the program knows, and with the reason where it knows none. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { reasoned } from "../../dap/refused-part.ts";
import type { Wire } from "../kit/dialect.ts";
import type { BuiltFrom } from "../native/built-from.ts";
import { passed } from "./ask.ts";
import { setBreakpoints } from "./one-liners.ts";

type Args = DebugProtocol.SetBreakpointsArguments;
type Answer = DebugProtocol.SetBreakpointsResponse["body"];

export class Lines {
  readonly #built: BuiltFrom;
  /** Files that the program knows by another path. */
  readonly #other = new Map<string, string>();

  constructor(built: BuiltFrom) {
    this.#built = built;
  }

  async set(args: Args, wire: Wire): Promise<Answer> {
    const { path } = args.source;
    if (path === undefined) return setBreakpoints(args, wire);
    const known = this.#other.get(path);
    const source = { ...args.source, path: known ?? path };
    const answer = await setBreakpoints({ ...args, source }, wire);
    if (answer.breakpoints.every(({ verified }) => verified)) return answer;
    const other = known === undefined ? this.#built.otherPath(path) : undefined;
    if (other !== undefined) {
      this.#other.set(path, other);
      await passed(wire, "setBreakpoints", { ...args, breakpoints: [] });
      return this.set(args, wire);
    }
    const why = this.#built.reason(path);
    const breakpoints = answer.breakpoints.map((one) =>
      one.verified || why === undefined ? one : reasoned(one, why),
    );
    return { ...answer, breakpoints };
  }
}
