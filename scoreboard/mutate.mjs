/** Small mistakes that people make, put into a program: every place where each kind could be made. What does not build is left to the caller. */
import { headAbove, indentOf, isDeclaration, isName, isStatement, tokensOf } from "./code-text.mjs";

/** The driver's own calls and data are no part of what is tested. */
const DRIVER = /^\s*(#|\/\/|\/\*)\s*driver\b/;

/** Each: its kind, the text with the mistake, and what it is in a few words. */
export function mutations(text, language) {
  const lines = text.split("\n");
  const driver = lines.findIndex((line) => DRIVER.test(line));
  const end = driver < 0 ? lines.length : driver;
  const tokens = tokensOf(text, language).filter(
    ({ line }) => line <= end && headAbove(lines, line, language) !== undefined,
  );
  const spliced = (from, to, into) => text.slice(0, from) + into + text.slice(to);
  const code = { text, lines, end, tokens, language, spliced };
  return KINDS.flatMap(({ kind, find }) => find(code).map((one) => ({ kind, ...one })));
}

const BOUNDS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const OPERATORS = {
  "+": "-",
  "-": "+",
  "*": "+",
  "/": "*",
  "%": "/",
  "//": "*",
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  and: "or",
  or: "and",
  "+=": "-=",
  "-=": "+=",
  min: "max",
  max: "min",
};

/** An operator that has a blank on each side; a type's brackets and a pointer's star have not. */
function isSpaced({ text }, { from, to, text: token }) {
  return /\w/.test(token) || (text[from - 1] === " " && text[to] === " ");
}

function operators(code) {
  return code.tokens.flatMap((token) => {
    const other = Object.hasOwn(OPERATORS, token.text) ? OPERATORS[token.text] : undefined;
    if (other === undefined || !isSpaced(code, token)) return [];
    return [{ text: code.spliced(token.from, token.to, other), what: `${token.text} is ${other}` }];
  });
}

function bounds(code) {
  return code.tokens.flatMap((token) => {
    const other = Object.hasOwn(BOUNDS, token.text) ? BOUNDS[token.text] : undefined;
    if (other !== undefined && isSpaced(code, token))
      return [{ text: code.spliced(token.from, token.to, other), what: `${token.text} is ${other}` }];
    if (!/^\d+$/.test(token.text)) return [];
    const number = Number(token.text);
    return [number + 1, ...(number > 0 ? [number - 1] : [])].map((one) => ({
      text: code.spliced(token.from, token.to, String(one)),
      what: `${number} is ${one}`,
    }));
  });
}

/** Another name that the function has used before. */
function variables(code) {
  const { tokens, lines, language, text } = code;
  const plain = tokens.filter((token) => {
    const [before, after] = [text.slice(0, token.from).trimEnd().at(-1), text.slice(token.to).trimStart()[0]];
    return (
      isName(token) &&
      /^[a-z]/.test(token.text) &&
      !".:>#&".includes(before ?? " ") &&
      !"(:".includes(after ?? " ")
    );
  });
  return plain.flatMap((token, at) => {
    const head = headAbove(lines, token.line, language);
    const known = plain.slice(0, at).filter((one) => one.line >= head && one.text !== token.text);
    const names = [...new Set(known.map((one) => one.text))];
    return names.map((name) => ({
      text: code.spliced(token.from, token.to, name),
      what: `${token.text} is ${name}`,
    }));
  });
}

const isLoose = ({ lines, language, end }, at) =>
  at < end && isStatement(lines[at], language) && headAbove(lines, at + 1, language) !== undefined;

function missing(code) {
  const { lines, language } = code;
  return lines.flatMap((line, at) => {
    if (!isLoose(code, at) || isDeclaration(line, language)) return [];
    // A body must not be left empty where that is no code.
    const alone = indentOf(lines[at - 1]) < indentOf(line) && indentOf(lines[at + 1] ?? "") < indentOf(line);
    if (language === "python" && alone) return [];
    return [{ text: lines.toSpliced(at, 1).join("\n"), what: `without ${line.trim()}` }];
  });
}

function order(code) {
  const { lines } = code;
  return lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? "";
    if (!isLoose(code, at) || !isLoose(code, at + 1) || indentOf(line) !== indentOf(next)) return [];
    return [
      { text: lines.toSpliced(at, 2, next, line).join("\n"), what: `after the line below: ${line.trim()}` },
    ];
  });
}

