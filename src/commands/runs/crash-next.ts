/** Where to go from a death: the command that shows how it came about. */
import type { Call } from "../../advice/advice.ts";
import { fileLines } from "../../session/stack/source.ts";
import { isMadeHere, type Language, languageOf, surelyCalled } from "../../trace/callees.ts";
import { nameParts } from "../../trace/function-name.ts";
import { shortPath } from "../answers/text.ts";
import { definedIn, sourceFiles } from "../test/next.ts";
import { isBelow, isNamed } from "../trace/next.ts";
import type { CrashFrame, Death } from "./crash-shape.ts";
import { traceCall } from "./one-run.ts";
import type { Running } from "./running.ts";

/**
 * `sonde trace --function load --depth 1 -- node app.js`: of a function on the stack, which is known to have run, with what it called.
 * The innermost one that made a value of its line itself; one that died of what it was given is shown from its caller on.
 */
export async function nextOf(
  death: Death,
  running: Running,
  { program, cwd }: { program: string | undefined; cwd: string },
): Promise<Call | undefined> {
  const { args: typed = [] } = running;
  const args = program === undefined ? typed : [shortPath(program, cwd), ...typed];
  const name = args.length === 0 ? undefined : await madeIt(death, cwd);
  return name === undefined ? undefined : traceCall({ ...running, args }, { function: [name], depth: 1 });
}

/** Farther out than that a trace holds too much besides. */
const MOST_OUT = 4;

/** Only code below the caller's folder is recorded by function. */
async function madeIt({ frames }: Death, cwd: string): Promise<string | undefined> {
  const own = frames.filter(({ user, path }) => user && path !== undefined && isBelow(path, cwd));
  const language = languageOf(own[0]?.path ?? "");
  if (language === undefined) return undefined;
  const onStack = new Set(own.map((frame) => nameParts(frame.function).at(-1)));
  for (const frame of own.slice(0, MOST_OUT)) {
    const { path = "", line } = frame;
    const lines = fileLines(path) ?? [];
    if (isNamed(frame.function)) {
      if (isMadeHere(lines, line)) return spelled(frame);
      continue;
    }
    // A file's own code is nothing that can be asked for: what it called for its line can.
    const names = surelyCalled(lines, line).filter((name) => !onStack.has(name));
    const found = names.length === 0 ? undefined : await definedNear(names, path, language, cwd);
    if (found !== undefined) return found;
  }
  const first = own.find((frame) => isNamed(frame.function));
  return first && spelled(first);
}

async function definedNear(
  names: readonly string[],
  path: string,
  language: Language,
  cwd: string,
): Promise<string | undefined> {
  const defined = await definedIn(names, [path, ...(await sourceFiles(cwd, language))], language);
  const nearest = names.find((name) => defined.has(name));
  return nearest === undefined ? undefined : defined.get(nearest);
}

/** As the debugger spells it, without the types of its arguments. */
function spelled({ function: name }: CrashFrame): string {
  return name.replace(/^(?:async |new )+/, "").replace(/\((?!\*).*$/, "");
}
