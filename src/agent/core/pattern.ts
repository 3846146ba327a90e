/**
 * Regular expressions that a person gives, on text that a model gives. Either may make the other take for ever: what takes too long is
 * broken off by V8 itself.
 */
import { createContext, Script } from "node:vm";
import { SondeError } from "../../errors.ts";

/** What of a tool's input is looked at. */
const LONGEST_TEXT = 256 * 1024;
/** The second try is for a machine that was busy with something else: the limit is by the clock on the wall. */
const TRIES_MS = [50, 1000];

export type Matching = "yes" | "no" | "too slow";

export class Pattern {
  readonly #context;
  static readonly #test = new Script("regex.test(text)");

  constructor(source: string, ignoreCase: boolean) {
    this.#context = createContext({
      regex: compile(source, ignoreCase ? "iu" : "u") ?? compile(source, ignoreCase ? "i" : ""),
      text: "",
    });
    if (!this.#context.regex) throw invalid(source);
  }

  /** `too slow`: nobody knows whether it matches. */
  test(text: string): Matching {
    this.#context.text = text.slice(0, LONGEST_TEXT);
    try {
      for (const timeout of TRIES_MS) {
        const matching = this.#try(timeout);
        if (matching !== "too slow") return matching;
      }
      return "too slow";
    } finally {
      this.#context.text = "";
    }
  }

  #try(timeout: number): Matching {
    try {
      return Pattern.#test.runInContext(this.#context, { timeout }) ? "yes" : "no";
    } catch {
      return "too slow"; // the only way that `test` fails
    }
  }
}

/** Without the `u` flag for patterns that were written for older engines. */
function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function invalid(source: string): SondeError {
  let why = "";
  try {
    new RegExp(source);
  } catch (thrown) {
    why = `: ${(thrown as Error).message}`;
  }
  return new SondeError("BAD_ARGUMENT", `not a valid regular expression${why}`);
}

/** `*` stands for any text, `?` for any character; everything else for itself, without regard to case: clients differ in that. */
export function glob(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "is");
}
