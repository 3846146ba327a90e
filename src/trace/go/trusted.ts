/** Which values that dlv shows at a stop can be trusted: of optimised code only those that are proven. */
import type { Session } from "../../session/session.ts";
import type { Frame } from "../../session/stack/frames.ts";
import { executableOf } from "../../util/process-facts.ts";
import { Unfit } from "../dwarf/unfit.ts";
import { Code } from "./code.ts";
import { isOptimised, isSettled } from "./optimised.ts";

export interface Trust {
  isOptimised(frame: Frame): boolean;
  isProven(frame: Frame, name: string): boolean;
}

/** Nothing where all of them can be, or where the debug information cannot be read: then a note of the session's says so. */
export function goTrust({ main, adapter }: Session): Trust | undefined {
  if (main === undefined || !adapter.languages.includes("go")) return undefined;
  const code = codeOf((main.pid === undefined ? undefined : executableOf(main.pid)) ?? main.program);
  if (code === undefined || !code.packages.some(isOptimised)) return undefined;
  // No function: a program that was loaded elsewhere than where it was linked, or code of another language.
  const functionAt = ({ instructionPointer }: Frame) => code.functionAt(Number(instructionPointer));
  return {
    isOptimised(frame) {
      const one = functionAt(frame);
      return one === undefined || isOptimised(one.package);
    },
    isProven(frame, name) {
      const [one, address] = [functionAt(frame), Number(frame.instructionPointer)];
      if (one === undefined || frame.path === undefined) return false;
      const spot = { address, line: frame.line, function: one, tree: code.info.tree(one.offset) };
      return isSettled(code, spot, name, frame.path);
    },
  };
}

function codeOf(program: string | undefined): Code | undefined {
  try {
    return program === undefined ? undefined : new Code(program);
  } catch (error) {
    if (error instanceof Unfit || error instanceof RangeError) return undefined;
    throw error;
  }
}
