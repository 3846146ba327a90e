/** Where the preload lies, and the environment that makes every Node process of a command load it. */
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Read by boot.cjs. */
const REPORTS_VARIABLE = "SONDE_NODE_REPORTS";

/** Beside the bundle in the built product, beside the adapter's sources otherwise. */
export function findBootFile(): string {
  const places = ["./node-boot.cjs", "../boot.cjs"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  // As it appears on the stack of a process that loaded it (see run.ts).
  return realpathSync(found);
}

export function bootEnvironment(
  env: Record<string, string>,
  bootFile: string,
  reports: string,
): Record<string, string> {
  const ours = `--inspect-publish-uid=http --require ${quoteOption(bootFile)}`;
  const theirs = env.NODE_OPTIONS?.trim();
  return {
    ...env,
    NODE_OPTIONS: theirs ? `${ours} ${theirs}` : ours,
    [REPORTS_VARIABLE]: reports,
  };
}

/** NODE_OPTIONS splits at blanks; double quotes hold a word together, a backslash escapes inside them. */
function quoteOption(word: string): string {
  return /[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, "\\$&")}"` : word;
}
