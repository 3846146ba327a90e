/** A debugger may die of reading a value: then the answer says which, so that it is left alone the next time. */
import { SondeError } from "../../errors.ts";

/** A value, or all those of a frame; by its key it is known in another run, where the debugger numbers frames as before. */
export interface Named {
  name: string;
  key: string;
}

export async function reading<T>(adapter: string, ask: Promise<T>, value: Named | undefined): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    const why = error instanceof SondeError && error.code === "ADAPTER_FAILED" ? whyIn(error) : undefined;
    if (why === undefined || value === undefined) throw error;
    throw new SondeError("ADAPTER_FAILED", `${why} while reading ${value.name}`, {
      cause: error,
      details: { ...Object(error instanceof SondeError ? error.details : {}), reading: value, adapter },
    });
  }
}

function whyIn({ details }: SondeError): string | undefined {
  const { why } = Object(details) as { why?: unknown };
  return typeof why === "string" ? why : undefined;
}

/** The adapter that died of reading a value, and which. */
export function diedReading(error: SondeError): { adapter: string; value: Named } | undefined {
  const { reading: value, adapter } = Object(error.details) as { reading?: Named; adapter?: unknown };
  return value !== undefined && typeof adapter === "string" ? { adapter, value } : undefined;
}
