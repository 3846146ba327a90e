/** Exceptions as debugpy tells them and takes them, in DAP's own terms. */
import type { DebugProtocol } from "@vscode/debugprotocol";

type Info = DebugProtocol.ExceptionInfoResponse["body"];

const NOTE = /\s+\(note: full exception trace is shown but execution is paused at: .*\)$/s;

/** What debugpy says of an exception that has no words of its own. */
const WORDLESS = "exception: no description";

/** With the chain of causes, which debugpy gives only inside the text of the traceback, innermost first. */
export function withCauses(told: Info): Info {
  const exceptionId = told.exceptionId.replace(NOTE, "");
  const info = told.description === WORDLESS ? { ...told, description: "" } : told;
  const details = info.details && {
    ...info.details,
    ...(info.details.message === WORDLESS ? { message: "" } : {}),
  };
  if (details === undefined) return { ...info, exceptionId };
  const chain = tracebacks(details.stackTrace ?? "").slice(0, -1);
  const inner = chain.reduce<DebugProtocol.ExceptionDetails | undefined>(
    (deeper, one) => ({ ...one, ...(deeper === undefined ? {} : { innerException: [deeper] }) }),
    undefined,
  );
  return {
    ...info,
    exceptionId,
    details: {
      ...details,
      typeName: exceptionId,
      ...(inner === undefined ? {} : { innerException: [inner] }),
    },
  };
}

const BETWEEN =
  /\n(?:The above exception was the direct cause of the following exception|During handling of the above exception, another exception occurred):\n/;

/** The last line of a traceback names the exception; frames and source lines are indented. */
function tracebacks(text: string): { typeName: string; message: string }[] {
  return text.split(BETWEEN).flatMap((part) => {
    const lines = part.split("\n");
    const at = lines.findIndex(
      (line) => line !== "" && !line.startsWith(" ") && !line.startsWith("Traceback"),
    );
    const [, typeName, message = ""] =
      /^([\w.<>]+)(?:: (.*))?$/s.exec(lines.slice(at).join("\n").trim()) ?? [];
    return at < 0 || typeName === undefined ? [] : [{ typeName, message }];
  });
}

const MODES: Record<string, DebugProtocol.ExceptionBreakMode> = {
  raised: "always",
  uncaught: "unhandled",
  userUnhandled: "userUnhandled",
};
const ALL = { names: ["Python Exceptions"] };

/** `catch all ValueError` is a filter with a condition to DAP; to debugpy it is a path to the type. */
export function withTypes(
  args: DebugProtocol.SetExceptionBreakpointsArguments,
): DebugProtocol.SetExceptionBreakpointsArguments {
  const { filterOptions = [], filters } = args;
  if (filterOptions.length === 0) return args;
  const typed = filterOptions.map(({ filterId, condition }) => ({
    breakMode: MODES[filterId] ?? ("always" as const),
    path: [ALL, ...(condition === undefined ? [] : [{ names: typeNames(condition) }])],
  }));
  // Where debugpy is given types it does not look at the plain filters.
  const plain = filters.map((filter) => ({ breakMode: MODES[filter] ?? ("always" as const), path: [ALL] }));
  return { filters: [], exceptionOptions: [...plain, ...typed] };
}

/** `ValueError, my.module.Problem`. */
function typeNames(condition: string): string[] {
  const names = condition.split(/[\s,|]+/).filter((name) => name !== "");
  const wrong = names.find((name) => !/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name));
  if (names.length === 0 || wrong !== undefined)
    throw new Error(
      `debugpy accepts names of exception types here (ValueError, package.Problem), not \`${condition}\``,
    );
  return names;
}
