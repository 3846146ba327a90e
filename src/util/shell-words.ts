/** Splitting lines as a shell would, with quotes and backslashes but no expansion. */

/** `next; print "a;b"` → the text of each command, quotes and all. An unclosed quote is reported by `undefined`. */
export function splitLines(text: string): string[] | undefined {
  const lines: string[] = [""];
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\" && quote !== "'") {
      lines[lines.length - 1] += char + (text[++i] ?? "");
      continue;
    }
    if (quote !== "" ? char === quote : char === "'" || char === '"') quote = quote === "" ? char : "";
    if ((char === ";" || char === "\n") && quote === "") lines.push("");
    else lines[lines.length - 1] += char;
  }
  return quote === "" ? lines.map((line) => line.trim()).filter((line) => line !== "") : undefined;
}

/** The words of one line. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let open = false; // inside a word, even an empty quoted one
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && '"\\'.includes(line[i + 1] ?? "?")) word += line[++i];
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      open = true;
    } else if (char === "\\" && i + 1 < line.length) {
      word += line[++i];
      open = true;
    } else if (/\s/.test(char)) {
      if (open) words.push(word);
      word = "";
      open = false;
    } else {
      word += char;
      open = true;
    }
  }
  return open ? [...words, word] : words;
}

/** `'a + b'` → `a + b`, but `'a' + 'b'` stays: only quotes around all of it are the shell's. */
export function unquote(text: string): string {
  const quote = text[0];
  if ((quote !== "'" && quote !== '"') || text.length < 2 || text.at(-1) !== quote) return text;
  const inner = text.slice(1, -1);
  return inner.includes(quote) ? text : inner;
}

/** A word as it is typed in a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word between double quotes, as debuggers' command languages read it. */
export function doubleQuoted(word: string): string {
  return `"${word.replace(/[\\"]/g, "\\$&")}"`;
}

/** The same where a word without blanks needs none: in NODE_OPTIONS, and in DBGp's commands. */
export function quotedIfBlank(word: string): string {
  return /[\s"\\]/.test(word) ? doubleQuoted(word) : word;
}
