/** Colours, moves of the cursor, titles and links, which runners put into what they print also where nobody sees them. */
const COLOUR =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][0-9AB]|\u001b[=>78cDEHM]/g;

export function withoutColours(text: string): string {
  return text.replace(COLOUR, "");
}
