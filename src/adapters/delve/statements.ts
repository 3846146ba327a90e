/** Where Go's statements begin and end, by the text alone: brackets, and the rule by which the end of a line ends a statement. Pure. */
export interface Declaring {
  /** Its first and its last line, from 1; without the blocks that belong to it. */
  first: number;
  last: number;
  /** The variables that it declares. */
  names: string[];
  /** The head of a function, and its results that have names: they are set before its first statement. */
  head?: "declared" | "literal";
}

interface Open {
  sign: string;
  /** Statements stand in it: the file, a block, a group of declarations. */
  isBlock: boolean;
  /** The word before a group's bracket. */
  group?: string;
  /** The statement that has begun and not ended. */
  current?: Declaring & { word: string; isClosed: boolean };
  /** A function's word was read on this line; its body is to come. */
  awaitsBody: number;
  /** Of the brackets around a function's results: what stands in them. */
  results?: string[];
  /** Of what such brackets stood in. */
  named?: string[];
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|`|\/\/.*$|\/\*|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|\+\+|--|:=|<-|\S/gu;
const PAIRS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const HEADERS = ["if", "for", "switch", "select", "else"];
const GROUPS = ["var", "const", "type", "import"];
const ENDS = /^(?:[\p{L}_\d"'`].*|[)\]}]|\+\+|--)$/u;
const LIST = String.raw`((?:[\p{L}_][\p{L}\p{N}_]*\s*,\s*)*[\p{L}_][\p{L}\p{N}_]*)`;
const SHORT = new RegExp(String.raw`^${LIST}\s*:=`, "u");
const LONG = new RegExp(String.raw`^var\s+${LIST}`, "u");
const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** Words that begin a type. */
const TYPES = ["map", "chan", "func", "interface", "struct"];
const GROUPED = new RegExp(`^${LIST}`, "u");

/**
 * The variables that a statement declares which began on an earlier line and still runs on this one: dlv shows what was in their places
 * before. `isLiteral`: the frame is of a function without a name.
 */
export function unsetNames(all: readonly Declaring[], line: number, isLiteral = false): string[] {
  const around = all.filter(({ first, last }) => first <= line && line <= last);
  const innermost = around.findLast(({ head }) => head === undefined);
  const declared = innermost === undefined || innermost.first === line ? [] : innermost.names;
  const kind = isLiteral ? "literal" : "declared";
  return [...declared, ...around.flatMap(({ head, names }) => (head === kind ? names : []))];
}

/** All of a file; nothing where its text is not understood. */
export function declaring(lines: readonly string[]): Declaring[] | undefined {
  const found: Declaring[] = [];
  const stack: Open[] = [{ sign: "", isBlock: true, awaitsBody: 0 }];
  /** The sign that ends a text or comment over several lines. */
  let until = "";
  let before = "";
  for (const [at, text] of lines.entries()) {
    const line = at + 1;
    let from = 0;
    while (from < text.length) {
      if (until !== "") {
        const end = text.indexOf(until, from);
        if (end < 0) break;
        from = end + until.length;
        until = "";
        goesOn(stack, line);
        continue;
      }
      TOKEN.lastIndex = from;
      const [token] = TOKEN.exec(text) ?? [];
      if (token === undefined) break;
      from = TOKEN.lastIndex;
      if (token.startsWith("//")) break;
      if (token === "/*") {
        until = "*/";
        continue;
      }
      if (token === "`") until = "`";
      const isLast = token === "{" && /^\s*(?:\/\/.*)?$/.test(text.slice(from));
      const ofList = token === "{" && /\]\s*\*?[\p{L}_][\p{L}\p{N}_.]*\s*$/u.test(text.slice(0, from - 1));
      const place = { line, text: text.slice(from - token.length), before, isLast, ofList };
      if (!take(token, place, stack, found)) return undefined;
      before = token;
    }
    const top = stack.at(-1);
    if (until === "" && top?.isBlock && isOver(before)) end(top);
  }
  if (stack.length !== 1) return undefined;
  return found.map((one) =>
    one.names.length > 1 && !one.head ? { ...one, names: newNames(one, lines) } : one,
  );
}

