/** What becomes of a call's value, by the text around it. */
import { withoutComments } from "./code-text.ts";

/** "passed": on to the caller, by `await` or `return`. "used": in any other way. */
export type ValueUse = "dropped" | "passed" | "used";

/** `offset`: of the call's name in `text`, or of its opening parenthesis. */
export function valueUse(text: string, offset: number): ValueUse {
  const plain = withoutComments(text);
  const end = endOfCall(plain, offset);
  if (end === undefined || !endsStatement(plain.slice(end))) return "used";
  return leadOf(plain.slice(0, offset));
}

/** What stands before the call, from the beginning of its statement on. */
function leadOf(before: string): ValueUse {
  // The object of a method, a parenthesis around a function.
  const lead = before.replace(/[\w$.?#)\]]*$/, "").trimEnd();
  const whole = before.trimEnd();
  if (/\b(?:await|return)$/.test(whole) || lead.endsWith("=>")) return "passed";
  if (/\b(?:await|return)$/.test(lead)) return "passed";
  if (/\bvoid$/.test(lead) || lead === "" || /[;{}]$/.test(lead)) return "dropped";
  // A statement of its own without a semicolon before it.
  const isNewLine = /\n\s*[\w$.?#)\]]*$/.test(before);
  return isNewLine && !/[=([,?:&|+\-*/%<>!~^.]$/.test(lead) ? "dropped" : "used";
}

function endOfCall(plain: string, offset: number): number | undefined {
  const open = /^[\w$.?#]*\s*\(/.exec(plain.slice(offset));
  if (open === null) return undefined;
  let depth = 0;
  for (let at = offset + open[0].length - 1; at < plain.length; at++) {
    if (plain[at] === "(") depth++;
    else if (plain[at] === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

function endsStatement(rest: string): boolean {
  const next = /^\s*/.exec(rest)?.[0] ?? "";
  const char = rest[next.length];
  if (char === undefined || char === ";" || char === "}") return true;
  return next.includes("\n") && !/[.?,)[(+\-*/%&|=<>:`]/.test(char);
}
