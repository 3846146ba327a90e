/** Where to go from a death: the command that shows how it came about. */
import type { Call } from "../../advice/advice.ts";
import { languageOf } from "../../trace/callees.ts";
import { shortPath } from "../answers/text.ts";
import { type Callee, calleeArgs, calleeOf, isIndirect } from "../test/next.ts";
import { isBelow, isNamed } from "../trace/next.ts";
import type { Death } from "./crash-shape.ts";
import { traceCall } from "./one-run.ts";
import type { Running } from "./running.ts";

/**
 * `sonde trace --function load -- node app.js`: of the function that gave a value to the line of the innermost frame that has such a
 * one; it has returned, so no frame shows it. Else of the function that died, from its arguments on.
 */
export async function nextOf(
  death: Death,
  running: Running,
  { program, cwd }: { program: string | undefined; cwd: string },
): Promise<Call | undefined> {
  const { args: typed = [] } = running;
  const args = program === undefined ? typed : [shortPath(program, cwd), ...typed];
  const callee = args.length === 0 ? undefined : await madeIt(death, cwd);
  return callee && traceCall({ ...running, args }, calleeArgs(callee));
}

/** Only code below the caller's folder is recorded by function. */
async function madeIt({ frames }: Death, cwd: string): Promise<Callee | undefined> {
  const own = frames.filter(({ user, path }) => user && path !== undefined && isBelow(path, cwd));
  const path = own[0]?.path;
  const language = path === undefined ? undefined : languageOf(path);
  if (path === undefined || language === undefined) return undefined;
  const callee = await calleeOf(own, language, { cwd, own: "first" });
  if (callee !== undefined) return callee;
  const died = own.find((frame) => isNamed(frame.function));
  if (died?.path === undefined) return undefined;
  // As the debugger spells it, without the types of its arguments.
  const name = died.function.replace(/^(?:async |new )+/, "").replace(/\((?!\*).*$/, "");
  return { name, indirect: await isIndirect(name, [died.path], language) };
}
