/** What a program printed, without what its test runner printed about itself. */
import { withoutColours } from "./colours.ts";
import type { Rules, Told } from "./runner.ts";

/** Without colours. */
export function ownWords<T extends { text: string }>(
  all: readonly T[],
  { chatter, told }: Pick<Rules, "chatter" | "told">,
): T[] {
  const lines = all.map((line) => ({ ...line, text: withoutColours(line.text) }));
  let within: "report" | "printed" | undefined;
  return lines.filter(({ text }, at) => {
    if (within === undefined) {
      if (told && begins(told, lines, at)) within = "report";
      return within === undefined && !chatter?.test(text);
    }
    if (told?.to?.test(text)) within = undefined;
    else if (told?.printed?.from.test(text)) within = "printed";
    else if (told?.printed?.to.test(text)) within = "report";
    else return within === "printed" && !chatter?.test(text);
    return false;
  });
}

function begins({ from, to }: Told, lines: readonly { text: string }[], at: number): boolean {
  if (!from.test(lines[at]?.text ?? "")) return false;
  return to === undefined || lines.slice(at + 1).some(({ text }) => to.test(text));
}
