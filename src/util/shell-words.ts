/** Splitting a line into words the way a shell would, with quotes and backslashes but no expansion. */

/** `next; print "a;b"` → two lines. An unclosed quote is reported by `undefined`. */
export function splitCommands(text: string): string[][] | undefined {
  const lines: string[][] = [[]];
  let word = "";
  let open = false; // inside a word, even an empty quoted one
  let quote = "";
  const endWord = () => {
    if (open) lines.at(-1)?.push(word);
    word = "";
    open = false;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && '"\\'.includes(text[i + 1] ?? "?")) word += text[++i];
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      open = true;
    } else if (char === "\\" && i + 1 < text.length) {
      word += text[++i];
      open = true;
    } else if (char === ";" || char === "\n") {
      endWord();
      lines.push([]);
    } else if (/\s/.test(char)) endWord();
    else {
      word += char;
      open = true;
    }
  }
  if (quote !== "") return undefined;
  endWord();
  return lines.filter((words) => words.length > 0);
}
