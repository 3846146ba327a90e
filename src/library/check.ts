/** What a caller gives, looked at before any debugger hears of it: options by their names here, and lists that came as one text. */
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import { splitWords } from "../util/shell-words.ts";
import { LIBRARY_WORDS, methodOf, optionsOf } from "./words.ts";

/** Of every call. */
const ALWAYS = ["signal", "onText"];

/** Of a command's call: nothing is accepted and ignored. */
export function checked<T extends object>(command: string, options: T): T {
  const { name } = methodOf(command);
  const known = optionsOf(command);
  onlyKnown(name, options, [...known.keys()], LIBRARY_WORDS.usage(command));
  const good: T = { ...options };
  for (const [option, value] of Object.entries(options)) {
    if (option === "env" && value !== undefined && (typeof value !== "object" || Array.isArray(value)))
      throw new SondeError("BAD_ARGUMENT", `${name}: \`env\` is an object`, {
        hint: 'env: { NAME: "value" }',
      });
    if (typeof value === "string" && known.get(option)?.isList)
      Object.assign(good, { [option]: asList(name, option, value) });
  }
  return good;
}

/** Of a command line one knows how to split it; of arguments nobody knows whether it is one or several. */
function asList(name: string, option: string, value: string): string[] {
  if (option === "args")
    throw new SondeError("BAD_ARGUMENT", `${name}: \`args\` is a list`, {
      hint: `args: ${JSON.stringify(splitWords(value))}`,
    });
  return ["command", "a", "b"].includes(option) ? splitWords(value) : [value];
}

export function onlyKnown(name: string, options: object, known: readonly string[], usage?: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new SondeError(
      "BAD_ARGUMENT",
      `${name} takes its options as an object${options === undefined ? "" : `, not ${JSON.stringify(options)}`}`,
      { hint: `usage: ${usage ?? `\`${name}({ ${known.join(", ")} })\``}` },
    );
  const stray = Object.keys(options).find((one) => !known.includes(one) && !ALWAYS.includes(one));
  if (stray === undefined) return;
  const near = closest(stray, known);
  throw new SondeError("BAD_ARGUMENT", `${name} takes no option \`${stray}\``, {
    hint: `${near === undefined ? "" : `did you mean \`${near}\`? `}${name} takes ${known.join(", ")}`,
  });
}
