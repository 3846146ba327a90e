/**
 * Environments inside protocol messages. A launch carries all of one: of names that are not known to hold no secret the values are
 * taken out. Messages may be cut off anywhere, so they are read as text.
 */
import { isShownName } from "../system/environment.ts";

const FIELD = /"(?:env|environ|environment|runtimeEnv)"\s*:\s*(?=[{[])/g;
const PAIR = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*(,?)/y;
const WORD = /\s*"((?:[^"\\]|\\.)*?)(?:=((?:[^"\\]|\\.)*))?"\s*(,?)/y;
/** As a mask, so that it is known for one. */
const GONE = "[masked:environment:0000]";

/** `removed`: how many values are not in it any more. */
export function withoutEnvironment(text: string): { text: string; removed: number } {
  let out = "";
  let from = 0;
  let removed = 0;
  FIELD.lastIndex = 0;
  for (let field = FIELD.exec(text); field !== null; field = FIELD.exec(text)) {
    const start = field.index + field[0].length;
    if (start < from) continue;
    const read = text[start] === "{" ? pairs(text, start + 1) : words(text, start + 1);
    out += text.slice(from, start + 1) + read.text;
    removed += read.removed;
    from = read.end;
    FIELD.lastIndex = from;
  }
  return { text: out + text.slice(from), removed };
}

interface Read {
  text: string;
  end: number;
  removed: number;
}

/** `{"NAME": "value", …}` */
function pairs(text: string, start: number): Read {
  return each(PAIR, text, start, "}", ([whole, name = "", comma = ""]) =>
    isShownName(name) ? undefined : `${whole.slice(0, whole.indexOf('"'))}"${name}":"${GONE}"${comma}`,
  );
}

/** `["NAME=value", …]` */
function words(text: string, start: number): Read {
  return each(WORD, text, start, "]", ([, name = "", value, comma = ""]) =>
    isShownName(name) ? undefined : `"${value === undefined ? GONE : `${name}=${GONE}`}"${comma}`,
  );
}

function each(
  pattern: RegExp,
  text: string,
  start: number,
  close: string,
  replace: (found: RegExpExecArray) => string | undefined,
): Read {
  let out = "";
  let at = start;
  let removed = 0;
  for (;;) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null || found[0] === "") break;
    const other = replace(found);
    if (other !== undefined) removed += 1;
    out += other ?? found[0];
    at += found[0].length;
  }
  const rest = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  if (text[at + rest] === close) return { text: out, end: at, removed };
  // Cut off in the middle of a value, or of another make: nothing of it can be told apart.
  return { text: `${out}… (the rest is left out)`, end: text.length, removed: removed + 1 };
}
