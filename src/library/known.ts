/** Options of calls that are no command's: nothing is accepted and ignored. */
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";

/** Of every call. */
const ALWAYS = ["signal", "onText"];

export function onlyKnown(name: string, options: object, known: readonly string[]): void {
  isOptions(name, options, `\`${name}({ ${known.join(", ")} })\``);
  const stray = Object.keys(options).find((one) => !known.includes(one) && !ALWAYS.includes(one));
  if (stray === undefined) return;
  const near = closest(stray, known);
  throw new SondeError("BAD_ARGUMENT", `${name} takes no option \`${stray}\``, {
    hint: `${near === undefined ? "" : `did you mean \`${near}\`? `}${name} takes ${known.join(", ")}`,
  });
}

export function isOptions(name: string, options: unknown, usage = `\`${name}({ … })\``): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  throw new SondeError(
    "BAD_ARGUMENT",
    `${name} takes its options as an object${options === undefined ? "" : `, not ${JSON.stringify(options)}`}`,
    { hint: `usage: ${usage}` },
  );
}
