/** Buggy and fixed versions, drawn by a seed: a mutant counts only if it builds, ends, and prints something else. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, lay, programsOf, ran, sourceOf } from "./languages.mjs";
import { KINDS, mutatedLines, mutations } from "./mutate.mjs";
import { random, seedFor } from "./random.mjs";

const RUN_SECS = 10;
/** Of one kind in one round; then the next kind has its turn. */
const TRIES = 8;

/** Yields pairs until there are enough; the kinds take turns, as far as the language has them. */
export function* pairsOf(language, { seed, count, folder, env, only }) {
  const { below, shuffled } = random(seedFor(seed, language));
  const programs = programsOf(language).map((program) => {
    const text = readFileSync(program.path, "utf8");
    return { ...program, text, mutations: mutations(text, language) };
  });
  const used = new Set();
  let made = 0;
  for (let round = 0; made < count && round < count * 4; round++) {
    for (const { kind } of shuffled(KINDS)) {
      if (made >= count) break;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const program = programs[below(programs.length)];
        const fitting = program.mutations.filter((one) => one.kind === kind && !used.has(one.text));
        if (fitting.length === 0) continue;
        const mutation = fitting[below(fitting.length)];
        used.add(mutation.text);
        const place = join(folder, `${language}-${made + 1}`);
        const pair = builtPair(program, mutation, place, env);
        if (pair === undefined) {
          rmSync(place, { recursive: true, force: true });
          continue;
        }
        made++;
        if (only === undefined || only === made) yield { ...pair, number: made };
        break;
      }
    }
  }
}

function builtPair(program, mutation, folder, env) {
  const { language, name, extension, text } = program;
  const { run } = LANGUAGES[language];
  const command = (side) => run({ side, name, extension, file: `${side}/${name}${extension}` });
  if (!lay(program, join(folder, "buggy"), mutation.text)) return undefined;
  const buggy = ran(command("buggy"), folder, RUN_SECS, env);
  if (buggy.error !== undefined || buggy.signal === "SIGKILL") return undefined;
  // What is compiled as it is loaded has not been built either.
  if (/TransformError|^SyntaxError/m.test(buggy.stderr) && buggy.stdout === "") return undefined;
  if (!lay(program, join(folder, "fixed"), text)) throw new Error(`${name} does not build`);
  const fixed = ran(command("fixed"), folder, RUN_SECS, env);
  const printed = ({ stdout, status, signal }) => `${stdout}\n${status} ${signal}`;
  if (printed(fixed) === printed(buggy)) return undefined;
  return {
    ...program,
    kind: mutation.kind,
    what: mutation.what,
    folder,
    source: sourceOf(program),
    fixed: text,
    buggy: mutation.text,
    lines: mutatedLines(text, mutation.text),
    commands: { a: command("fixed"), b: command("buggy") },
  };
}

/** Whether the tests of the buggy version fail, as its own runner says. */
export function testFails({ language, name, extension, folder }, env) {
  const { buildTest, check } = LANGUAGES[language];
  const where = join(folder, "buggy");
  if (buildTest !== undefined && ran(buildTest({ name, extension }), where, 120, env).status !== 0)
    return false;
  const checked = ran(check({ name, extension }), where, 120, env);
  return checked.error === undefined && checked.status !== 0;
}
