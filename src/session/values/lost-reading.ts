/** Reading a value may kill the debugger: the answer then says which value, so that it is not read the next time. */
import { SondeError } from "../../errors.ts";

/** A value, or all those of a frame. Its key is the same in another run, where the debugger numbers frames as before. */
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

/** The adapter that died while it read a value, and which value it was. */
export function diedReading(error: SondeError): { adapter: string; value: Named } | undefined {
  const { reading: value, adapter } = Object(error.details) as { reading?: Named; adapter?: unknown };
  return value !== undefined && typeof adapter === "string" ? { adapter, value } : undefined;
}
