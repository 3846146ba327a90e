/** From the words of `sonde test` to the runner they mean: package scripts looked up, a project's own tools put on the path. */
import { existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { recognise } from "../../runners/index.ts";
import { scriptOf, scriptWords } from "../../runners/package-script.ts";
import type { Line, Runner } from "../../runners/runner.ts";
import { readSmallFile } from "../../util/small-file.ts";

export interface TestLine {
  /** What runs everything, as it is. */
  words: string[];
  /** Added for every run. */
  env: Record<string, string>;
  runner?: { rules: Runner; line: Line };
  /** What starts its first word where nobody has put the project's tools on the path. */
  starter: string[];
}

const MOST_PACKAGE_BYTES = 4 << 20;
/** Starters of a project's own tools, which are also there without them. */
const STARTERS = new Set(["npx", "pnpx", "bunx"]);

export function testLine(typed: readonly string[], cwd: string, path: string): TestLine {
  const { words, env, starter } = unwrapped(typed, cwd, path);
  const found = recognise(words);
  if (!found) return { words, env, starter };
  const { runner: rules, head, rest } = found;
  const line: Line = { head, rest, cwd, exists: (one) => existsSync(resolve(cwd, one)) };
  return { words, env, starter, runner: { rules, line } };
}

/** `npm test` is its script and `npx vitest` the vitest of the project: a package manager in between costs a second a run. */
function unwrapped(typed: readonly string[], cwd: string, path: string): Omit<TestLine, "runner"> {
  const folders = upward(cwd).map((folder) => join(folder, "node_modules", ".bin"));
  const env = { PATH: [...folders.filter((folder) => existsSync(folder)), path].join(delimiter) };
  const asked = scriptOf(typed);
  const script = asked && scriptIn(cwd, asked.script);
  const isOwn = (tool = "") =>
    !tool.includes("/") && folders.some((folder) => existsSync(join(folder, tool)));
  const started = (words: string[]) => ({ words, env, starter: isOwn(words[0]) ? ["npx"] : [] });
  if (asked && script) return started([...script, ...asked.args]);
  const [first = "", second = "", ...rest] = typed;
  if (STARTERS.has(first) && isOwn(second)) return { ...started([second, ...rest]), starter: [first] };
  return isOwn(first) ? started([...typed]) : { words: [...typed], env: {}, starter: [] };
}

function scriptIn(cwd: string, script: string): string[] | undefined {
  const file = upward(cwd)
    .map((folder) => join(folder, "package.json"))
    .find((one) => existsSync(one));
  return file === undefined ? undefined : scriptWords(readSmallFile(file, MOST_PACKAGE_BYTES), script);
}

function upward(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upward(above)];
}
