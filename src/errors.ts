/**
 * Every failure a caller can see: a code in words, what happened to what, and what to do next.
 * `client` and `cli` import this file, so it loads next to nothing.
 */

import { advice, said, shell, type Told, type Words } from "./advice/advice.ts";
import { visible } from "./util/text.ts";

/** Code → exit status of the CLI. 1 failed, 2 wrong usage, 3 no such session, 4 the program is in the wrong state. */
const EXIT_STATUS = {
  BAD_ARGUMENT: 2,
  UNKNOWN_COMMAND: 2,
  NO_SESSION: 3,
  AMBIGUOUS_SESSION: 3,
  NOT_STOPPED: 4,
  NOT_RUNNING: 4,
  BUSY: 4,
  SESSION_ENDED: 4,
  STALE_HANDLE: 4,
  TAKEN_OVER: 4,
  NO_TRACE: 1,
  BAD_LOCATION: 1,
  BAD_CONFIG: 1,
  UNSUPPORTED: 1,
  ADAPTER_MISSING: 1,
  ADAPTER_FAILED: 1,
  SETUP_FAILED: 1,
  LAUNCH_FAILED: 1,
  ATTACH_FAILED: 1,
  EVAL_FAILED: 1,
  REQUEST_FAILED: 1,
  TIMEOUT: 1,
  CANCELLED: 1,
  PERMISSION: 1,
  VERSION_SKEW: 1,
  DAEMON_FAILED: 1,
  INTERNAL: 1,
} as const;

export type ErrorCode = keyof typeof EXIT_STATUS;

export interface ErrorShape {
  code: ErrorCode;
  message: string;
  hint?: string;
  details?: unknown;
  /** The folder in which something was looked for and not found. */
  folder?: string;
}

interface ErrorOptions {
  hint?: Told | undefined;
  details?: unknown;
  folder?: string | undefined;
  cause?: unknown;
}

/** A program may load this file twice, by `import` and by `require`: an error of either is one to both. */
const BRAND = Symbol.for("sonde.SondeError");

export class SondeError extends Error {
  override readonly name = "SondeError";
  readonly code: ErrorCode;
  /** What to type or do next. */
  readonly hint: string | undefined;
  readonly details: unknown;
  /** The folder in which something was looked for and not found. */
  readonly folder: string | undefined;
  /** The same for any kind of caller. @internal */
  readonly told: { readonly message: Told; readonly hint: Told | undefined };

  constructor(
    code: ErrorCode,
    message: string,
    options?: { hint?: string | undefined; details?: unknown; cause?: unknown },
  );
  /** @internal */
  constructor(code: ErrorCode, message: Told, options?: ErrorOptions);
  constructor(code: ErrorCode, message: Told, options: ErrorOptions = {}) {
    super(String(message), options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.hint = options.hint === undefined ? undefined : String(options.hint);
    this.details = options.details;
    this.folder = options.folder;
    this.told = { message, hint: options.hint };
    Object.defineProperty(this, "told", { enumerable: false });
  }

  /** With its calls in the words of who is to read it. @internal */
  in(words: Words): SondeError {
    const { message, hint } = this.told;
    if (typeof message === "string" && typeof hint !== "object") return this;
    const worded = new SondeError(this.code, said(message, words), {
      hint: hint === undefined ? undefined : said(hint, words),
      details: this.details,
      folder: this.folder,
      cause: this.cause,
    });
    if (this.stack !== undefined) worded.stack = this.stack.replace(this.message, () => worded.message);
    return worded;
  }

  toJSON(): ErrorShape {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.folder === undefined ? {} : { folder: this.folder }),
    };
  }
}

Object.defineProperty(SondeError, Symbol.hasInstance, {
  // A class made from it inherits this, and asks about itself.
  value(this: unknown, one: unknown): boolean {
    if (this !== SondeError) return Function.prototype[Symbol.hasInstance].call(this, one);
    return typeof one === "object" && one !== null && BRAND in one;
  },
});

/** How an error reads in a terminal or to a model: what happened, then what to do. */
export function errorText({ code, message, hint }: ErrorShape): string {
  return `error ${code}: ${quoting(message)}\n${hint ? `hint: ${quoting(hint)}\n` : ""}`;
}

/** What follows the first line is quoted most of the time, from a program or a tool: behind a bar nothing of it passes for ours. */
function quoting(text: string): string {
  return visible(text).trimEnd().replaceAll("\n", "\n  | ");
}

export function exitStatus(code: ErrorCode): number {
  return EXIT_STATUS[code];
}

/** Anything thrown, as an error we can show. An unexpected one keeps its own message, marked INTERNAL. */
export function asSondeError(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new SondeError("INTERNAL", message, {
    hint: advice`this is a defect in sonde; ${shell("sonde daemon logs")} has the stack`,
    cause: thrown,
  });
}
