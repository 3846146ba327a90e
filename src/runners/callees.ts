/** What a failing line leads to: the functions it calls, or that gave the names in it their values. By the text alone. */

/** How a language defines functions. */
export interface Language {
  /** Names of its source files. */
  files: RegExp;
  /** The name by which a function of this name is found in a program, if `text` defines one. */
  defined(name: string, text: string): string | undefined;
}

export const PYTHON: Language = {
  files: /\.py$/,
  defined: (name, text) => (new RegExp(`^\\s*(?:async )?def ${name}\\(`, "m").test(text) ? name : undefined),
};

export const SCRIPT: Language = {
  files: /\.[cm]?[jt]sx?$/,
  defined: (name, text) => {
    const plain = name.replaceAll("$", "\\$");
    const forms = [
      `\\bfunction\\*?\\s+${plain}\\s*[<(]`,
      `\\b(?:const|let|var)\\s+${plain}\\b[^=\\n]*=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)[^=\\n]*=>|[\\w$]+\\s*=>)`,
      // A method: its name, its parameters and its body begin a line, or end it.
      `^\\s*(?:(?:public|private|protected|static|async|override)\\s+)*\\*?${plain}\\s*(?:<[^>\\n]*>)?\\([^;\\n]*\\)\\s*(?::[^{;\\n]+)?\\{\\s*$`,
    ];
    return new RegExp(forms.join("|"), "m").test(text) ? name : undefined;
  },
};

export const GO: Language = {
  files: /\.go$/,
  defined: (name, text) => {
    if (new RegExp(`^func ${name}[[(]`, "m").test(text)) return name;
    const [, type] =
      new RegExp(`^func \\((?:\\w+ )?\\*?(\\w+)(?:\\[[^\\]]*\\])?\\) ${name}\\(`, "m").exec(text) ?? [];
    return type === undefined ? undefined : `${type}.${name}`;
  },
};

/** Before a bracket these are no functions. */
const WORDS = new Set(
  "if for while switch catch return assert not and or in is await yield new function def func class lambda with elif else except raise throw typeof delete case print super".split(
    " ",
  ),
);
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const CALL = new RegExp(`(${NAME})\\s*\\(`, "gu");
const LONE = new RegExp(`(?<![\\p{L}\\p{N}_$.])(${NAME})(?!\\s*[\\p{L}\\p{N}_$(:])`, "gu");
/** A statement of more lines, and a function of more, is not followed. */
const STATEMENT_LINES = 12;
const FUNCTION_LINES = 80;
/** `total = sum(parts)`, and `parts = split(text)` before it. */
const STEPS_BACK = 2;

/** Names of called functions, the nearest to the failure first. `line` counts from 1. */
export function calledFor(lines: readonly string[], line: number): string[] {
  const found = new Set<string>();
  let from = [statementAt(lines, line - 1)];
  for (let step = 0; step <= STEPS_BACK && from.length > 0; step++) {
    for (const { text } of from) for (const name of calls(text)) found.add(name);
    from = from.flatMap(({ text, first }) =>
      [...new Set(matches(text, LONE))].flatMap((name) => assignment(lines, first, name) ?? []),
    );
  }
  return [...found];
}

interface Statement {
  text: string;
  /** The index of its first line. */
  first: number;
}

/** With the lines before and after that its brackets need. */
function statementAt(lines: readonly string[], at: number): Statement {
  let first = at;
  let text = code(lines[at]);
  while (first > 0 && at - first < STATEMENT_LINES && (open(text) < 0 || /^\s*[.)\]}]/.test(text)))
    text = `${code(lines[--first])}\n${text}`;
  for (let next = at + 1; open(text) > 0 && next < lines.length && next - at < STATEMENT_LINES; next++)
    text += `\n${code(lines[next])}`;
  return { text, first };
}

/** Without strings and comments. */
function code(line = ""): string {
  return line
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""')
    .replace(/(#|\/\/).*$/, "");
}

function open(text: string): number {
  const round = text.match(/\(/g)?.length ?? 0;
  return round - (text.match(/\)/g)?.length ?? 0);
}

function calls(text: string): string[] {
  return matches(text, CALL).filter((name) => !WORDS.has(name));
}

function matches(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, name = ""]) => name);
}

/** The nearest line above, in the same function, that gives this name a value: what is on its right side. */
function assignment(lines: readonly string[], before: number, name: string): Statement | undefined {
  const target = new RegExp(`(?<![\\p{L}\\p{N}_$.])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$(])`, "u");
  for (let at = before - 1; at >= 0 && before - at < FUNCTION_LINES; at--) {
    const line = code(lines[at]);
    if (/^\s*(async )?(def|func|function|export) |=> \{\s*$/.test(line)) return undefined;
    const [, left = "", right] = /^(.*?)(?:(?<![=!<>]):?=(?![=>]))(.*)$/.exec(line) ?? [];
    if (right === undefined || !target.test(left)) continue;
    const { text, first } = statementAt(lines, at);
    return { text: text.slice(text.indexOf(right)), first };
  }
  return undefined;
}
