/** Breakpoints as debugpy must be told of them, and what it really made of them. */

import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, optionOf } from "../../advice/advice.ts";
import { reasoned } from "../../dap/refused-part.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { codeLines, placeFor } from "./lines.ts";

type Arguments = DebugProtocol.SetBreakpointsArguments;
type Answer = DebugProtocol.SetBreakpointsResponse["body"];

/** What is sent for one file, and how its answers are put back among those that were not. */
export interface Placed {
  args: Arguments;
  answer(body: Answer): Answer;
}

export function place(args: Arguments): Placed {
  const { source, breakpoints = [] } = args;
  const code = readCode(source.path);
  if (code === undefined) return { args, answer: explained };
  const places = breakpoints.map((one) => ({ asked: one, ...placeFor(code, one.line) }));
  const sent = places.flatMap((one) => ("line" in one ? [{ ...one.asked, line: one.line }] : []));
  return {
    args: {
      ...args,
      breakpoints: sent.map(checked),
      ...(args.lines ? { lines: sent.map(({ line }) => line) } : {}),
    },
    answer: (body) => {
      const answers = asKept(
        explained(body).breakpoints,
        sent.map(({ line }) => line),
      );
      const none = { verified: false, message: "debugpy sent no result for it" };
      const merged = places.map(({ asked, ...one }) =>
        "line" in one
          ? (answers.shift() ?? none)
          : {
              verified: false,
              line: asked.line,
              message: `${one.problem} (${basename(source.path ?? "")}:${asked.line})`,
            },
      );
      return { breakpoints: merged };
    },
  };
}

const MOST_BYTES = 20_000_000;

/** Not of a file that is no Python, nor of one that is only known to the program. */
function readCode(path: string | undefined): boolean[] | undefined {
  try {
    return path !== undefined && /\.pyw?$/.test(path)
      ? codeLines(readSmallFile(path, MOST_BYTES))
      : undefined;
  } catch {
    return undefined; // debugpy says what is wrong with it
  }
}

/** Of several on one line debugpy keeps the last, and gives each a number as if it kept all. */
function asKept(answers: readonly DebugProtocol.Breakpoint[], lines: readonly number[]) {
  return answers.map((one, at) => {
    const id = answers[lines.lastIndexOf(lines[at] ?? 0)]?.id;
    return id === undefined ? one : { ...one, id };
  });
}

const LIBRARY = advice`it is library code, where debugpy does not stop; ${optionOf("start", { adapterArguments: { justMyCode: false } })} at the start changes that`;

/** debugpy's words are about settings of an editor. */
function explained({ breakpoints }: Answer): Answer {
  return {
    breakpoints: breakpoints.map((one) => {
      if (one.message === undefined) return one;
      if (/excluded by filters/.test(one.message)) return reasoned(one, LIBRARY);
      const message = /does not exist/.test(one.message) ? "the file does not exist" : one.message.trim();
      return { ...one, message };
    }),
  };
}

/** In a log message, an expression that fails shows its error in its place; debugpy would print the error alone. */
function checked(breakpoint: DebugProtocol.SourceBreakpoint): DebugProtocol.SourceBreakpoint {
  const { logMessage } = breakpoint;
  return logMessage === undefined ? breakpoint : { ...breakpoint, logMessage: guarded(logMessage) };
}

const TRY =
  "try:\\n v.append(eval(e, g, l))\\nexcept Exception as x:\\n v.append('<%s: %s>' % (type(x).__name__, x))";

function guarded(message: string): string {
  const parts = braced(message);
  if (parts.length < 2) return message;
  // debugpy makes a format of it and forgets to escape what else is in there.
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("%", "%%") : guardedPart(part)))
    .join("");
}

/** A JSON string is one of Python's; no braces of our own, because debugpy counts them. */
function guardedPart(expression: string): string {
  const text = JSON.stringify(expression.trim());
  return `{(lambda e, g, l, v: exec("${TRY}", dict(e=e, g=g, l=l, v=v)) or v[0])(${text}, globals(), locals(), [])}`;
}

/** Text and expressions in turn; one piece if the braces do not match, for debugpy to complain about. */
function braced(message: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of message) {
    if (char === "}") depth -= 1;
    const edge = (char === "{" || char === "}") && depth === 0;
    if (depth < 0) return [message];
    if (char === "{") depth += 1;
    if (edge) parts.push("");
    else parts.push(`${parts.pop()}${char}`);
  }
  return depth === 0 ? parts : [message];
}

/** `Cart.total` is a method to a reader; debugpy knows functions by their bare name. */
export function functionArguments(
  args: DebugProtocol.SetFunctionBreakpointsArguments,
): DebugProtocol.SetFunctionBreakpointsArguments {
  return {
    breakpoints: args.breakpoints.map((one) => {
      const parts = one.name.replace(/\(\)$/, "").split(".");
      const name = parts.pop() ?? one.name;
      const owner = parts.join(".");
      if (owner === "") return { ...one, name };
      const within = `(${ownedBy(owner, parts.at(-1) ?? owner)})`;
      return {
        ...one,
        name,
        condition: one.condition === undefined ? within : `${within} and (${one.condition})`,
      };
    }),
  };
}

/** In a module of that name (the program's own file is called `__main__`), or a method of such a class, by its first parameter. */
function ownedBy(owner: string, last: string): string {
  const self = "(lambda s: s if isinstance(s, type) else type(s))(locals().get('self', locals().get('cls')))";
  const file = `/${owner.replaceAll(".", "/")}.py`;
  const inFile = `('/' + str(globals().get('__file__')).replace(chr(92), '/')).endswith('${file}')`;
  return `__name__ == '${owner}' or __name__.endswith('.${owner}') or ${inFile} or '${last}' in [c.__name__ for c in ${self}.__mro__]`;
}
