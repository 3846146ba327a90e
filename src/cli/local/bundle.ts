/** Bundles beside this one, loaded when they are needed. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SondeError } from "../../errors.ts";

type Serve = (...args: unknown[]) => Promise<unknown>;

export async function bundle(name: string): Promise<Record<string, Serve>> {
  const path = join(import.meta.dirname, name);
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, Serve>;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw thrown;
    throw new SondeError("UNSUPPORTED", `this build has no ${name}`, { hint: "npm run build" });
  }
}
