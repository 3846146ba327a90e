/** Reading one configuration's keys, with variables put in only where a key is used, and a record of what was used. */
import { advice } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { splitWords } from "../../util/shell-words.ts";
import type { Configuration } from "./read.ts";

export class Fields {
  readonly used = new Set<string>();
  #values: Record<string, unknown>;
  #substitute: (text: string) => string;

  constructor(configuration: Configuration, substitute: (text: string) => string) {
    const platform =
      configuration[{ darwin: "osx", win32: "windows" }[process.platform as string] ?? "linux"];
    this.#values = { ...configuration, ...(isRecord(platform) ? platform : {}) };
    this.#substitute = substitute;
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined && this.#values[key] !== null;
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw wrong(key, "text");
    return this.#resolved(key, value);
  }

  number(key: string): number | undefined {
    const value = this.#take(key);
    if (value === undefined || value === "") return undefined;
    const number = typeof value === "string" ? Number(this.#resolved(key, value)) : value;
    if (typeof number !== "number" || !Number.isInteger(number)) throw wrong(key, "a number");
    return number;
  }

  flag(key: string): boolean | undefined {
    const value = this.#take(key);
    return value === undefined ? undefined : value === true;
  }

  /** A list, or one text split as a shell would. */
  words(key: string): string[] | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (typeof value === "string") return splitWords(this.#resolved(key, value));
    if (!Array.isArray(value)) throw wrong(key, "a list of strings");
    return value.map((one) => this.#resolved(key, String(one)));
  }

  record(key: string): Record<string, unknown> | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (!isRecord(value)) throw wrong(key, "an object");
    return this.#deep(key, value) as Record<string, unknown>;
  }

  records(key: string): Record<string, unknown>[] | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isRecord)) throw wrong(key, "a list of objects");
    return this.#deep(key, value) as Record<string, unknown>[];
  }

  /** As it is, variables put in wherever there are texts. */
  any(key: string): unknown {
    return this.#deep(key, this.#take(key));
  }

  #take(key: string): unknown {
    this.used.add(key);
    return this.#values[key] ?? undefined;
  }

  #deep(key: string, value: unknown): unknown {
    if (typeof value === "string") return this.#resolved(key, value);
    if (Array.isArray(value)) return value.map((one) => this.#deep(key, one));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#deep(key, one)]));
  }

  #resolved(key: string, text: string): string {
    try {
      return this.#substitute(text);
    } catch (error) {
      if (!(error instanceof SondeError)) throw error;
      const { message, hint } = error.told;
      throw new SondeError(error.code, advice`${key}: ${message}`, { hint });
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(key: string, what: string): SondeError {
  return new SondeError("BAD_CONFIG", `launch.json: ${key} must be ${what}`);
}
