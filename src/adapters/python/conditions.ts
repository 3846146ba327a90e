/** Conditions that are no expressions, told when they are set: debugpy would say so only at the line itself. */
import type { PartlyRefused } from "../../dap/refused-part.ts";
import { askProgram } from "../kit/find.ts";

/** The Python that runs the program: another one may know another syntax. */
export interface Compiler {
  python: string;
  env: Readonly<Record<string, string>>;
  cwd: string;
}

const NAME = String.raw`(?!(?:and|as|else|for|from|if|in|is|lambda|not|or|yield)\b)[A-Za-z_]\w*`;
const NUMBER = String.raw`(?:0|[1-9]\d*)(?:\.\d+)?(?!\w)`;
const TEXT = String.raw`'[^'\\]*'|"[^"\\]*"`;
const ATOM = `(?:${NAME}|${NUMBER}|${TEXT})`;
/** No two of its parts can begin alike: there is one way to read a text, however long. */
const OPERAND = String.raw`-?${ATOM}(?:\.${NAME}|\((?:${ATOM}(?:, ?${ATOM})*)?\)|\[-?${ATOM}\])*`;
const BETWEEN = String.raw`(?: (?:and|or|in|not in|is) (?:not )?| ?(?:[=!<>]=|\/\/|[-+*/%<>]) ?)`;
/** Comparisons of names and literals: most conditions are, and need no look. */
const PLAIN = new RegExp(`^(?:not )?${OPERAND}(?:${BETWEEN}${OPERAND})*$`);
const LONG = 200;

/** A line for each: what is wrong with it, or nothing. */
const CHECK = `import sys
for text in sys.argv[1:]:
    try:
        compile(text.strip(), "condition", "eval")
        print()
    except Exception as error:
        print(type(error).__name__ + ": " + str(getattr(error, "msg", error)).replace("\\n", " "))
`;

export class Conditions {
  readonly #compiler: Compiler | undefined;
  readonly #known = new Map<string, string | undefined>();

  constructor(compiler: Compiler | undefined) {
    this.#compiler = compiler;
  }

  /** Whether one of these must be asked about. */
  areDoubtful(breakpoints: readonly { condition?: string }[] = []): boolean {
    return this.#compiler !== undefined && breakpoints.some(({ condition }) => !isPlain(condition));
  }

  /** By breakpoint: the answer to one that cannot be set. */
  async refused(breakpoints: readonly { condition?: string }[]): Promise<(Refused | undefined)[]> {
    const doubtful = breakpoints.flatMap(({ condition = "" }) => (isPlain(condition) ? [] : [condition]));
    await this.#ask([...new Set(doubtful)].filter((one) => !this.#known.has(one)));
    return breakpoints.map(({ condition = "" }) => {
      const problem = this.#known.get(condition);
      return problem === undefined
        ? undefined
        : {
            verified: false,
            reason: "failed",
            refusedPart: "condition",
            message: `condition: ${problem}${meant(condition)}`,
          };
    });
  }

  async #ask(conditions: readonly string[]): Promise<void> {
    if (conditions.length === 0 || this.#compiler === undefined) return;
    const { python, env, cwd } = this.#compiler;
    const { ok, stdout } = await askProgram(python, ["-I", "-S", "-c", CHECK, ...conditions], { env, cwd });
    const problems = stdout.split(/\r?\n/);
    // Without an answer they are set as they are, and told of at the line.
    for (const [at, one] of conditions.entries()) this.#known.set(one, (ok && problems[at]) || undefined);
  }
}

export type Refused = Omit<PartlyRefused, "id">;

/** `right = 4` assigns. */
function meant(condition: string): string {
  const said = /^\s*([\w.[\]]+)\s*=\s*([^=]+)$/.exec(condition);
  return said ? `; did you mean ${said[1]} == ${said[2]}?` : "";
}

function isPlain(condition = ""): boolean {
  return condition === "" || (condition.length <= LONG && PLAIN.test(condition));
}
