import { SondeError } from "../errors.ts";

interface ErrorBody {
  error?: { id?: number; format?: string; variables?: Record<string, string>; showUser?: boolean };
}

/** A response with `success: false`. Adapters put the reason in `message`, in `body.error.format`, or half in each. */
export class DapRequestError extends SondeError {
  readonly command: string;
  /** The adapter's own words. */
  readonly text: string;

  constructor(command: string, message: unknown, body: unknown) {
    const text = reason(message, body) || "no reason given";
    super("REQUEST_FAILED", `the debug adapter refused "${command}": ${text}`, {
      details: { command, text },
    });
    this.command = command;
    this.text = text;
  }
}

function reason(message: unknown, body: unknown): string {
  const short = typeof message === "string" ? message.trim() : "";
  const long = formatted((body as ErrorBody | null | undefined)?.error).trim();
  if (long.includes(short)) return long;
  if (short.includes(long)) return short;
  return `${short}: ${long}`;
}

function formatted(error: ErrorBody["error"]): string {
  if (typeof error?.format !== "string") return "";
  const variables = new Map(Object.entries(error.variables ?? {}));
  return error.format.replace(/\{([^{}]+)\}/g, (whole, name: string) => String(variables.get(name) ?? whole));
}
