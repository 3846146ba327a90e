/** As much of a program's text as a mutation needs: tokens outside of comments and strings, functions, simple statements. */

const KEYWORDS = new Set(
  `if else for while do switch case break continue return yield await async new delete typeof in of not and or is
  def class lambda import from as with try except finally raise throw catch pass None True False self this super
  function const let var null undefined true false export default static public private final void int long char bool boolean
  unsigned size_t struct enum record auto nullptr using template typename fn mut pub impl use mod match ref move loop Some Ok Err
  func package range type map string error nil go defer chan interface select var byte rune print println printf std fmt len
  i64 u32 i32 usize str String Vec vec Option Result global nonlocal assert sizeof NULL operator explicit virtual override usize u8
  append make`
    .split(/\s+/)
    .filter(Boolean),
);

const TOKEN = {
  python:
    /#.*|[rbf]?"""[\s\S]*?"""|[rbf]*"(?:\\.|[^"\\\n])*"|[rbf]*'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\d[\w.]*|\*\*|\/\/|[-+*/%<>=!]=|<<|>>|\S/g,
  other:
    /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])+'|#\w+|\/(?![\s=])(?:\\.|\[[^\]\n]*\]|[^/\\\n])+\/(?=[.,;)])|[A-Za-z_$][\w$]*|\d[\w.]*|===|!==|\?\?=?|=>|->|\+\+|--|&&|\|\||::|\.\.=?|[-+*/%<>=!:]=|<<|>>|\S/g,
};

/** With the line of each, from 1; no comments, no strings, no lines that import. */
export function tokensOf(text, language) {
  const lines = text.split("\n");
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const tokens = [];
  let line = 0;
  for (const match of text.matchAll(TOKEN[language === "python" ? "python" : "other"])) {
    while (line + 1 < starts.length && starts[line + 1] <= match.index) line++;
    const [token] = match;
    if (/^(#.*\s|#$|\/\/|\/\*|[rbf]*["'`]|\/.{2,}\/$)/.test(token)) continue;
    if (/^\s*(import|from|using|use|package|#|@|template|typedef)\b/.test(lines[line])) continue;
    tokens.push({ text: token, from: match.index, to: match.index + token.length, line: line + 1 });
  }
  return tokens;
}

export const isName = ({ text }) => /^[A-Za-z_$][\w$]*$/.test(text) && !KEYWORDS.has(text);

export const indentOf = (line) => line.search(/\S|$/);

const HEADS = {
  python: /^\s*(async\s+)?def\s/,
  javascript:
    /^\s*(export\s+)?(async\s+)?function\b|^\s+(async\s+|static\s+)*#?[a-z]\w*\([^)]*\)\s*(:\s*[\w<>[\]| ,{};:]+)?\s*\{$/,
  c: /^[a-z][\w\s*]*\([^;]*\{$/,
  cpp: /^\s*(explicit |static )?[\w:<>&*, ]+ [&*]?\w+\([^;]*\{$/,
  rust: /^\s*(pub\s+)?fn\s/,
  go: /^func\s/,
  java: /^ {4}[\w<>[\], ]+\([^;]*\)\s*\{$/,
};

/** The line where the function around a line begins; none: it is in no function. */
export function headAbove(lines, line, language) {
  const head = HEADS[language === "typescript" ? "javascript" : language];
  const isControl = /^\s*(if|for|while|switch|catch|else|do|try)\b/;
  for (let at = line - 1; at >= 0; at--) {
    const text = lines[at];
    if (!head.test(text) || isControl.test(text) || /^\s*else\b/.test(text)) continue;
    if (at === line - 1) return undefined;
    if (indentOf(text) < indentOf(lines[line - 1])) return at + 1;
  }
  return undefined;
}

/** A statement that stands alone on its line. */
export function isStatement(text, language) {
  const bare = text.trim();
  if (bare === "" || !isBalanced(bare)) return false;
  if (language === "python")
    return (
      !bare.endsWith(":") &&
      !/^(return|def|class|import|from|raise|pass|else|elif|if|for|while|try|except|finally|@|#|"|global)/.test(
        bare,
      ) &&
      /=|\(|^(continue|break|del)\b/.test(bare)
    );
  if (
    /^(return|throw|import|use|package|case|default|#|\/\/|\*|using|export|if|for|while|else|}|\{)/.test(bare)
  )
    return false;
  if (language === "go")
    return !/[{,]$/.test(bare) && /[=(]|\+\+|--|^(continue|break)/.test(bare) && !/^(func|type)\b/.test(bare);
  return bare.endsWith(";") && !/[{}]$/.test(bare);
}

export function isDeclaration(text, language) {
  const bare = text.trim();
  if (language === "python") return false;
  if (language === "go") return /:=|^var /.test(bare);
  if (language === "rust") return /^let\b/.test(bare);
  if (/^(const|let|var)\b/.test(bare)) return true;
  if (language === "javascript" || language === "typescript") return false;
  return (
    /^(static |final |const )*[\w:<>[\], ]+[\s*&]+\w+(\[.*\])?\s*(=|;|\{|\()/.test(bare) &&
    !/^\w+\(/.test(bare)
  );
}

function isBalanced(text) {
  let depth = 0;
  for (const char of text.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "")) {
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char) && --depth < 0) return false;
  }
  return depth === 0;
}
