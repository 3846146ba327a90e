/** Replacing the text of a loaded script while the program runs. */
import { readFile } from "node:fs/promises";
import type { Target } from "../target.ts";
import { DapError, reasonOf } from "./host.ts";
import type { ScriptTexts } from "./script-texts.ts";
import { realPath } from "./script-url.ts";
import type { Scripts } from "./scripts.ts";

/** Arguments of the request `sonde/setSource`. */
export interface SetSourceArguments {
  path: string;
  /** The new text; the file's text on disk when absent. */
  source?: string;
  /** Only tell whether it would work. */
  dryRun?: boolean;
}

export interface SetSourceBody {
  status: string;
  changed: boolean;
}

const WORDS: Record<string, string> = {
  Ok: "replaced",
  BlockedByActiveFunction:
    "refused: a changed function is on the stack; step out of it first, or restart its frame",
  BlockedByActiveGenerator: "refused: a changed generator or async function is suspended",
  BlockedByTopLevelEsModuleChange: "refused: the top level of an ES module cannot be changed",
  CompileError: "refused: the new text does not compile",
};

export async function setSource(
  { cdp, nodeVersion }: Target,
  { scripts, texts }: { scripts: Scripts; texts: ScriptTexts },
  args: SetSourceArguments,
): Promise<SetSourceBody> {
  const path = realPath(args.path);
  const loaded = scripts.atPath(path);
  const script = loaded.at(-1);
  if (script === undefined) throw new DapError(`${path} is not loaded yet: its new text is read when it is`);
  if (script.sourceMapUrl !== undefined && args.source === undefined)
    throw new DapError(`${path} is compiled as it loads; a live edit needs the compiled text`);
  const wanted = args.source ?? (await readFile(path, "utf8"));
  const { scriptSource } = await cdp.send("Debugger.getScriptSource", { scriptId: script.id });
  if (scriptSource === wanted)
    return { status: "unchanged: the program already runs this text", changed: false };
  try {
    const answer = await cdp.send("Debugger.setScriptSource", {
      scriptId: script.id,
      scriptSource: wanted,
      dryRun: args.dryRun === true,
    });
    const status = (answer as { status?: string }).status ?? "Ok";
    const fault =
      answer.exceptionDetails?.exception?.description?.split("\n")[0] ?? answer.exceptionDetails?.text;
    texts.forget(script.id);
    const words = WORDS[status] ?? status;
    return {
      status: fault === undefined ? words : `${words}: ${fault}`,
      changed: status === "Ok" && answer.exceptionDetails === undefined && args.dryRun !== true,
    };
  } catch (error) {
    const message = reasonOf(error);
    if (/wasn't found|not found|no longer available|removed|not supported/i.test(message))
      throw new DapError(
        `live edit is not available in Node ${nodeVersion ?? "26 and later"}: V8 no longer offers it; restart the program`,
      );
    throw error;
  }
}
