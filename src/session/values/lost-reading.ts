/** A debugger may die of reading a value: then the answer says which, so that it is left alone the next time. */
import { SondeError } from "../../errors.ts";

export async function reading<T>(adapter: string, ask: Promise<T>, value: string | undefined): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    const why = error instanceof SondeError && error.code === "ADAPTER_FAILED" ? whyIn(error) : undefined;
    if (why === undefined || value === undefined) throw error;
    throw new SondeError("ADAPTER_FAILED", `${why} while reading ${value}`, {
      cause: error,
      details: { ...Object(error instanceof SondeError ? error.details : {}), reading: value, adapter },
    });
  }
}

function whyIn({ details }: SondeError): string | undefined {
  const { why } = Object(details) as { why?: unknown };
  return typeof why === "string" ? why : undefined;
}

/** The adapter that died of reading a value. */
export function diedReading(error: SondeError): string | undefined {
  const { reading: value, adapter } = Object(error.details) as { reading?: unknown; adapter?: unknown };
  return value !== undefined && typeof adapter === "string" ? adapter : undefined;
}
