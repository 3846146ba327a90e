/** A source file of a compiled language is no program yet: refused with how to build it, or built when `--build` asks for it. */
import { basename, dirname, extname, join, relative } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { advice, option } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Guard } from "../../session/processes/guard.ts";
import { own } from "../../util/own.ts";
import { Workshop } from "./build.ts";
import { buildAdvice, runByProject, type Target } from "./target.ts";

export interface Made {
  program?: string;
  command?: string[];
  args: string[];
  workshop?: Workshop;
}

export interface CompiledOptions {
  /** What the command line's first word is, where it is an executable: `ls -l` is that, with arguments. */
  executable: string | undefined;
  build: boolean;
  /** The caller's folder. */
  from: string;
  /** Of the compiler's process. */
  guard: Guard;
}

export function compiled(adapter: Adapter, wanted: Target, options: CompiledOptions): Made {
  const { command, args, cwd, env } = wanted;
  const { executable, from } = options;
  if (command)
    return executable === undefined ? { command, args } : { program: executable, args: command.slice(1) };
  const { program } = wanted;
  if (program === undefined) return { args };
  const type = extname(program).toLowerCase();
  const build = adapter.fileTypes.includes(type) ? undefined : own(adapter.builds, type);
  if (!build) return { program, args };
  if (!options.build) {
    const output = join(dirname(program), basename(program, extname(program)));
    const typed = build.command(relative(from, program), relative(from, output));
    throw new SondeError(
      "BAD_ARGUMENT",
      `${basename(program)} is source text; what is debugged is built from it`,
      {
        hint: advice`${buildAdvice(program, typed, output, from)}; or add ${option({ build: true })}`,
      },
    );
  }
  const byProject = runByProject(program, from, args);
  if (byProject) return { command: byProject, args: [] };
  const workshop = new Workshop({ file: program, build, cwd, env, guard: options.guard });
  return { ...workshop.runs, args, workshop };
}