/** `a, err := f()` declares what is not there yet: none of those that the function names before it. */
function newNames({ first, names }: Declaring, lines: readonly string[]): string[] {
  const start = lines.slice(0, first - 1).findLastIndex((text) => /^func\b/.test(text));
  const before = lines.slice(Math.max(0, start), first - 1).join("\n");
  return names.filter(
    (name) => !new RegExp(String.raw`(?<![\p{L}\p{N}_])${name}(?![\p{L}\p{N}_])`, "u").test(before),
  );
}

interface Place {
  line: number;
  /** From the sign on. */
  text: string;
  before: string;
  /** A bracket that nothing follows on its line. */
  isLast: boolean;
  /** A bracket of the values of a list or map: `[]int{`. */
  ofList: boolean;
}

/** False where brackets do not match. */
function take(token: string, place: Place, stack: Open[], found: Declaring[]): boolean {
  const { line } = place;
  if (token in PAIRS) {
    const closed = stack.pop();
    const around = stack.at(-1);
    if (closed === undefined || closed.sign !== PAIRS[token] || around === undefined) return false;
    if (closed.results !== undefined) around.named = namesOf(closed.results);
  }
  const top = stack.at(-1);
  if (top === undefined) return false;
  top.results?.push(token);
  // `} else {` on one line: the statement before it is over.
  if (token === "else" && top.current?.isClosed) end(top);
  if (top.isBlock && top.current === undefined && token !== ";" && !(token in PAIRS))
    begin(token, place, top, found);
  goesOn(stack, line);
  if (token === "func") top.awaitsBody = line;
  if (token === ";" && top.isBlock && !HEADERS.includes(top.current?.word ?? "")) end(top);
  if (token === "(" || token === "[" || token === "{") stack.push(opened(token, place, top, found));
  return true;
}

function goesOn(stack: readonly Open[], line: number): void {
  const current = stack.findLast(({ isBlock }) => isBlock)?.current;
  if (current !== undefined && !current.isClosed) current.last = line;
}

function begin(word: string, { line, text }: Place, top: Open, found: Declaring[]): void {
  const [, list = ""] =
    (top.group === undefined
      ? (SHORT.exec(text) ?? LONG.exec(text))
      : top.group === "var" && GROUPED.exec(text)) || [];
  const names = list.split(/\s*,\s*/).filter((name) => name !== "" && name !== "_");
  top.current = { first: line, last: line, names, word, isClosed: false };
  found.push(top.current);
}

function opened(sign: string, { line, before, isLast, ofList }: Place, top: Open, found: Declaring[]): Open {
  const { current } = top;
  const isType = before === "struct" || before === "interface";
  if (sign === "{" && top.awaitsBody > 0 && !isType) {
    if (current?.word === "func") current.isClosed = true;
    const head = current?.word === "func" ? "declared" : "literal";
    // In a function on one line they may be set.
    if (top.named !== undefined && isLast)
      found.push({ first: top.awaitsBody, last: line, names: top.named, head });
    delete top.named;
    top.awaitsBody = 0;
    return { sign, isBlock: true, awaitsBody: 0 };
  }
  if (sign === "(" && top.awaitsBody > 0 && before === ")")
    return { sign, isBlock: false, awaitsBody: 0, results: [] };
  const isHeader = top.isBlock && HEADERS.includes(current?.word ?? "") && isLast && !ofList;
  const isBare = top.isBlock && current?.word === "{" && !current.isClosed;
  if (sign === "{" && !isType && (isHeader || isBare)) {
    if (current !== undefined) current.isClosed = true;
    return { sign, isBlock: true, awaitsBody: 0 };
  }
  const group = top.isBlock && sign === "(" && before === current?.word && GROUPS.includes(before);
  if (group && current !== undefined) current.isClosed = true;
  return { sign, isBlock: group, awaitsBody: 0, ...(group ? { group: before } : {}) };
}

/** `a, b int, err error` → a, b, err; nothing of types alone. */
function namesOf(results: readonly string[]): string[] {
  const parts = results
    .join(" ")
    .split(",")
    .map((part) => part.trim().split(" "));
  const isNamed = parts.some(
    ([name = "", type]) => WORD.test(name) && !TYPES.includes(name) && type && type !== ".",
  );
  const names = parts.map(([name = ""]) => name);
  return isNamed ? names.filter((name) => WORD.test(name) && name !== "_") : [];
}

function end(top: Open): void {
  delete top.current;
  delete top.named;
  top.awaitsBody = 0;
}

/** A colon there is that of a case or a label. */
function isOver(before: string): boolean {
  return ENDS.test(before) || before === ":" || before === ";";
}
