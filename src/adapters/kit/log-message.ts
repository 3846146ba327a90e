/** Log messages: text with `{expression}` in it; `\{` is a brace. */

export type LogPart = { text: string } | { expression: string };

export function parseLogMessage(message: string): LogPart[] {
  const parts: LogPart[] = [];
  let text = "";
  for (let i = 0; i < message.length; i++) {
    const char = message[i];
    if (char === "\\" && (message[i + 1] === "{" || message[i + 1] === "}")) text += message[++i];
    else if (char === "{") {
      const end = closingBrace(message, i);
      const expression = end === undefined ? "" : message.slice(i + 1, end).trim();
      if (end === undefined || expression === "") {
        text += char;
        continue;
      }
      if (text !== "") parts.push({ text });
      text = "";
      parts.push({ expression });
      i = end;
    } else text += char;
  }
  if (text !== "" || parts.length === 0) parts.push({ text });
  return parts;
}

/** The brace that closes the one at `open`, past nested braces and strings. */
function closingBrace(text: string, open: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let i = open; i < text.length; i++) {
    const char = text[i] ?? "";
    if (quote !== undefined) {
      if (char === "\\") i++;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'" || char === "`") quote = char;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return i;
  }
  return undefined;
}
