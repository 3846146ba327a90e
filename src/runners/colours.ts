/** Colours, which runners put into what they print also where nobody sees them. */
const COLOUR = /\u001b\[[\d;:]*m/g;

export function withoutColours(text: string): string {
  return text.replace(COLOUR, "");
}