/** What makes a copy, and what is left when it does not. */
const COPIES = {
  python: [
    [/\b(?:dict|list|set)\((\w+(?: or \{\})?)\)/g, "$1"],
    [/\b([\w.]+)\.copy\(\)/g, "$1"],
    [/\b(\w+)\[:\]/g, "$1"],
  ],
  javascript: [
    [/\[\.\.\.([\w.#]+)\]/g, "$1"],
    [/\{ \.\.\.([\w.]+) \}/g, "$1"],
    [/\b(\w+)\.slice\(\)/g, "$1"],
    [/new Map\((this\.\w+)\)/g, "$1"],
  ],
  cpp: [
    [/\b(Spans) (\w+) = (\w+);/g, "$1 &$2 = const_cast<$1 &>($3);"],
    [/\b(Entry|Task|Span) (\w+) = /g, "const auto &$2 = "],
    [/\bint (\w+)\((Spans) (\w+)\)/g, "int $1($2 &$3)"],
  ],
  c: [[/\bstruct (\w+) (\w+) = (\w+);/g, "static struct $1 $2;"]],
  go: [
    [/append\(\[\]\w+\(nil\), (\w+)\.\.\.\)/g, "$1"],
    [/\[\]rune\((\w+)\)\n/g, "$1\n"],
  ],
  java: [
    [/new (?:ArrayList|HashSet|HashMap)<>\((\w+)\)/g, "$1"],
    [/new HashSet<>\((\w+\.keySet\(\))\)/g, "$1"],
  ],
  rust: [],
};
COPIES.typescript = COPIES.javascript;

function replaced(code, pattern, into, what) {
  return [...code.text.matchAll(pattern)].flatMap((match) => {
    const line = code.text.slice(0, match.index).split("\n").length;
    if (line > code.end || headAbove(code.lines, line, code.language) === undefined) return [];
    pattern.lastIndex = 0;
    const text = match[0].replace(new RegExp(pattern.source), into);
    return [{ text: code.spliced(match.index, match.index + match[0].length, text), what }];
  });
}

function aliasing(code) {
  return COPIES[code.language].flatMap(([pattern, into]) =>
    replaced(code, pattern, into, "the same, no copy"),
  );
}

function awaits(code) {
  if (!["python", "javascript", "typescript"].includes(code.language)) return [];
  return replaced(code, /\bawait /g, "", "not waited for");
}

/** What each call should have for itself lives on from call to call. */
function shared(code) {
  const { lines, language, end } = code;
  return lines.slice(0, end).flatMap((line, at) => {
    const head = headAbove(lines, at + 1, language);
    if (head === undefined) return [];
    const what = `kept between calls: ${line.trim()}`;
    const kept = (declared) => [
      {
        text: lines
          .toSpliced(at, 1)
          .toSpliced(head - 1, 0, declared)
          .join("\n"),
        what,
      },
    ];
    const indent = " ".repeat(indentOf(lines[head - 1]));
    if (language === "python") {
      const [, name, value] = /^\s+(\w+) = (\[\]|\{\}|set\(\))$/.exec(line) ?? [];
      const def = lines[head - 1];
      if (name === undefined || at !== head || !/\w\):$/.test(def)) return [];
      const changed = def.replace(/\):$/, `, ${name}=${value}):`);
      return [
        {
          text: lines
            .toSpliced(at, 1)
            .toSpliced(head - 1, 1, changed)
            .join("\n"),
          what,
        },
      ];
    }
    if (language === "javascript" || language === "typescript") {
      const isFunction = /^(export )?(async )?function/.test(lines[head - 1]);
      const fits = /^ {2}(const|let) \w+(: [\w[\]<>]+)? = (\[\]|\{\}|0|""|new (Map|Set)\(\));$/.test(line);
      return isFunction && fits ? kept(line.trim()) : [];
    }
    if (language === "c" || language === "cpp") {
      if (!/^\s+(int|long|size_t|unsigned|std::string|Spans|std::vector<[\w:<>, ]+>) \w+( = 0)?;$/.test(line))
        return [];
      return [{ text: lines.toSpliced(at, 1, line.replace(/^(\s+)/, "$1static ")).join("\n"), what }];
    }
    if (language === "go") {
      const [, name, value] = /^\t(\w+) := (make\(.*\)|0|"")$/.exec(line) ?? [];
      if (name !== undefined) return kept(`var ${name} = ${value}\n`);
      return /^\tvar \w+ (\[\][\w[\]]+|\[7\]int)$/.test(line) ? kept(`${line.trim()}\n`) : [];
    }
    if (language === "java") {
      const fits = /^ {8}(List|Set|Map|Deque|StringBuilder|int)\S*(<.*>)? \w+ = (new \w+(<>)?\(\)|0);$/.test(
        line,
      );
      return fits ? kept(`${indent}static ${line.trim()}\n`) : [];
    }
    return [];
  });
}

export const KINDS = [
  { kind: "operator", find: operators },
  { kind: "bound", find: bounds },
  { kind: "variable", find: variables },
  { kind: "missing", find: missing },
  { kind: "order", find: order },
  { kind: "aliasing", find: aliasing },
  { kind: "await", find: awaits },
  { kind: "shared", find: shared },
];

/**
 * The lines that the mistake is on, in either version. A line that only one version has is named by itself, or in the other by the
 * line before or after its place.
 */
export function mutatedLines(fixed, buggy) {
  const [a, b] = [fixed.split("\n"), buggy.split("\n")];
  const sides = { fixed: new Set(), buggy: new Set() };
  for (const { kind, i, j } of edits(a, b)) {
    if (kind === "removed") {
      sides.fixed.add(i + 1);
      for (const near of nearTo(b, j)) sides.buggy.add(near);
    } else {
      sides.buggy.add(j + 1);
      for (const near of nearTo(a, i)) sides.fixed.add(near);
    }
  }
  // A line in both versions, changed: only itself.
  if (a.length === b.length) {
    const changed = a.flatMap((line, at) => (line === b[at] ? [] : [at + 1]));
    if (changed.length === 1) return { fixed: new Set(changed), buggy: new Set(changed) };
  }
  return sides;
}

/** The lines with code around a place between two lines. */
function nearTo(lines, at) {
  const isCode = (line) => line !== undefined && /\w/.test(line);
  let [before, after] = [at - 1, at];
  while (before >= 0 && !isCode(lines[before])) before--;
  while (after < lines.length && !isCode(lines[after])) after++;
  return [before + 1, after + 1].filter((line) => line >= 1 && line <= lines.length);
}

function edits(a, b) {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  const found = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1]))
      found.push({ kind: "removed", i: i++, j });
    else found.push({ kind: "added", i, j: j++ });
  }
  return found;
}
