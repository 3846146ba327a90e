/** A gdb that runs scripts. */
import type { Where } from "../../../adapters/adapter.ts";
import { probe, toolOnPath } from "../../../adapters/kit/find.ts";

/** No start-up files and no scripts of a project's, nothing fetched, and no symbols from elsewhere, which LLDB does not take either. */
export const OPTIONS = [
  ...["-q", "-nx", "-batch"],
  ...["-iex", "set auto-load off", "-iex", "set debuginfod enabled off"],
  ...["-iex", "set debug-file-directory /nonexistent"],
];

export async function findGdb(where: Where): Promise<{ path: string } | { reason: string }> {
  const path = toolOnPath("gdb", where);
  if (path === undefined) return { reason: "there is no gdb on the PATH" };
  const said = await probe(path, ["-q", "-nx", "-batch", "-ex", "python print(6 * 7)"]);
  return /^42$/m.test(said ?? "") ? { path } : { reason: `${path} cannot run Python scripts` };
}

/** What gdb itself must not take from the program's environment. */
const FOREIGN = /^(LD_|PYTHON)/;

/** gdb's own environment, and the commands that give the program what is missing there. */
export function environmentFor(env: Readonly<Record<string, string>>): {
  env: Record<string, string>;
  commands: string[];
} {
  const entries = Object.entries(env);
  const foreign = entries.filter(([name]) => FOREIGN.test(name));
  return {
    env: Object.fromEntries(entries.filter(([name]) => !FOREIGN.test(name))),
    commands: foreign.flatMap(([name, value]) => ["-iex", `set environment ${name}=${value}`]),
  };
}
