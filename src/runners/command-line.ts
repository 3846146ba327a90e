/** Command lines as lists of words. */

/** `-k x`, `--tb=short`: the options of a line and the other words, each option with the value that belongs to it. */
export interface Parts {
  options: string[][];
  others: string[];
}

/** @param takes whether an option without `=` is followed by its value. */
export function parts(words: readonly string[], takes: (option: string) => boolean): Parts {
  const found: Parts = { options: [], others: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "-") found.others.push(word);
    else if (takes(word) && at + 1 < words.length) found.options.push([word, words[++at] ?? ""]);
    else found.options.push([word]);
  }
  return found;
}

/** Without these, given as `-x` or `--x=…` or with their value. */
export function without(options: readonly string[][], names: readonly string[]): string[][] {
  return options.filter(([word = ""]) => !names.includes(word.replace(/=.*$/s, "")));
}

export function among(text: string): (option: string) => boolean {
  const known = new Set(text.split(" "));
  return (option) => known.has(option);
}

export function base(word: string): string {
  return word.replace(/^.*\//s, "");
}

/** Before and after the runner's own word, which `is` knows by its base name. Only what starts other commands may stand before it. */
export function splitAt(
  words: readonly string[],
  is: (name: string) => boolean,
): { head: string[]; rest: string[] } | undefined {
  const at = words.findIndex((word) => is(base(word)));
  const before = words.slice(0, Math.max(0, at));
  if (
    at < 0 ||
    !before.every((word, index) => leads(word) || (index > 1 && before[index - 1]?.startsWith("-")))
  )
    return undefined;
  return { head: words.slice(0, at + 1), rest: words.slice(at + 1) };
}

const LEADING = new Set(
  "env timeout nice nohup time uv poetry pipenv hatch pdm rye conda npx npm pnpm yarn bun bunx run exec x dlx cross-env dotenv coverage xvfb-run node tsx --".split(
    " ",
  ),
);

/** `A=1`, `uv run`, `npx --no-install`, `python3 -m`, `timeout 30`; after an option there may be its value. */
function leads(word: string): boolean {
  return (
    LEADING.has(base(word)) ||
    /^([A-Za-z_]\w*=|-)/.test(word) ||
    /^(python|pypy)[\d.]*$/.test(base(word)) ||
    /^\d+[smh]?$/.test(word)
  );
}

/** A file as one would type it in this folder, if it lies below. */
export function nearPath(file: string, folder: string): string {
  const below = folder.endsWith("/") ? folder : `${folder}/`;
  const near = file.startsWith(below) ? file.slice(below.length) : "";
  return near === "" || near.startsWith("-") ? file : near;
}
