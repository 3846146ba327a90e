/** A line that is being typed: what a key makes of it. */
export interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
}

export interface Line {
  text: string;
  /** Where the next character goes. */
  at: number;
}

/** Undefined for a key that does nothing here. */
export function typeKey({ text, at }: Line, key: Key): Line | undefined {
  switch (key.name) {
    case "left":
      return { text, at: Math.max(0, at - 1) };
    case "right":
      return { text, at: Math.min(text.length, at + 1) };
    case "home":
      return { text, at: 0 };
    case "end":
      return { text, at: text.length };
    case "backspace":
      return at === 0 ? undefined : { text: text.slice(0, at - 1) + text.slice(at), at: at - 1 };
    case "delete":
      return { text: text.slice(0, at) + text.slice(at + 1), at };
  }
  if (key.ctrl && key.name === "u") return { text: text.slice(at), at: 0 };
  const added = key.sequence ?? "";
  if (key.ctrl || added === "" || /[\x00-\x1f\x7f]/.test(added)) return undefined;
  return { text: text.slice(0, at) + added + text.slice(at), at: at + added.length };
}
